package runtime

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// clientCredentials gets a token for the client itself. The SDK's handler of this
// grant knows no private_key_jwt, no resource and no scopes of the configuration.
func (a *authenticator) clientCredentials(ctx context.Context, req *http.Request, refusal *http.Response) error {
	resource := req.URL.String()
	meta, err := a.resourceMetadata(ctx, refusal, req.URL)
	if err != nil {
		return err
	}
	as, err := a.authServer(ctx, meta.AuthorizationServers[0])
	if err != nil {
		return err
	}
	scopes := a.cfg.Scopes
	if len(scopes) == 0 {
		scopes = meta.ScopesSupported
		if named := strings.Fields(scopesOf(refusal)); len(named) > 0 {
			scopes = named
		}
	}
	c := clientcredentials.Config{
		ClientID: a.cfg.ClientID, ClientSecret: a.cfg.ClientSecret, TokenURL: as.TokenEndpoint,
		Scopes: union(scopes, a.steppedScopes()), AuthStyle: authStyle(as.TokenEndpointAuthMethodsSupported),
		EndpointParams: url.Values{"resource": {resource}},
	}
	if a.cfg.PrivateKey != "" {
		assertion, err := signAssertion(a.cfg.PrivateKey, a.cfg.ClientID, as.Issuer)
		if err != nil {
			return err
		}
		c.AuthStyle = oauth2.AuthStyleInParams
		c.EndpointParams.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		c.EndpointParams.Set("client_assertion", assertion)
	}
	token, err := c.Token(context.WithValue(ctx, oauth2.HTTPClient, a.client))
	if err != nil {
		return err
	}
	a.hold(&heldToken{Token: token})
	return nil
}

// resourceMetadata finds out where the server wants tokens from: where its refusal
// says, at the well-known places, or, for servers of 2025-03-26, at its own root.
func (a *authenticator) resourceMetadata(ctx context.Context, refusal *http.Response, server *url.URL) (*oauthex.ProtectedResourceMetadata, error) {
	root := &url.URL{Scheme: server.Scheme, Host: server.Host}
	places := [][2]string{
		{root.String() + "/.well-known/oauth-protected-resource/" + strings.TrimLeft(server.EscapedPath(), "/"), server.String()},
		{root.String() + "/.well-known/oauth-protected-resource", root.String()},
	}
	challenges, _ := oauthex.ParseWWWAuthenticate(refusal.Header.Values("WWW-Authenticate")) // unreadable: none
	for _, c := range challenges {
		if place := c.Params["resource_metadata"]; place != "" {
			places = slices.Insert(places, 0, [2]string{place, server.String()})
			break // a header may name thousands
		}
	}
	for _, place := range places {
		meta, err := oauthex.GetProtectedResourceMetadata(ctx, place[0], place[1], a.client)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil || meta == nil {
			continue
		}
		if len(meta.AuthorizationServers) == 0 {
			return nil, errors.New("the server's metadata names no authorization server")
		}
		return meta, nil
	}
	return &oauthex.ProtectedResourceMetadata{Resource: server.String(), AuthorizationServers: []string{root.String()}}, nil
}

// authServer returns the metadata of an authorization server that may see the
// credentials.
func (a *authenticator) authServer(ctx context.Context, issuer string) (*oauthex.AuthServerMeta, error) {
	as, err := sdkauth.GetAuthServerMetadata(ctx, issuer, a.client)
	if err != nil {
		return nil, fmt.Errorf("metadata of the authorization server: %w", err)
	}
	if as == nil {
		as = &oauthex.AuthServerMeta{Issuer: issuer, TokenEndpoint: strings.TrimSuffix(issuer, "/") + "/token"}
	}
	if want := a.cfg.Issuer; want != "" && strings.TrimSuffix(want, "/") != strings.TrimSuffix(as.Issuer, "/") {
		return nil, fmt.Errorf("the server names the authorization server %s, but auth.issuer is %s", quoted(as.Issuer), quoted(want))
	}
	return as, nil
}

func authStyle(methods []string) oauth2.AuthStyle {
	switch {
	case slices.Contains(methods, "client_secret_post"):
		return oauth2.AuthStyleInParams
	case slices.Contains(methods, "client_secret_basic"):
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleAutoDetect
}

// errBadKey does not tell what is in the key.
var errBadKey = errors.New("auth: private_key is no PEM block with a PKCS #8 key, ECDSA P-256 or RSA")

// signAssertion makes the JWT by which client proves itself to issuer (RFC 7523).
func signAssertion(privateKey, client, issuer string) (string, error) {
	block, _ := pem.Decode([]byte(privateKey))
	if block == nil {
		return "", errBadKey
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", errBadKey
	}
	alg := ""
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		if k.Curve != elliptic.P256() {
			return "", errBadKey
		}
		alg = "ES256"
	case *rsa.PrivateKey:
		alg = "RS256"
	default:
		return "", errBadKey
	}
	now := time.Now()
	header, err := json.Marshal(map[string]string{"alg": alg, "typ": "JWT"})
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{
		"iss": client, "sub": client, "aud": issuer, "jti": rand.Text(),
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
	})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(claims)
	signature, err := sign(key, text)
	if err != nil {
		return "", fmt.Errorf("auth: signing with private_key: %w", err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// sign signs text as JWS wants it: for ECDSA the two numbers side by side.
func sign(key any, text string) ([]byte, error) {
	sum := sha256.Sum256([]byte(text))
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		r, s, err := ecdsa.Sign(rand.Reader, k, sum[:])
		if err != nil {
			return nil, err
		}
		const size = 32 // bytes of a P-256 number
		signature := make([]byte, 2*size)
		r.FillBytes(signature[:size])
		s.FillBytes(signature[size:])
		return signature, nil
	case *rsa.PrivateKey:
		return rsa.SignPKCS1v15(rand.Reader, k, crypto.SHA256, sum[:])
	}
	return nil, errBadKey
}
