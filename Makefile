# The front door. Every target installs what it needs and no more (tools/packages.txt), and does nothing
# twice.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
SOURCES = $(shell find include src apps python tests examples bench fuzz -name '*.[ch]pp' 2>/dev/null)

.PHONY: help setup build python wheel-check test mpi mpi-test reproduce bench bench-check peers format format-check lint dev asan tsan fuzz \
  mutants arm-check install package serve serve-test cluster-test clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'

setup: ## install the Debian packages that are missing, of all commands below
	@tools/setup.sh

build: build/release/build.ninja ## the program, as build/release/bin/phe
	@cmake --build --preset program

test: build/release/with-tests ## build and run all tests
	@cmake --build --preset release
	@ctest --preset release --output-on-failure -j $(JOBS)

mpi: build ## phe-mpi as well, as build/release/bin/phe-mpi; needs MPI, which it installs
	@tools/setup.sh mpi
	@test -e build/release/build.ninja && cmake build/release > /dev/null
	@cmake --build build/release --target phe_mpi

mpi-test: mpi ## phe-mpi with four real ranks: kills one, compares bytes
	@tests/mpi/run.sh build/release/bin

serve: build/release/with-tests ## the decision service, as build/release/bin/phe-serve
	@cmake --build --preset release --target phe-serve

serve-test: build/release/with-tests ## the running service in full: faults (KILLS=100), many nodes, learning, the official clients, the page
	@tools/setup.sh serve-test redis
	@cmake --build --preset release --target phe-serve phe-load phe_cli
	@PHE_SERVE_KILLS=$(or $(KILLS),100) tests/serve/run.sh build/release/bin

cluster-test: build/release/with-tests ## three nodes on Redis, the long way: 10^5 events, a node cut off for a minute
	@tools/setup.sh redis
	@cmake --build --preset release --target phe-serve
	@PHE_PROGRAMS=build/release/bin PHE_CLUSTER_EVENTS=$(or $(EVENTS),100000) PHE_CLUSTER_CUT=60 tests/serve/cluster_test.py

python: build/release/with-python ## the Python package phebandits, in build/python
	@cmake --build --preset python
	@ln -sfn release/python build/python
	@echo "PYTHONPATH=$(CURDIR)/build/python $$(cat build/release/python/interpreter) -c 'import phebandits'"

wheel-check: ## build a wheel as pip does, and test it in a clean environment; needs PyPI
	@tools/setup.sh run python wheel
	@python/tests/wheel.sh

reproduce: build ## the paper's figures, tables and verdicts, as out/reproduce/report.html
	build/release/bin/phe reproduce --out out/reproduce

bench: build/bench/build.ninja ## the benchmarks beside their comparators: bench/RESULTS.md
	@cmake --build --preset bench
	@bench/run.py build/bench $(if $(QUICK),--quick)
ifdef QUICK
	@bench/report.py build/bench/results-quick.json build/bench/RESULTS-quick.md
	@bench/plot.py build/bench/results-quick.json build/bench
else
	@bench/report.py bench/results.json bench/RESULTS.md
	@bench/plot.py bench/results.json docs
endif

bench-check: build ## fail when a round takes over 5% more instructions than it did
	@tools/setup.sh count
	@bench/check.py build/release/bin/phe $(if $(UPDATE),--update)

# Results are kept by cell in build/peers/results, so that a run goes on where the last one ended. On a machine that is
# shared, THROUGH puts a command in front of each cell.
peers: python ## phe beside Vowpal Wabbit, MABWiser, contextualbandits, river, obp: bench/PEERS.md (DATA=FOLDER, ONLY=TEXT); PyPI
	@tools/setup.sh wheel
	@cmake --build build/release --target peer_rounds
	@bench/peers/setup.sh build/peers/venv $$(cat build/release/python/interpreter)
	@PYTHONPATH=build/python build/peers/venv/bin/python bench/peers/run.py build/peers/results --data '$(DATA)' \
	  --programs build/release/bin --only '$(ONLY)' --through '$(THROUGH)'
	@cd bench/peers && PYTHONPATH=../../build/python ../../build/peers/venv/bin/python faults.py > ../../build/peers/faults.json
	@PYTHONPATH=build/python build/peers/venv/bin/python bench/peers/report.py build/peers/results bench/PEERS.md build/peers/faults.json

format: ## format the sources in place
	@tools/setup.sh format
	@clang-format -i $(SOURCES)

format-check: ## fail when a source is not formatted
	@tools/setup.sh format
	@clang-format --dry-run --Werror $(SOURCES)

lint: build/lint/build.ninja ## clang-tidy over the library and the program
	@run-clang-tidy -quiet -p build/lint -j $(JOBS) '$(CURDIR)/(src|apps)/.*\.cpp$$'

dev: build/dev/build.ninja ## build with assertions, warnings as errors
	@cmake --build --preset dev

asan: build/asan-ubsan/build.ninja ## run the tests under address and undefined-behaviour sanitizers
	@cmake --build --preset asan-ubsan
	@ctest --preset asan-ubsan -j $(JOBS)

tsan: build/tsan/build.ninja ## run the tests under the thread sanitizer
	@cmake --build --preset tsan
	@ctest --preset tsan -j $(JOBS)

fuzz: build/asan-ubsan/build.ninja ## run each fuzz target for SECONDS (20)
	@cmake --build --preset fuzz
	@fuzz/run.sh build/asan-ubsan $(or $(SECONDS),20) $(JOBS)

mutants: ## put bugs into a copy of the sources, one at a time: which do the tests catch? (COUNT, SEED, ONLY, NEAR=1)
	@tools/setup.sh run test mutants
	@tests/mutants/run.py $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(ONLY),--only '$(ONLY)') $(if $(NEAR),--near)

arm-check: build ## build for 64-bit ARM, run it under qemu, and compare its bytes
	@tools/arm-check.sh build/release/bin/phe build/arm

install: build ## install into PREFIX (/usr/local)
	@cmake --install build/release --prefix $(PREFIX)

package: build serve ## Debian packages of the programs and the library, in build/packages
	@tools/setup.sh package
	@cpack --config build/release/CPackConfig.cmake -B build/packages

clean: ## remove everything built
	rm -rf build

# Configure once; later ninja re-runs cmake itself when a CMakeLists.txt or the set of files changes.
# build/release gets its tests once somebody asks for them: the program alone needs fewer packages.
purposes_of_asan-ubsan = run test serve python python-test fuzz
purposes_of_bench = run bench python
purposes_of_dev = run test serve
purposes_of_lint = run serve lint
purposes_of_tsan = run test serve

build/%/build.ninja: CMakePresets.json
	@tools/setup.sh $(purposes_of_$*)
	cmake --preset $* && touch $@

build/release/build.ninja: CMakePresets.json
	@tools/setup.sh run
	cmake --preset $(if $(wildcard build/release/tests),release,$(if $(wildcard build/release/python),python,program)) && touch $@

build/release/with-python: CMakePresets.json
	@tools/setup.sh run python
	cmake --preset $(if $(wildcard build/release/tests),release,python) && touch build/release/build.ninja $@

build/release/with-tests: CMakePresets.json
	@tools/setup.sh run test serve xgboost python python-test
	cmake --preset release && touch build/release/build.ninja $@
