# Every target is what CI runs; see .ci/run for the order.
GO ?= go
LINT_VERSION := v2.14.0
INTEROP := .interop
CONFORMANCE := .interop-conformance
export MCPBIND_SHARED ?= $(abspath ../shared)

.PHONY: all build test race lint generate interop conformance soak fuzz bench cross clean

all: build test

build:
	$(GO) build ./...

test:
	$(GO) test ./...

race:
	$(GO) test -race ./...

lint:
	@command -v golangci-lint >/dev/null || $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	PATH="$$($(GO) env GOPATH)/bin:$$PATH" golangci-lint run

generate:
	$(GO) run ./cmd/mcpbind generate

# Real servers from npm: generate from each live one, compile, make typed calls.
$(INTEROP)/node_modules/.installed: internal/interop/npm/package-lock.json
	mkdir -p $(INTEROP)
	cp internal/interop/npm/package.json internal/interop/npm/package-lock.json $(INTEROP)/
	cd $(INTEROP) && npm ci --no-audit --no-fund
	touch $@

interop: $(INTEROP)/node_modules/.installed
	MCPBIND_INTEROP=$(abspath $(INTEROP)) $(GO) test ./internal/interop -count=1 -v

# The official conformance suite, with the Node that it needs, as our client's judge.
$(CONFORMANCE)/node_modules/.installed: internal/conformanceclient/npm/package-lock.json
	mkdir -p $(CONFORMANCE)
	cp internal/conformanceclient/npm/package.json internal/conformanceclient/npm/package-lock.json $(CONFORMANCE)/
	cd $(CONFORMANCE) && npm ci --no-audit --no-fund
	touch $@

conformance: $(CONFORMANCE)/node_modules/.installed
	bash internal/conformanceclient/run.sh $(CONFORMANCE)

# Every fuzz target for FUZZTIME; go test runs one at a time.
FUZZTIME ?= 20s
fuzz:
	.ci/fuzz all $(FUZZTIME)

# Calls to servers that are killed, restarted, slowed and corrupted at random. Each
# outcome is held against what the servers carried out. SOAK_SEED repeats a run.
SOAK ?= 10m
soak:
	SOAK=$(SOAK) $(GO) test ./runtime -race -run '^TestSoak$$' -count=1 -v -timeout 60m

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

cross:
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...
	GOOS=windows GOARCH=amd64 $(GO) vet ./...
	GOOS=linux GOARCH=arm64 $(GO) build ./...

clean:
	rm -rf $(INTEROP) $(CONFORMANCE) bin dist
