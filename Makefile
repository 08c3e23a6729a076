# streamgate: `make` lists what there is. A bare machine needs Go and make, nothing else.

.DEFAULT_GOAL := help

GO ?= go
TOOLS := $(CURDIR)/.tools

# The linters and the test runner are pinned here and not in go.mod: golangci-lint alone
# would add some 900 lines to go.sum.
GOLANGCI_LINT_VERSION := v2.15.0
ACTIONLINT_VERSION := v1.7.12
GOTESTSUM_VERSION := v1.13.0
GOVULNCHECK_VERSION := v1.9.0

GOLANGCI_LINT := $(TOOLS)/golangci-lint-$(GOLANGCI_LINT_VERSION)/golangci-lint
ACTIONLINT := $(TOOLS)/actionlint-$(ACTIONLINT_VERSION)/actionlint
GOTESTSUM := $(TOOLS)/gotestsum-$(GOTESTSUM_VERSION)/gotestsum
GOVULNCHECK := $(TOOLS)/govulncheck-$(GOVULNCHECK_VERSION)/govulncheck

# Go's own limit of 10 min a package is too short for a first run, which builds the images.
TIMEOUT := 40m

SCRIPTS := $(wildcard .ci/*) $(wildcard docker/*/*.sh)

##@ Tests

.PHONY: gate
gate: go $(if $(STREAMGATE_TARGET),,engine) ## Run the multistream gate: 4 min, up to 15 min the first time
	$(GO) test -count=1 -v -p 1 -timeout $(TIMEOUT) ./suites/multistream/...

.PHONY: issue
issue: go engine ## Reproduce report N=10282 of suites/issues/README.md: 1 to 3 min
	@grep -qsE 'numbers: .*[{ ]$(N)[,}]' suites/issues/issue_*_test.go || \
	  { echo "make: N=$(N) is not in the catalogue: want a number of suites/issues/README.md, such as make issue N=10282" >&2; exit 2; }
	$(GO) test -count=1 -v -timeout $(TIMEOUT) -run '^TestIssue$$/^(.*_)?$(N)(_.*)?$$' ./suites/issues

.PHONY: test
test: go engine $(GOTESTSUM) ## Run the tests, with quick scenarios: 7 min, 17 the first time
	@mkdir -p out && rm -f out/holds.ndjson
	$(GOTESTSUM) --format testname --format-hide-empty-pkg --junitfile out/tests.xml -- -count=1 -timeout $(TIMEOUT) ./...
	$(GO) test -count=1 -v -run TestSuitesKeepTheBudget ./suites/budget -check

.PHONY: test-all
test-all: go engine $(GOTESTSUM) ## Run the tests with all scenarios: about an hour
	@mkdir -p out
	STREAMGATE_SCENARIOS=all $(GOTESTSUM) --format testname --format-hide-empty-pkg --junitfile out/tests.xml -- -count=1 -p 1 -timeout 60m ./...

.PHONY: noise
noise: go engine ## Run equal arms, print the machine's noise floor: about 3 min
	$(GO) test -count=1 -v -tags noise -run TestNoiseFloor -timeout $(TIMEOUT) ./suites/selfcheck/...

.PHONY: smoke
smoke: go engine ## Ask whether a stack works at all: about a minute, images built
	$(GO) test -count=1 -v -timeout $(TIMEOUT) ./suites/smoke/...

# A side that is not named is the OpenSearch under test; without any it is held against itself.
.PHONY: compare
compare: go engine ## Hold STREAMGATE_CANDIDATE against STREAMGATE_BASE: under 10 min
	$(GO) test -count=1 -v -tags compare -run TestCandidateKeepsUp -timeout $(TIMEOUT) ./suites/compare/...

.PHONY: matrix
matrix: go engine ## Gate STREAMGATE_VERSIONS into one table and chart: 3 min each
	STREAMGATE_VERSIONS=$${STREAMGATE_VERSIONS:-3.1.0,3.3.2,3.6.0,3.8.0} \
	  $(GO) test -count=1 -v -tags matrix -timeout $(TIMEOUT) ./suites/matrix/...

# Its time depends on the sizes: it says so before it starts, and refuses when TIMEOUT is too short.
.PHONY: scale
scale: go engine ## Measure time and memory by size and streams: half an hour
	$(GO) test -count=1 -v -tags scale -run TestGrowth -timeout $(TIMEOUT) ./suites/scale/...

.PHONY: faults
faults: go engine ## Run all tests of faults and of the harness: about 30 min
	STREAMGATE_SCENARIOS=all $(GO) test -count=1 -v -p 1 -timeout $(TIMEOUT) ./suites/faults/... ./suites/harness/...

.PHONY: action
action: go engine ## Run the GitHub action without GitHub, a small gate: a minute
	$(GO) test -count=1 -v -tags action -timeout $(TIMEOUT) ./suites/action/...

.PHONY: unit
unit: go ## Run the tests that need no container engine: seconds
	$(GO) test ./helpers/... ./fixtures/...

.PHONY: race
race: go ## Run the unit tests with the race detector
	$(GO) test -race -timeout 20m ./helpers/... ./fixtures/...

.PHONY: mutants
mutants: go ## Break what judges, say what no test holds: half an hour
	$(GO) run ./helpers/cmd/mutants $(UPDATE) $(PACKAGES)

.PHONY: guards
guards: go ## Break each guard of a verdict, want its test red: 10 min
	$(GO) test -count=1 -v -tags guards -timeout 60m ./suites/guards/...

.PHONY: engine
engine: ## Make a container engine answer: what is there, or docker.io
	@docker/engine/up.sh

##@ Source

.PHONY: lint
lint: go $(GOLANGCI_LINT) $(ACTIONLINT) ## Check code, workflows, scripts and licences of what is imported
	$(GOLANGCI_LINT) run ./...
	$(ACTIONLINT)
	.ci/examples $(ACTIONLINT)
	@if command -v shellcheck > /dev/null; then set -x; shellcheck -x $(SCRIPTS); else echo "lint: shellcheck is not installed, scripts are left to CI"; fi
	.ci/licences

.PHONY: vuln
vuln: go $(GOVULNCHECK) ## Look for known vulnerabilities; skipped without the database
	.ci/vulnerabilities $(GOVULNCHECK)

.PHONY: fmt
fmt: go $(GOLANGCI_LINT) ## Format the Go code
	$(GOLANGCI_LINT) fmt ./...

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A Go older than 1.21 answers with a riddle about go.mod; a newer one fetches what go.mod asks for.
.PHONY: go
go:
	@command -v $(GO) > /dev/null || { echo "make: Go is not installed: install Go $$(sed -n 's/^go //p' go.mod) or later" >&2; exit 1; }
	@want=$$(sed -n 's/^go //p' go.mod); have=$$($(GO) env GOVERSION | sed 's/^go//; s/ .*//'); \
	  [ "$$(printf '%s\n' "$$want" "$$have" | sort -V | head -n 1)" = "$$want" ] || \
	  { echo "make: Go $$have is too old: install Go $$want or later" >&2; exit 1; }

# A tool's version is part of its path, so a new pin is a new file and is built.
$(GOLANGCI_LINT):
	GOBIN=$(@D) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
$(ACTIONLINT):
	GOBIN=$(@D) $(GO) install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)
$(GOTESTSUM):
	GOBIN=$(@D) $(GO) install gotest.tools/gotestsum@$(GOTESTSUM_VERSION)
$(GOVULNCHECK):
	GOBIN=$(@D) $(GO) install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
