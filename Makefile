SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

# What the sanitizers run over: all but the command-line tests, which start the executable itself.
SANITIZED = VPlayModelTests|VPlayEngineTests|VPlayFFmpegTests|VPlayPulseTests|VPlayKitTests

.PHONY: play test build lint test-tsan test-asan install

play: build
	@scripts/setup play
	@scripts/ensure-sound-server
	.build/release/vplay Samples/Media/clip.mov

build:
	@scripts/setup build
	$(SWIFT) build -c release --product vplay --static-swift-stdlib

test:
	@scripts/setup build test
	$(SWIFT) build --build-tests -Xswiftc -warnings-as-errors
	scripts/with-terminals $(SWIFT) test --skip-build -Xswiftc -warnings-as-errors

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Samples

test-tsan:
	@scripts/setup build test
	$(SWIFT) test --scratch-path .build/tsan --sanitize=thread --filter '$(SANITIZED)'

test-asan:
	@scripts/setup build test
	LSAN_OPTIONS=suppressions=Tests/lsan.supp \
		$(SWIFT) test --scratch-path .build/asan --sanitize=address --filter '$(SANITIZED)'

# Builds only where nothing was built: as root after a user's own `make build`, it must not build anew.
install:
	@[ -x .build/release/vplay ] || $(MAKE) build
	install -D -s -m 755 .build/release/vplay $(DESTDIR)$(PREFIX)/bin/vplay
