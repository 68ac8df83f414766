package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// A side is the snapshots on one side of a diff.
type side struct {
	name   string // as given, slash-separated
	folder bool
	files  map[string][]byte // by file name; of a single file always the new side's
}

// gitPrefix marks a revision in place of a path.
const gitPrefix = "git:"

// readSides reads both sides. At most one of them is a revision; it is read at
// the path of the other.
func readSides(ctx context.Context, before, after string) (old, now side, err error) {
	oldRevision, oldGit := strings.CutPrefix(before, gitPrefix)
	nowRevision, nowGit := strings.CutPrefix(after, gitPrefix)
	switch {
	case oldGit && nowGit:
		return old, now, errors.New("one side must be a path: git:REV means that path in another revision")
	case oldGit:
		if now, err = readPath(after); err == nil {
			old, err = readRevision(ctx, oldRevision, after, now.folder)
		}
	case nowGit:
		if old, err = readPath(before); err == nil {
			now, err = readRevision(ctx, nowRevision, before, old.folder)
		}
	default:
		if old, err = readPath(before); err == nil {
			now, err = readPath(after)
		}
	}
	if err != nil {
		return old, now, err
	}
	if old.folder != now.folder {
		return old, now, fmt.Errorf("%s and %s: one is a folder, the other is not", before, after)
	}
	if !now.folder { // two files belong together, whatever they are called
		for name := range now.files {
			for _, data := range old.files {
				old.files = map[string][]byte{name: data}
			}
		}
	}
	return old, now, nil
}

// readPath reads a snapshot, or all in a folder.
func readPath(name string) (side, error) {
	s := side{name: filepath.ToSlash(name), files: make(map[string][]byte)}
	info, err := os.Stat(name)
	if err != nil {
		return s, withoutPath(err, name)
	}
	if !info.IsDir() {
		data, err := os.ReadFile(name)
		if err != nil {
			return s, withoutPath(err, name)
		}
		s.files[filepath.Base(name)] = data
		return s, nil
	}
	s.folder = true
	entries, err := os.ReadDir(name)
	if err != nil {
		return s, withoutPath(err, name)
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(name, e.Name()))
		if err != nil {
			return s, withoutPath(err, filepath.Join(name, e.Name()))
		}
		s.files[e.Name()] = data
	}
	return s, nil
}

// readRevision reads the path called name as it was in a revision of git.
func readRevision(ctx context.Context, revision, name string, folder bool) (side, error) {
	s := side{name: filepath.ToSlash(name), folder: folder, files: make(map[string][]byte)}
	if revision == "" || strings.HasPrefix(revision, "-") || strings.Contains(revision, ":") {
		return s, fmt.Errorf("git:%s: a revision is needed, like git:main", revision)
	}
	dir, bases := name, []string(nil)
	if folder {
		// Nothing listed: the folder was not there yet.
		list, err := git(ctx, dir, "ls-tree", "-z", "--name-only", revision)
		if err != nil {
			return s, fmt.Errorf("git:%s: %w", revision, err)
		}
		for base := range strings.SplitSeq(string(list), "\x00") {
			if filepath.Ext(base) == ".json" {
				bases = append(bases, base)
			}
		}
	} else {
		dir, bases = filepath.Dir(name), []string{filepath.Base(name)}
	}
	for _, base := range bases {
		data, err := git(ctx, dir, "cat-file", "blob", revision+":./"+base)
		if err != nil {
			return s, fmt.Errorf("git:%s: %w", revision, err)
		}
		s.files[base] = data
	}
	return s, nil
}

// git runs a command of git that only reads, in dir.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if said := safetext.LineN(stderr.String(), 200); said != "" {
		return nil, errors.New(said)
	}
	return nil, fmt.Errorf("git: %w", err)
}
