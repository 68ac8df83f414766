package cases

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/testshared"
)

// A testCase is one case file, plus where it stands.
type testCase struct {
	Folder string `json:"-"` // like "cases/report"
	File   string `json:"-"` // base name without .json

	Expect string `json:"expect"` // refuse only: reject, reject-or-warn, reject-or-last-wins, bounded
	Tool   struct {
		Name         string          `json:"name"` // of our own cases; others have names that tell the fault
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
func (c *testCase) tool() string {
	if c.Folder == ownFolder {
		return c.Tool.Name
	}
	return "case_" + strings.ReplaceAll(c.File, "-", "_")
}

// wantsRefusal reports whether the definition itself is bad.
func (c *testCase) wantsRefusal() bool { return strings.HasPrefix(c.Expect, "reject") }

// A folder is one line of the report.
type folder struct {
	name     string
	cases    []*testCase
	optional bool // reported, but falling short is no failure
}

// expected are the folders whose absence is worth a line.
var expected = []string{
	"cases/nasty", "cases/refuse", "cases/report",
	"jsts/draft2020-12", "jsts/draft2020-12-optional", "jsts/draft7",
}

// load reads every folder of cases below root, cases/* and jsts/*, or root
// itself when it holds case files. Missing are those of expected that have no
// case. An error means that there is nothing to run.
func load(root string) (folders []folder, missing []string, err error) {
	for _, pattern := range []string{"cases/*", "jsts/*", "."} {
		dirs, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, nil, err
		}
		slices.Sort(dirs)
		for _, dir := range dirs {
			name, err := filepath.Rel(root, dir)
			if err != nil {
				return nil, nil, err
			}
			f, err := loadFolder(dir, filepath.ToSlash(name))
			if err != nil {
				return nil, nil, err
			}
			if len(f.cases) > 0 {
				folders = append(folders, f)
			}
		}
	}
	if len(folders) == 0 {
		return nil, nil, fmt.Errorf("no folder of cases below %s: set %s to one that holds cases/NAME or jsts/NAME", root, testshared.Variable)
	}
	for _, name := range expected {
		if !slices.ContainsFunc(folders, func(f folder) bool { return f.name == name }) {
			missing = append(missing, name)
		}
	}
	return folders, missing, nil
}

func loadFolder(dir, name string) (folder, error) {
	f := folder{name: name, optional: strings.HasSuffix(name, "-optional")}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return f, err
	}
	slices.Sort(files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return f, err
		}
		c := &testCase{Folder: name, File: strings.TrimSuffix(filepath.Base(file), ".json")}
		if err := json.Unmarshal(data, c); err != nil {
			return f, fmt.Errorf("%s: %w", file, err)
		}
		f.cases = append(f.cases, c)
	}
	return f, nil
}

func TestLoad(t *testing.T) {
	root := t.TempDir()
	if _, _, err := load(root); err == nil {
		t.Error("nothing to run is no error")
	}
	for _, name := range []string{"cases/report", "jsts/other-optional"} {
		writeFile(t, filepath.Join(root, name, "001-a.json"), []byte(`{"tool":{"inputSchema":null},"expect":"reject"}`))
	}
	folders, missing, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != 2 || folders[0].name != "cases/report" || folders[0].optional ||
		folders[1].name != "jsts/other-optional" || !folders[1].optional || len(missing) != len(expected)-1 {
		t.Errorf("folders %+v, missing %q", folders, missing)
	}
	if c := folders[0].cases[0]; c.id() != "cases/report/001-a" || !c.wantsRefusal() || string(c.Tool.InputSchema) != "null" {
		t.Errorf("case %+v", c)
	}
	writeFile(t, filepath.Join(root, "cases/report", "002-b.json"), []byte(`{`))
	if _, _, err := load(root); err == nil {
		t.Error("a case that is no JSON is no error")
	}
}
