SWIFT ?= swift
export SWIFT
PREFIX ?= /usr/local
DESTDIR ?=

# What the sanitizers run over: all but the command-line tests, which start the executable itself.
SANITIZED = VPlayModelTests|VPlayEngineTests|VPlayFFmpegTests|VPlayPulseTests|VPlayKitTests|VPlayDesktopTests

.PHONY: play test samples build lint test-tsan test-asan bench soak fuzz install uninstall documents coverage docs

play: build
	@scripts/setup play
	@scripts/ensure-sound-server
	.build/release/vplay Samples/Media/clip.mov

# From glibc 2.36 on the loader takes packed relocations: 2 ms sooner at `main`, 1.5 MB less memory.
PACKED = $(shell ldd --version 2>/dev/null | head -n 1 | awk '{ split($$NF, v, "."); if (v[1] > 2 || v[2] >= 36) \
	print "-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=safe" }')

build:
	@scripts/setup build
	$(SWIFT) build -c release --product vplay --static-swift-stdlib $(PACKED)

# One after the other: what is heard from a sound server is timed, and must not compete with the rest.
TEST_RUNS = 'VPlayModelTests|VPlayEngineTests|VPlayFFmpegTests|VPlayKitTests|VPlayDesktopTests' VPlayPulseTests HeardPathTests SampleTests CommandLineTests

test:
	@scripts/setup build test
	$(SWIFT) build --build-tests -Xswiftc -warnings-as-errors
	$(MAKE) samples
	@set -e; for run in $(TEST_RUNS); do \
		scripts/with-terminals $(SWIFT) test --skip-build -Xswiftc -warnings-as-errors --filter "^($$run)\."; done

# A package of its own, as a user's would be. Tests run its programs.
samples:
	$(SWIFT) build --package-path Samples --scratch-path .build/samples -Xswiftc -warnings-as-errors

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Samples

test-tsan:
	@scripts/setup build test
	$(SWIFT) test --scratch-path .build/tsan --sanitize=thread --filter '$(SANITIZED)' $(if $(SKIPPED),--skip '$(SKIPPED)')

test-asan:
	@scripts/setup build test
	LSAN_OPTIONS=suppressions=Tests/lsan.supp \
		$(SWIFT) test --scratch-path .build/asan --sanitize=address --filter '$(SANITIZED)'

# Beside the peers that are installed: see `Benchmarks/bench --help` for BENCH.
bench: build
	@scripts/setup bench
	Benchmarks/bench $(BENCH)

# How long players are driven at random, in minutes.
MINUTES ?= 10

soak:
	@scripts/setup build test
	VPLAY_SOAK_SECONDS=$$(($(MINUTES) * 60)) $(SWIFT) test --filter '^HeardPathTests\..*Soak'

# Damaged files through demuxer, decoders and the whole player. A failure prints its seed: FUZZ_SEED=… FUZZ_COUNT=1 repeats it.
FUZZ_COUNT ?= 10000
FUZZ_SEED ?= 1
FUZZ_FLAGS ?=

fuzz:
	@scripts/setup build test
	$(SWIFT) build -c release --product VPlayFuzz
	.build/release/VPlayFuzz --count $(FUZZ_COUNT) --seed $(FUZZ_SEED) $(FUZZ_FLAGS)

BINARY ?= .build/release/vplay
DOCUMENTS = share/man/man1/vplay.1 share/bash-completion/completions/vplay share/zsh/site-functions/_vplay \
	share/fish/vendor_completions.d/vplay.fish

# Builds only where nothing was built: as root after a user's own `make build`, it must not build anew.
install:
	@[ -x $(BINARY) ] || $(MAKE) build
	install -D -s -m 755 $(BINARY) '$(DESTDIR)$(PREFIX)/bin/vplay'
	@set -e; for file in $(DOCUMENTS); do \
		echo "install -m 644 $$file"; install -D -m 644 $$file "$(DESTDIR)$(PREFIX)/$$file"; done

uninstall:
	cd '$(DESTDIR)$(PREFIX)/' && rm -f bin/vplay $(DOCUMENTS)

GRAPHS = .build/symbol-graphs
SYMBOLS = $(SWIFT) symbolgraph-extract -target $(shell uname -m)-unknown-linux-gnu -I .build/debug/Modules \
	$(patsubst %/module.modulemap,-I %,$(wildcard Sources/CVPlay*/module.modulemap)) \
	-minimum-access-level public -skip-synthesized-members -output-dir $(GRAPHS)

# What of Apple's playback API is here.
coverage:
	$(SWIFT) build
	@mkdir -p $(GRAPHS)
	$(SYMBOLS) -module-name VPlayKit
	scripts/coverage $(GRAPHS)/VPlayKit.symbols.json >Documentation/Coverage.md

# The documentation as a web page, in .build/documentation.
docs: coverage
	docc convert --warnings-as-errors Sources/VPlayKit/VPlayKit.docc --additional-symbol-graph-dir $(GRAPHS) --fallback-display-name VPlayKit \
		--fallback-bundle-identifier VPlayKit --output-path .build/documentation

# The manual page and the completions, from the program's own table of options.
documents:
	$(SWIFT) build --product vplay
	@set -e; set -- $(DOCUMENTS); for kind in manual bash zsh fish; do \
		mkdir -p "$${1%/*}"; .build/debug/vplay --generate=$$kind >"$$1"; echo "$$1"; shift; done
