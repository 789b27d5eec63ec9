package etcd

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"

	"go.etcd.io/etcd/client/pkg/v3/transport"

	"github.com/kvscen/kvscen/drivers"
)

// tlsConfig reads the files that t names.
func tlsConfig(t *drivers.TLS) (*tls.Config, error) {
	config, err := transport.TLSInfo{
		TrustedCAFile:      t.CA,
		CertFile:           t.Cert,
		KeyFile:            t.Key,
		ServerName:         t.ServerName,
		InsecureSkipVerify: t.Insecure,
	}.ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("tls: %w", err)
	}
	// etcd takes any file for an authority; one that vouches for nobody is a slip.
	if t.CA != "" && config.RootCAs.Equal(x509.NewCertPool()) {
		return nil, fmt.Errorf("tls: %s holds no certificate in PEM", t.CA)
	}
	return config, nil
}
