package drivers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTLSConfigSaysWhatIsWrongWithAFile(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tls  TLS
		want string
	}{
		{TLS{CA: "nowhere.pem"}, "read the authority: open nowhere.pem"},
		{TLS{CA: empty}, "empty.pem holds no certificate in PEM"},
		{TLS{Cert: empty}, "read the client's certificate"},
		{TLS{Key: empty}, "read the client's certificate"},
	} {
		if _, err := c.tls.Config(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q in it", c.tls, err, c.want)
		}
	}
	config, err := (&TLS{ServerName: "store.example", Insecure: true}).Config()
	if err != nil || config.ServerName != "store.example" || !config.InsecureSkipVerify || config.RootCAs != nil || len(config.Certificates) != 0 {
		t.Errorf("config %+v, %v", config, err)
	}
}
