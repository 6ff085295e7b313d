# autobattle: `make run` and `make test` do everything on a fresh machine (Go, Node, npm, apt).

GO      ?= go
STORE   ?= bolt
PORT    ?= 7446
HTTP    ?= 7447
SEED    ?= 7
LANG_   ?= en
BUF     := proto/node_modules/.bin/buf
GOFILES := $(shell git ls-files '*.go' 2>/dev/null | grep -v '\.pb\.go$$')

.PHONY: run test demo bench bench-all test-typescript test-minecraft test-arm64 bench-voxel play generate lint build unit redis clean

## run: build, start the server on its embedded store, fight a battle through the public API, leave the server running
run: build
	@deploy/run.sh bin $(PORT) $(HTTP) $(SEED) $(LANG_)

## demo: fight the demonstration duel on a server of its own (STORE=bolt, memory or redis), and stop it again
demo: build
	@if [ "$(STORE)" = redis ]; then $(MAKE) --no-print-directory redis; fi
	@deploy/demo.sh bin $(STORE) $(SEED) $(LANG_)

## test: install what the tests need, check the code and the schema, run everything
test: redis lint unit

## test-typescript, test-minecraft: the TypeScript client and plugin core; real Minecraft clients against a real game server
test-typescript: build $(BUF)
	AUTOBATTLED=$(CURDIR)/bin/autobattled clients/typescript/test.sh sdk plugin
test-minecraft: build $(BUF)
	AUTOBATTLED=$(CURDIR)/bin/autobattled clients/typescript/test.sh minecraft

## play: a server and a Minecraft 1.20.1 game server on this machine, with a training dummy to fight
play: build $(BUF)
	clients/typescript/play.sh

## test-arm64: the golden queries of the block world on arm64, under qemu; bench-voxel: rays, sight, regions, relighting
test-arm64:
	engine/voxel/arm64.sh
bench-voxel:
	clients/arenas/bench/bench.sh

## bench: for one core: full attacks, rays, provably fair 4dF; beside them the yardsticks of the same run
bench:
	GOGC=400 $(GO) test -run '^$$' -bench 'FullAttack' -benchmem -cpu 1 ./engine/rules/kmrp
	GOGC=400 $(GO) test -run '^$$' -bench 'Ray|See' -benchmem -cpu 1 ./engine/voxel
	GOGC=400 $(GO) test -run '^$$' -bench 'Fudge' -benchmem -cpu 1 ./engine/dice

## bench-all: every benchmark there is
bench-all: redis
	GOGC=400 $(GO) test -run '^$$' -bench . -benchmem -cpu 1 ./...

## generate: Go from the schema, by local plugins
generate: $(BUF)
	proto/generate.sh

## lint: gofmt, vet, staticcheck, buf lint, buf format, buf breaking, generated code
lint: $(BUF)
	@out=$$(gofmt -l $(GOFILES)); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	proto/generate.sh check

## unit: all Go tests under the race detector. Drawn properties use one seed, so that a run can be repeated; RANDOM=1 draws afresh.
unit: redis
	RAPID_NOFAILFILE=1 RAPID_SEED=$(if $(RANDOM),0,20261201) $(GO) test -race ./...

build:
	@mkdir -p bin
	$(GO) build -o bin/autobattled ./server/cmd/autobattled
	$(GO) build -o bin/autobattle ./clients/cli

$(BUF): proto/package-lock.json
	npm ci --prefix proto --no-audit --no-fund
	@touch $@

redis:
	@command -v redis-server >/dev/null || { echo "installing redis-server from Debian"; deploy/apt.sh redis-server; }

clean:
	rm -rf bin data
