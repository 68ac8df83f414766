package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// above returns the nearest directory from dir upwards that holds name, else other.
func above(dir, name, other string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, name)) {
			return at
		}
		if at == filepath.Dir(at) {
			return other
		}
	}
}

// relativeTo returns path, which is relative to the working directory, relative
// to dir and slash-separated.
func relativeTo(dir, path string) (string, error) {
	base, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	relative, err := filepath.Rel(base, abs)
	return filepath.ToSlash(relative), err
}

// shorten returns path relative to the working directory, for messages.
func shorten(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if relative, err := filepath.Rel(wd, path); err == nil {
			return relative
		}
	}
	return path
}

// withoutPath replaces the path in a file error, which is absolute, by what.
func withoutPath(err error, what string) error {
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		err = pathErr.Err
	}
	return fmt.Errorf("%s: %w", what, err)
}
