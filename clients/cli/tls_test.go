package main

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
)

// authority issues certificates for the loopback address.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.issue("ca", &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name+".pem") }

// issue writes name.pem and name-key.pem. The first certificate signs itself and all others.
func (a *authority) issue(name string, c *x509.Certificate) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	c.SerialNumber, c.Subject = big.NewInt(1), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	if a.cert == nil {
		a.cert, a.key = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	if c.IsCA {
		if a.cert, err = x509.ParseCertificate(der); err != nil {
			a.t.Fatal(err)
		}
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name: {Type: "CERTIFICATE", Bytes: der}, name + "-key": {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(a.file(file), pem.EncodeToMemory(block), 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
}

func TestMutualTLS(t *testing.T) {
	a := newAuthority(t)
	a.issue("server", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	a.issue("client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	s := serve(t, "memory:", "--tls-cert", a.file("server"), "--tls-key", a.file("server-key"), "--tls-client-ca", a.file("ca"))
	contains(t, "info", s.must("info", "--ca", a.file("ca"), "--cert", a.file("client"), "--cert-key", a.file("client-key")), "tenant local")
	s.refused(exitFailed, "the server cannot be reached", "info", "--ca", a.file("ca"))
	s.refused(exitFailed, "unknown authority", "info", "--tls", "--cert", a.file("client"), "--cert-key", a.file("client-key"))
	s.refused(exitUsage, "holds no PEM certificate", "info", "--ca", s.file("key"))
	s.refused(exitFailed, "--cert and --cert-key", "info", "--cert", a.file("client"))
}

// Every flag has its variable.
func TestEnvironment(t *testing.T) {
	s := serve(t, "memory:")
	s.must("wait")
	cmd := s.client("list")
	cmd.Args = []string{cmd.Args[0], "info"}
	cmd.Env = append(os.Environ(), "AUTOBATTLE_PORTS_FILE="+s.file("ports"), "AUTOBATTLE_KEY_FILE="+s.file("key"), "AUTOBATTLE_JSON=true")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "info", string(out), `"tenant":"local"`)
}
