package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tokenFiles is a directory that keeps what logins came to, one file per server
// that only the user can read. It is a [runtime.TokenStore].
type tokenFiles string

// path returns the file of key. Its name says nothing and is a name everywhere.
func (dir tokenFiles) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(string(dir), hex.EncodeToString(sum[:16])+".json")
}

// LoadToken implements [runtime.TokenStore].
func (dir tokenFiles) LoadToken(_ context.Context, key string) ([]byte, error) {
	data, err := os.ReadFile(dir.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// SaveToken implements [runtime.TokenStore]. The file is whole at any time.
func (dir tokenFiles) SaveToken(_ context.Context, key string, data []byte) error {
	path := dir.path(key)
	if data == nil {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(string(dir), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(string(dir), "new-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
