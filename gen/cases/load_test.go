package cases

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A testCase is one case file, plus where it stands.
type testCase struct {
	Folder string `json:"-"` // like "cases/report"
	File   string `json:"-"` // base name without .json

	Expect string `json:"expect"` // refuse only: reject, reject-or-warn, reject-or-last-wins, bounded
	Tool   struct {
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	} `json:"tool"`
	Accept       []json.RawMessage `json:"accept"`
	Reject       []json.RawMessage `json:"reject"`
	AcceptOutput []json.RawMessage `json:"acceptOutput"`
	RejectOutput []json.RawMessage `json:"rejectOutput"`
	AcceptRaw    []string          `json:"acceptRaw"`
	RejectRaw    []string          `json:"rejectRaw"`
	AssertFormat bool              `json:"assertFormat"`
}

func (c *testCase) id() string { return c.Folder + "/" + c.File }

// tool is the wire name of the case's tool: legal, and unique in its folder.
func (c *testCase) tool() string { return "case_" + strings.ReplaceAll(c.File, "-", "_") }

// wantsRefusal reports whether the definition itself is bad.
func (c *testCase) wantsRefusal() bool { return strings.HasPrefix(c.Expect, "reject") }

// A folder is one line of the report.
type folder struct {
	name     string
	cases    []*testCase
	optional bool // reported, but falling short is no failure
}

// load reads every folder of cases below root: cases/* and jsts/*, or root
// itself when it holds case files.
func load(t *testing.T, root string) []folder {
	t.Helper()
	var folders []folder
	for _, pattern := range []string{"cases/*", "jsts/*", "."} {
		dirs, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(dirs)
		for _, dir := range dirs {
			name, err := filepath.Rel(root, dir)
			if err != nil {
				t.Fatal(err)
			}
			if f := loadFolder(t, dir, filepath.ToSlash(name)); len(f.cases) > 0 {
				folders = append(folders, f)
			}
		}
	}
	return folders
}

func loadFolder(t *testing.T, dir, name string) folder {
	t.Helper()
	f := folder{name: name, optional: strings.HasSuffix(name, "-optional")}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := &testCase{Folder: name, File: strings.TrimSuffix(filepath.Base(file), ".json")}
		if err := json.Unmarshal(data, c); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", file, err))
		}
		f.cases = append(f.cases, c)
	}
	return f
}
