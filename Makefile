# Two commands set everything up: `make run` shows ptero at work, `make test` runs the whole suite.

GO      ?= go
BIN     := bin
export GOFLAGS := -mod=readonly

.PHONY: run build test check race fuzz bench cross generate tools clean

build: $(BIN)/ptero

$(BIN)/ptero: FORCE
	@mkdir -p $(BIN)
	CGO_ENABLED=0 $(GO) build -ldflags "-s -w" -o $@ ./cmd/ptero # without libc it takes 2 MB less memory

FORCE:

# A simulated Corstone-300 runs keyword spotting of a real recording on its CPU, then an Ethos-U network on its NPU.
run: build
	@$(BIN)/ptero run fixtures/models/kws_cortex_m.pte -i fixtures/models/kws_inputs/yes.npy \
		--board corstone-300 --top 3 --labels fixtures/models/kws_labels.txt --explain
	@echo; echo "== and on the NPU: a network with random weights, lowered to Ethos-U55-128"; echo
	@$(BIN)/ptero run fixtures/ethosu/nets/net_dscnn_kws.u55-128.ss.pte -i fixtures/ethosu/nets/net_dscnn_kws.input.npy \
		--board corstone-300 --top 3 --explain

# Everything that CI runs. What this machine lacks (gcc, qemu, flatc) is skipped with a line that says so.
test: check
	$(GO) test -timeout 50m ./...
	@$(MAKE) --no-print-directory race RACE="$(CONCURRENT)"
	@./internal/lint/cross.sh --test s390x arm64

# What a reviewer would ask first: vet, format, house rules, tidy module, generated code as generated.
check:
	$(GO) vet ./...
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt: $$out"; exit 1; fi
	$(GO) test ./internal/lint
	@./internal/lint/tidy.sh
	@./pte/schema/generate.sh --check

# The packages whose values several goroutines share; make race takes all.
CONCURRENT := . ./memory ./executor ./hal/... ./internal/workers ./backends/ethosu/linux ./backends/nxp/driver
RACE ?= ./...
race:
	@if command -v $${CC:-gcc} >/dev/null; then set -x; CGO_ENABLED=1 $(GO) test -race -short -timeout 60m $(RACE); \
	else echo "SKIPPED: the race detector needs gcc"; fi

FUZZTIME ?= 30s
fuzz:
	@./internal/lint/fuzz.sh $(FUZZTIME)

bench: build
	$(GO) test -run '^$$' -bench . -benchtime 200ms ./bench

# Builds for every target; runs the pure-Go core's tests where the emulator is installed (`make tools` installs it).
cross:
	@./internal/lint/cross.sh

generate:
	./pte/schema/generate.sh
	$(GO) generate ./backends/...
	$(GO) run ./fixtures/gen/manifest

# Optional programs for cross, generate and the C tests (Debian and Ubuntu).
tools:
	apt-get update -qq && apt-get install -y -qq qemu-user-static gcc-aarch64-linux-gnu flatbuffers-compiler

clean:
	rm -rf $(BIN) build
