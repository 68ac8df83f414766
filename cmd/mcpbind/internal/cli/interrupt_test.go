package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An interrupt ends a run that waits for a server, with its own exit code.
func TestInterrupt(t *testing.T) {
	waiting := make(chan struct{}, 16)
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		waiting <- struct{}{}
		<-r.Context().Done()
	}))
	defer hang.Close()
	config := filepath.Join(t.TempDir(), "mcpbind.yaml")
	text := "version: 1\nservers:\n  a: {url: " + hang.URL + ", timeout: 1h}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	snapshots := filepath.Join(filepath.Dir(config), "snapshots")
	if err := os.Mkdir(snapshots, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(snapshots, "a.json"), []byte(`{"format": 1, "tools": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"generate"}, {"list", "--live"}, {"call", "a", "x"}, {"verify"}} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-waiting
			cancel()
		}()
		var stdout, stderr bytes.Buffer
		start := time.Now()
		code := Run(ctx, append([]string{"-C", config}, args...), strings.NewReader(""), &stdout, &stderr)
		cancel()
		if code != exitInterrupted {
			t.Errorf("%v: exit code %d, want %d; stderr:\n%s", args, code, exitInterrupted, stderr.String())
		}
		if !strings.HasSuffix(stderr.String(), "mcpbind: interrupted\n") {
			t.Errorf("%v: stderr:\n%s", args, stderr.String())
		}
		if took := time.Since(start); took > plenty {
			t.Errorf("%v: took %v", args, took)
		}
		for len(waiting) > 0 {
			<-waiting
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// An answer that could not be written was not given.
func TestStdoutFails(t *testing.T) {
	var stderr bytes.Buffer
	code := Run(t.Context(), []string{"version"}, strings.NewReader(""), failingWriter{}, &stderr)
	if code != exitNoAnswer || stderr.String() != "mcpbind: disk full\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}
