package drivertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// Certificates are files in PEM of one authority, of a server at 127.0.0.1 and of
// a client. They are valid for an hour.
type Certificates struct {
	CA                    string
	ServerCert, ServerKey string
	ServerBundle          string // the server's key and certificate in one file
	ClientCert, ClientKey string
	authority             *x509.Certificate
	authorityKey          *ecdsa.PrivateKey
	dir                   string
}

// NewCertificates makes certificates that live as long as the test.
func NewCertificates(t testing.TB) *Certificates {
	t.Helper()
	c := &Certificates{dir: t.TempDir(), authorityKey: newKey(t)}
	c.authority = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	c.CA = c.write(t, "ca.pem", &pem.Block{Type: "CERTIFICATE", Bytes: c.sign(t, c.authority, c.authorityKey)})
	cert, key := c.leaf(t, 2, "server")
	c.ServerCert, c.ServerKey = c.write(t, "server.pem", cert), c.write(t, "server-key.pem", key)
	c.ServerBundle = c.write(t, "server-bundle.pem", key, cert)
	cert, key = c.leaf(t, 3, "client")
	c.ClientCert, c.ClientKey = c.write(t, "client.pem", cert), c.write(t, "client-key.pem", key)
	return c
}

// Client is what a client with a certificate connects with.
func (c *Certificates) Client() *drivers.TLS {
	return &drivers.TLS{CA: c.CA, Cert: c.ClientCert, Key: c.ClientKey}
}

func (c *Certificates) leaf(t testing.TB, serial int64, name string) (cert, key *pem.Block) {
	t.Helper()
	k := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name},
		NotBefore: c.authority.NotBefore, NotAfter: c.authority.NotAfter,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatalf("encode a key: %v", err)
	}
	return &pem.Block{Type: "CERTIFICATE", Bytes: c.sign(t, template, k)}, &pem.Block{Type: "PRIVATE KEY", Bytes: der}
}

func (c *Certificates) sign(t testing.TB, template *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, c.authority, &key.PublicKey, c.authorityKey)
	if err != nil {
		t.Fatalf("sign a certificate: %v", err)
	}
	return der
}

func (c *Certificates) write(t testing.TB, name string, blocks ...*pem.Block) string {
	t.Helper()
	path := filepath.Join(c.dir, name)
	var text []byte
	for _, b := range blocks {
		text = append(text, pem.EncodeToMemory(b)...)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatalf("write %s: %v", path, err)
	}
	return path
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatalf("make a key: %v", err)
	}
	return k
}
