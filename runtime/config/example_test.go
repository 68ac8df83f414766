package config_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/mcpbind/mcpbind/runtime"
	"github.com/mcpbind/mcpbind/runtime/config"
)

// A program connects to the servers that its packages were generated from.
func Example() {
	path, err := config.Find(".")
	if err != nil {
		log.Fatal(err)
	}
	file, err := config.Load(path)
	if err != nil {
		log.Fatal(err)
	}
	registry := runtime.NewRegistry()
	defer func() { _ = registry.Close() }()
	for _, name := range runtime.ConnectAll(context.Background(), registry, file.Servers(os.LookupEnv)) {
		fmt.Println("not available:", name)
	}
}
