package runtime

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	mathbig "math/big"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestClientCredentials(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	t.Run("secret", func(t *testing.T) {
		f := newAuthFake(t)
		c := authClientFor(t, f.config(&Auth{Grant: GrantClientCredentials, ClientID: "ci", ClientSecret: "s3", Scopes: []string{"deploy"}}))
		connected(t, c)
		form := f.lastForm()
		if form.Get("client_secret") != "s3" || form.Get("scope") != "deploy" || form.Get("resource") != f.mcp.URL+"/mcp" {
			t.Errorf("token request %v", form)
		}
	})
	t.Run("key", func(t *testing.T) {
		f := newAuthFake(t)
		connected(t, authClientFor(t, f.config(&Auth{Grant: GrantClientCredentials, ClientID: "ci", PrivateKey: text})))
		parts := strings.Split(f.lastForm().Get("client_assertion"), ".")
		if len(parts) != 3 {
			t.Fatalf("assertion %v", parts)
		}
		sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		signature, err := base64.RawURLEncoding.DecodeString(parts[2])
		if err != nil || len(signature) != 64 ||
			!ecdsa.Verify(&key.PublicKey, sum[:], new(mathbig.Int).SetBytes(signature[:32]), new(mathbig.Int).SetBytes(signature[32:])) {
			t.Error("the signature is wrong")
		}
		claims, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err != nil || !strings.Contains(string(claims), `"aud":"`+f.as.URL+`"`) || !strings.Contains(string(claims), `"sub":"ci"`) {
			t.Errorf("claims %s, %v", claims, err)
		}
	})
	t.Run("bad key", func(t *testing.T) {
		f := newAuthFake(t)
		err := authClientFor(t, f.config(&Auth{Grant: GrantClientCredentials, ClientID: "ci", PrivateKey: authCanary})).Connect(t.Context())
		if !errors.Is(err, ErrAuthRequired) || !strings.Contains(err.Error(), "private_key") || strings.Contains(err.Error(), authCanary) {
			t.Errorf("Connect = %v", err)
		}
	})
}

// A refusal may name as many places of metadata as a header holds. The first counts.
func TestMetadataIsLookedForInFewPlaces(t *testing.T) {
	t.Parallel()
	var asked []string
	a := &authenticator{client: &http.Client{Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
		asked = append(asked, req.URL.String())
		return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: req}, nil
	})}}
	refusal := &http.Response{Header: http.Header{}}
	for i := range 1000 {
		refusal.Header.Add("Www-Authenticate", fmt.Sprintf(`Bearer resource_metadata="https://srv.example/%d"`, i))
	}
	server := &url.URL{Scheme: "https", Host: "srv.example", Path: "/mcp"}
	meta, err := a.resourceMetadata(t.Context(), refusal, server)
	if err != nil || meta.AuthorizationServers[0] != "https://srv.example" {
		t.Errorf("%+v, %v", meta, err)
	}
	if len(asked) != 3 || asked[0] != "https://srv.example/0" {
		t.Errorf("asked %d places, first %s", len(asked), asked[0])
	}
}
