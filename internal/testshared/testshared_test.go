package testshared

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDir(t *testing.T) {
	want := t.TempDir()
	t.Setenv(Variable, want)
	if got := Dir(t); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(want, "b.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Files(t, "*.json"); len(got) != 1 || filepath.Base(got[0]) != "b.json" {
		t.Errorf("got %q", got)
	}
}

func TestDirSkipsWhenMissing(t *testing.T) {
	t.Setenv(Variable, filepath.Join(t.TempDir(), "nothing"))
	skipped := false
	t.Run("skipped", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Dir(t)
	})
	if !skipped {
		t.Error("the test was not skipped")
	}
}

func TestModuleRoot(t *testing.T) {
	if _, err := os.Stat(filepath.Join(moduleRoot(t), "go.mod")); err != nil {
		t.Error(err)
	}
}
