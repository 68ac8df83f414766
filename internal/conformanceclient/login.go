package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/mcpbind/mcpbind/runtime"
)

const (
	redirectURL       = "http://localhost:3000/callback"
	clientMetadataURL = "https://conformance-test.local/client-metadata.json"
)

// authorize configures OAuth. The suite's authorization server lets everybody in
// at once, so login is one request whose redirect nobody follows.
func authorize(cfg *runtime.ServerConfig, given suiteContext) []runtime.Option {
	cfg.Auth = &runtime.Auth{
		ClientID: given.ClientID, ClientSecret: given.ClientSecret, Issuer: given.Issuer,
		ClientMetadataURL: clientMetadataURL,
	}
	return []runtime.Option{runtime.WithLogin(redirectURL, login)}
}

// asClient configures the grant that needs nobody.
func asClient(cfg *runtime.ServerConfig, given suiteContext) []runtime.Option {
	cfg.Auth = &runtime.Auth{
		Grant: runtime.GrantClientCredentials, ClientID: given.ClientID,
		ClientSecret: given.ClientSecret, PrivateKey: given.PrivateKey,
	}
	return nil
}

func login(ctx context.Context, _, authURL string) (redirected string, err error) {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, authURL, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	if err := resp.Body.Close(); err != nil {
		return "", err
	}
	location := resp.Header.Get("Location")
	if location == "" {
		return "", errors.New("the authorization server did not redirect")
	}
	return location, nil
}
