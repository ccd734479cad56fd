# Targets that you type:
#   make setup          install the Debian packages that are missing (if none is missing, needs no root)
#   make build          build everything, debug
#   make demo           a notification on a real server, a button clicked, the response printed
#   make demo-seeds     the articles' programs, chapter by chapter, with a screenshot each; SEEDS=TEXT
#   make test           all tests but those of test-clients and test-desktops, and the examples
#                       clicked on real notification servers
#   make test-clients   a package that depends on this one: built dynamically and statically, and run
#   make test-time      the tests of dates with every zone and change instead of a sample
#   make fuzz SECONDS=60 SEED=1     every parser, the media program, and the bus interface against
#                       damaged and random input, for SECONDS each. A trap leaves its input in
#                       tocsin-fuzz-NAME-PID below TMPDIR; TOCSIN_FUZZ_INPUT=FILE repeats it
#   make transcript     what the article CommandLine and Tests/TocsinTests/Help show, made anew
#   make golden         Golden/wire.txt, the values of the model on the bus, made anew: a new field
#                       adds lines, and a line that changes breaks other programs
#   make test-kill ROUNDS=1000 SEED=1   longer tests that kill and flood the daemon
#   make test-desktops SERVERS=dunst,xfce4-notifyd   the tests on these notification servers, in
#                       virtual displays; SERVERS=all is every server. Installs missing servers
#   make test-desktops SUITE=trixie SERVERS=   the same tests on servers of another Debian, in a
#                       chroot with these servers; root makes it once, at the path CHROOT=
#   make setup-desktops SERVERS=   install these servers: GNOME Shell and Plasma are 1.3 GB
#   make desktops-article          the article SupportedDesktops.md, its pictures and the table of the
#                       README, from the last run of these tests
#   make bench          figures beside notify-send, gdbus, libnotify and libdbus; no figure makes it fail.
#                       BENCHFLAGS="--only click,add" for some figures, "--large" for a million requests
#   make performance-article       the tables of the article Performance.md, from the last `make bench`
#   make lint           format, imports against the target graph, house style
#   make doc            the documentation archive of UserNotifications
#   make install PREFIX=/usr/local DESTDIR=   the release programs, and the files by which D-Bus and
#                       the session start the daemon; install-distributor: a push distributor for ntfy
#   make uninstall      removes these files again; make deb: a Debian package, in .build-deb
#   make test-deb       the package in a fresh Debian, of another release by SUITE=trixie: installed,
#                       used, upgraded, removed, purged
#
# Installing and packing: dbus/install.mk. Real notification servers: Tests/Desktops/desktops.mk.
# Lists of Debian packages: .ci/packages.
CONFIGURATION ?= debug
ROUNDS ?= 1000
SEED ?= 1
SWIFT = swift
TEST = SWIFT='$(SWIFT)' .ci/swift-test
BUILD = $(SWIFT) build -c $(CONFIGURATION)
# $(call packages,LIST...): the packages of these lists.
packages = $(shell grep -h '^[a-z]' /dev/null $(addprefix .ci/packages/,$(1)))
# With RESULTS=DIR, each run leaves an xunit file in DIR.
xunit = $(if $(RESULTS),--xunit-output $(RESULTS)/$(1).xml) $(TESTFLAGS)

.PHONY: setup build demo demo-seeds test test-again test-clients test-time transcript golden test-kill fuzz \
	bench performance-article lint doc

setup:
	@.ci/install setup $(call packages,build test)

build:
	$(BUILD)

demo demo-seeds: setup build
	$$($(BUILD) --show-bin-path)/DesktopDemo $(if $(filter demo-seeds,$@),--seeds '$(SEEDS)')

test: export TOCSIN_REQUIRE_SERVERS = $(SERVERS)
test: setup
	$(SWIFT) build --build-tests
	SWIFT='$(SWIFT)' RESULTS='$(RESULTS)' TESTFLAGS='$(TESTFLAGS)' .ci/test

# The tests of these suites once more, one after another: SUITES is a regular expression.
test-again: export TOCSIN_REQUIRE_SERVERS = $(SERVERS)
test-again: setup
	$(TEST) --skip-build --no-parallel --filter '^($(SUITES))/' $(call xunit,again)

test-clients test-again: export TOCSIN_CLIENTS = \
  dynamic=$(CURDIR)/.build-clients/debug;static=$(CURDIR)/.build-clients-static/debug
test-clients: setup
	SWIFT='$(SWIFT)' .ci/clients
	$(TEST) --package-path Tests/ClientTests --scratch-path .build-clients --skip-build
	$(TEST) --no-parallel --filter '^ClientProgramTests\.' $(call xunit,clients)

test-time: setup
	TOCSIN_TIME_TESTS=all $(TEST) --filter '^NotificationScheduleTests\.' $(call xunit,time)

# `make test` runs each of these for a moment. They run one after another, because each one uses a
# whole processor, and some wait for answers.
fuzz: setup
	$(BUILD) --build-tests
	TOCSIN_FUZZ_SECONDS=$(or $(SECONDS),60) TOCSIN_FUZZ_SEED=$(SEED) \
	  $(TEST) --skip-build --no-parallel --filter FuzzTests $(call xunit,fuzz)

transcript: setup
	TOCSIN_REWRITE=1 $(TEST) --filter '^TocsinTests\.(Help|Transcript)Tests'

golden: setup
	TOCSIN_REWRITE=1 $(TEST) --filter '^CenterInterfaceTests\.GoldenTests'

# Seeds one after another: SEED="1 2 3".
test-kill: setup
	$(BUILD) --build-tests
	for seed in $(SEED); do TOCSIN_KILL_ROUNDS=$(ROUNDS) TOCSIN_KILL_SEED=$$seed $(TEST) \
	  --skip-build --filter '^HostingTests.(KillLoopTests/.a killed daemon|AdoptionKillTests|PushKillTests)' \
	  $(call xunit,kill-$$seed) || exit 1; done
	TOCSIN_KILL_BURST=1000 TOCSIN_FLOOD=200000 $(TEST) --skip-build --filter \
	  '^HostingTests.(KillLoopTests/.a burst|DaemonFloodTests/.a flood)' $(call xunit,kill)

bench: setup release
	$(foreach p,PostBench DateBench RecordBench,$(RELEASE) --product $(p) &&) true
	python3 -B Tests/Benchmarks/run.py $(RELEASE_BIN) --json $(ARTIFACTS)/bench.json $(BENCHFLAGS)

performance-article:
	python3 -B Tests/Benchmarks/article.py $(ARTIFACTS)/bench.json $(CATALOG)/Performance.md

lint:
	$(SWIFT) format lint --strict --configuration .swift-format -r Package.swift Sources Tests
	python3 -B -m unittest discover -q -s Tests/Lint
	python3 -B Tests/Lint/lint.py

doc:
	TOCSIN_DOC=1 $(SWIFT) package --scratch-path .build-doc --disable-sandbox \
	  generate-documentation --target UserNotifications

include dbus/install.mk Tests/Desktops/desktops.mk
