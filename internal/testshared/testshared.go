// Package testshared finds the test data that lives outside the repository.
//
// In: the environment and the working directory of a test. Out: a folder, or a
// skipped test. Only tests import it.
package testshared

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable is the environment variable that names the folder of shared test
// data. Unset, it is "shared" beside the module's root.
const Variable = "MCPBIND_SHARED"

// Dir returns the folder of shared test data: real catalogs in corpus, small
// hard schemas in cases and jsts. It skips the test when there is none.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(Variable)
	if dir == "" {
		dir = filepath.Join(moduleRoot(t), "..", "shared")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Skipf("no shared test data at %s: set %s to its folder to run this test", dir, Variable)
	}
	return dir
}

// Files returns the files that match pattern below [Dir], like "corpus/*.json",
// sorted. It fails the test when nothing matches.
func Files(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Dir(t), filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("no shared test data matches %s (%v)", pattern, err)
	}
	return files
}

func moduleRoot(t testing.TB) string {
	t.Helper()
	start, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("no go.mod in %s or above", start)
		}
	}
}
