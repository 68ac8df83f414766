package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpbind/mcpbind/internal/demo"
)

// plenty is for what must happen in the end, and long enough for a machine on which
// nothing happens for seconds. It is the limit wherever a limit is not the point.
const plenty = time.Minute

func init() { usualTimeout = plenty }

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mcpbind": func() { os.Exit(Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"canary":  canaryStdio,
	})
}

// TestScript runs testdata/script. Scripts find two servers: $DEMO_URL and
// $CANARY_URL, which echoes the headers it gets.
func TestScript(t *testing.T) {
	demoServer := httptest.NewServer(demo.Handler("1"))
	defer demoServer.Close()
	canaryServer := httptest.NewServer(canaryHandler())
	defer canaryServer.Close()
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the end of the connection is noticed only after the body
		<-r.Context().Done()
	}))
	defer hang.Close()
	nothing := httptest.NewServer(http.NotFoundHandler())
	defer nothing.Close()
	deny := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="canary-7f3a9c51d2"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer deny.Close()
	repository, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("script", func(t *testing.T) { // its parallel subtests end before the servers do
		testscript.Run(t, testscript.Params{
			Dir:                 "testdata/script",
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
			UpdateScripts:       os.Getenv("MCPBIND_UPDATE") != "",
			Setup: func(env *testscript.Env) error {
				env.Setenv("REPOSITORY", repository)
				env.Setenv("DEMO_URL", demoServer.URL)
				env.Setenv("DEMO_HOST", strings.TrimPrefix(demoServer.URL, "http://"))
				env.Setenv("CANARY_URL", canaryServer.URL)
				env.Setenv("HANG_URL", hang.URL)
				env.Setenv("NOTHING_URL", nothing.URL)
				env.Setenv("DENY_URL", deny.URL)
				for name, value := range secrets {
					env.Setenv(name, value)
				}
				return nil
			},
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"exits":     exits,
				"nosecrets": noSecrets,
				"workflow":  workflow,
			},
		})
	})
}

// exits runs a command and wants its exit code: exits 2 mcpbind generate.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [arg...]")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// secrets are what the scripts' configurations expand variables to.
var secrets = map[string]string{
	"CANARY_TOKEN": "canary-7f3a9c51d2",
	"CANARY_ENV":   `ca"nary\<e>&nv-44`,
}

// noSecrets fails when a secret stands in a file below the script's directory or
// in the output of the last command.
func noSecrets(ts *testscript.TestScript, _ bool, args []string) {
	check := func(where, text string) {
		for name, value := range secrets {
			for _, form := range []string{value, strings.Trim(strconv.Quote(value), `"`), base64.StdEncoding.EncodeToString([]byte(value))} {
				if strings.Contains(text, form) {
					ts.Fatalf("%s holds the value of %s:\n%s", where, name, text)
				}
			}
		}
	}
	check("stdout", ts.ReadFile("stdout"))
	check("stderr", ts.ReadFile("stderr"))
	err := filepath.WalkDir(ts.Getenv("WORK"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		check(path, string(data))
		return err
	})
	ts.Check(err)
}
