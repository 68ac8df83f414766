package cli

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writtenLines hands every line that is written to a test.
type writtenLines chan string

func (c writtenLines) Write(p []byte) (int, error) {
	for line := range strings.SplitSeq(strings.TrimRight(string(p), "\n"), "\n") {
		c <- line
	}
	return len(p), nil
}

func TestLoginWaitsForTheBrowser(t *testing.T) {
	lines := make(writtenLines, 20)
	l, err := newLogin(&stream{w: lines})
	if err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		redirected string
		err        error
	}
	done := make(chan outcome, 1)
	authURL := "https://login.example.com/authorize?" + url.Values{"redirect_uri": {l.redirect}, "state": {"s"}}.Encode()
	go func() {
		redirected, err := l.ask(t.Context(), "tracker", authURL)
		done <- outcome{redirected, err}
	}()
	var shown string
	for !strings.Contains(shown, authURL) {
		select {
		case line := <-lines:
			shown += line + "\n"
		case <-time.After(plenty):
			t.Fatalf("shown %q", shown)
		}
	}
	if !strings.Contains(shown, `server "tracker" wants a login`) {
		t.Errorf("shown %q", shown)
	}
	visit := func(path string) (int, string) {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: plenty}
		resp, err := client.Get(strings.TrimSuffix(l.redirect, "/callback") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	if status, _ := visit("/favicon.ico"); status != http.StatusNotFound {
		t.Errorf("another path: %d", status)
	}
	if status, body := visit("/callback?code=c&state=s"); status != http.StatusOK || strings.Contains(body, "code") {
		t.Errorf("callback: %d %q", status, body)
	}
	if got := <-done; got.err != nil || got.redirected != "/callback?code=c&state=s" {
		t.Errorf("ask = %+v", got)
	}
}

func TestLoginThatCannotBe(t *testing.T) {
	l := &login{stderr: &stream{w: io.Discard}}
	for _, redirect := range []string{"", "https://127.0.0.1:1/x", "http://example.com:80/x", "http://127.0.0.1/x", "http://0.0.0.0:1/x"} {
		if _, err := l.ask(t.Context(), "a", "https://as.example.com/?"+url.Values{"redirect_uri": {redirect}}.Encode()); err == nil || !strings.Contains(err.Error(), "auth.redirect_url") {
			t.Errorf("%q: %v", redirect, err)
		}
	}
	if _, err := l.ask(t.Context(), "a", "javascript:alert(1)"); err == nil {
		t.Error("an address for no browser was shown")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	busy, err := newLogin(l.stderr)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := busy.ask(ctx, "a", "https://as.example.com/?"+url.Values{"redirect_uri": {busy.redirect}}.Encode()); err == nil || !strings.Contains(err.Error(), "nobody logged in") {
		t.Errorf("nobody came: %v", err)
	}
}

func TestTokenFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mcpbind", "tokens")
	store := tokenFiles(dir)
	if data, err := store.LoadToken(t.Context(), "a"); data != nil || err != nil {
		t.Errorf("nothing there: %q, %v", data, err)
	}
	for _, text := range []string{"one", "two"} {
		if err := store.SaveToken(t.Context(), "a", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := store.LoadToken(t.Context(), "a"); string(data) != "two" || err != nil {
		t.Errorf("loaded %q, %v", data, err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	info, err := files[0].Info()
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
	if info, err = os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", info.Mode(), err)
	}
	for range 2 {
		if err := store.SaveToken(t.Context(), "a", nil); err != nil {
			t.Errorf("removing: %v", err)
		}
	}
	if data, err := store.LoadToken(t.Context(), "a"); data != nil || err != nil {
		t.Errorf("still there: %q, %v", data, err)
	}
}
