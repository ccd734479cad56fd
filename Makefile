# What a person types here:
#   make setup          install the Debian packages that are missing (nothing to do: needs nothing)
#   make build          build everything, debug
#   make demo           a notification on a real server, a button clicked, the response printed
#   make test           all tests, and the examples clicked on real notification servers
#   make test-clients   a package that depends on this one: built dynamically and statically, and run
#   make test-time      the tests of zones and dates, every zone and change instead of a sample
#   make fuzz SECONDS=60 SEED=1     every parser, the media program, and the bus interface against
#                       damaged and random input, so many seconds each. A trap leaves its input in
#                       tocsin-fuzz-NAME-PID below TMPDIR; TOCSIN_FUZZ_INPUT=FILE repeats it
#   make transcript     what the README and Tests/TocsinTests/Help show of the tool, made anew
#   make golden         what the values of the model are on the bus, Golden/wire.txt, made anew: a new
#                       field adds lines to it, and a line that changes breaks other programs
#   make test-kill ROUNDS=1000 SEED=1   the daemon killed at random instants, and flooded, for longer
#   make test-desktops SERVERS=dunst,xfce4-notifyd   the other tests on real notification servers,
#                       in virtual displays: on these, installed if missing; all is every one
#   make test-desktops SUITE=trixie SERVERS=   every cell on servers of another Debian, in a chroot
#                       that is made once (as root; CHROOT= says where) with these servers in it
#   make setup-desktops SERVERS=   install these servers: GNOME Shell and Plasma are 1.3 GB
#   make desktops-article          the article SupportedDesktops.md, its pictures and the table of the
#                       README, from the last run of these tests
#   make bench          figures beside notify-send, gdbus, libnotify, libdbus; never a gate. Some of
#                       them, or a million requests: BENCHFLAGS="--only click,add" or "--large"
#   make performance-article       the table of the article Performance.md, from the last of these runs
#   make lint           format, imports against the target graph, house style
#   make doc            the documentation archive of UserNotifications
#   make install PREFIX=/usr/local DESTDIR=   the release programs, and what makes D-Bus and the
#                       session start the daemon
#   make uninstall PREFIX=/usr/local DESTDIR=   removes these files again
#   make deb            a Debian package of the same, in .build-deb (packed by dbus/debian/pack)
#   make test-deb       the package in a fresh Debian, of another release by SUITE=trixie: installed,
#                       used, upgraded, removed, purged
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
LIBEXECDIR ?= $(PREFIX)/libexec
SYSCONFDIR ?= /etc
# systemd looks into share/systemd/user of /usr, of /usr/local and of ~/.local.
UNITDIR ?= $(PREFIX)/share/systemd/user
MANDIR ?= $(PREFIX)/share/man/man1
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
CONFIGURATION ?= debug
comma = ,
SERVERS ?= dunst,xfce4-notifyd
ROUNDS ?= 1000
SEED ?= 1

# Building: what the Swift toolchain, our C shims and GRDB ask for.
BUILD_PACKAGES = git ca-certificates gcc binutils pkg-config libc6-dev libstdc++-12-dev libcurl4 \
	libxml2 libncurses6 zlib1g tzdata libdbus-1-dev libglib2.0-dev libsqlite3-dev \
	libgdk-pixbuf-2.0-dev libcanberra-dev libsndfile1-dev
# Testing, demo and bench: a private bus, a virtual display, real servers, eyes and hands.
TEST_PACKAGES = dbus dbus-bin libglib2.0-bin python3 python3-gi gir1.2-gtk-3.0 python3-dbus xvfb \
	x11-utils xdotool imagemagick zenity at-spi2-core gir1.2-atspi-2.0 dunst openbox xfce4-notifyd xfwm4 \
	libnotify-bin libnotify-dev systemd webp-pixbuf-loader sound-theme-freedesktop sudo zsh fish xdg-desktop-portal \
	xdg-desktop-portal-gtk
# The servers of the tests, each with what it needs to run in a virtual display.
PACKAGES_dunst = dunst openbox tesseract-ocr
PACKAGES_xfce4-notifyd = xfce4-notifyd xfwm4
PACKAGES_gnome-shell = gnome-shell gjs adwaita-icon-theme dconf-gsettings-backend dconf-service
PACKAGES_plasma-workspace = plasma-desktop kwin-x11
PACKAGES_cinnamon = cinnamon dconf-gsettings-backend dconf-service
PACKAGES_budgie-core = budgie-core
PACKAGES_mate-notification-daemon = mate-notification-daemon marco mate-settings-daemon-common
PACKAGES_lxqt-notificationd = lxqt-notificationd openbox
PACKAGES_notification-daemon = notification-daemon openbox
PACKAGES_mako-notifier = mako-notifier sway grim wtype tesseract-ocr
PACKAGES_sway-notification-center = sway-notification-center sway grim wtype tesseract-ocr
# What another Debian has instead, and has as well to run the tests that were built here.
SUITE_PACKAGES_plasma-workspace = plasma-desktop kwin-wayland xdg-desktop-portal-kde
SUITE_PACKAGES_gnome-shell = $(PACKAGES_gnome-shell) xdg-desktop-portal-gnome
SUITE_PACKAGES = dbus dbus-bin libglib2.0-bin procps python3 python3-gi gir1.2-gtk-3.0 python3-dbus \
	xvfb x11-utils xdotool imagemagick zenity at-spi2-core gir1.2-atspi-2.0 webp-pixbuf-loader \
	xdg-desktop-portal-gtk libdbus-1-3 libsqlite3-0 libcurl4t64 libgdk-pixbuf-2.0-0 \
	libcanberra0t64 libsndfile1 libstdc++6 \
	$(foreach server,$(WANTED_SERVERS),$(or $(SUITE_PACKAGES_$(server)),$(PACKAGES_$(server))))
ALL_SERVERS = $(patsubst PACKAGES_%,%,$(filter PACKAGES_%,$(.VARIABLES)))
WANTED_SERVERS = $(if $(filter all,$(SERVERS)),$(ALL_SERVERS),$(subst $(comma), ,$(SERVERS)))
SERVER_PACKAGES = $(foreach server,$(WANTED_SERVERS),$(PACKAGES_$(server)))

SWIFT = swift
BUILD = $(SWIFT) build -c $(CONFIGURATION)
RELEASE_BIN = .build-release/release
# What a program does before its first line is most of a short one's time: relative relocations are
# packed (read by glibc >= 2.36), and libstdc++ and libgcc are not looked up symbol by symbol: for
# the former a folder that has it as an archive alone comes first.
ARCHIVES = $(CURDIR)/.build-release/archives
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build-release \
	-Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker -L"$(ARCHIVES)"
CLIENTS = $(SWIFT) build --package-path Tests/ClientTests
PROGRAMS = tocsin tocsind
# What the daemon starts and no person does.
COMPANIONS = tocsin-media
# The tool is linked to one address: a fifth of the time before its first line went into moving
# 400 kB of the runtime's tables to another (0.3 ms of 5). It reads what its own user typed; the
# daemon and the media program, which read what others sent, stay position-independent.
LINK_tocsin = -Xlinker --no-pie
# It has libdbus inside, too, where the system has that as an archive (Debian does): the shared one
# brings libsystemd and six libraries more, 1.1 ms of each run of 7. The two functions of libsystemd
# are called by servers that listen, which the tool is not; a call would end it by libdbus's own
# abort. The daemon keeps the shared library, and with it the system's updates of it.
DBUS_ARCHIVE = $(wildcard $(shell pkg-config --variable=libdir dbus-1)/libdbus-1.a)
LINK_tocsin += $(if $(DBUS_ARCHIVE),--pkg-config-path "$(ARCHIVES)/dbus" \
	-Xlinker --defsym=sd_listen_fds=_dbus_abort -Xlinker --defsym=sd_is_socket=_dbus_abort)
# What tells its own manual pages and completions.
GENERATOR ?= $(RELEASE_BIN)/tocsin
VERSION := $(shell sed -n 's/.*let current = "\(.*\)"/\1/p' \
	Sources/NotificationModel/Values/ServiceStatus.swift)
DEB_VERSION ?= $(VERSION)
DEB_OUTPUT ?= .build-deb
DEB_MAINTAINER ?= $(or $(DEBFULLNAME),Tocsin) <$(or $(DEBEMAIL),tocsin@users.noreply.github.com)>

# What `make install` makes, but for the programs: templates in dbus, and the interface.
TEMPLATES = $(PREFIX)/share/dbus-1/services/org.tocsin.NotificationCenter1.service \
	$(UNITDIR)/tocsind.service $(SYSCONFDIR)/xdg/autostart/tocsind-autostart.desktop \
	$(PREFIX)/share/applications/org.tocsin.Tocsin.desktop
COMPLETIONS = $(PREFIX)/share/bash-completion/completions/tocsin \
	$(ZSHDIR)/_tocsin $(PREFIX)/share/fish/vendor_completions.d/tocsin.fish
INTERFACES = $(PREFIX)/share/dbus-1/interfaces/org.tocsin.NotificationCenter1.xml

.PHONY: setup setup-desktops setup-suite build demo test test-again test-clients test-time transcript golden \
	test-kill fuzz test-desktops desktops-article bench performance-article lint doc release install install-programs \
	install-data install-documents uninstall deb pack-deb test-deb

setup:
	$(call ensure,setup,$(BUILD_PACKAGES) $(TEST_PACKAGES))

setup-desktops:
	$(call ensure,setup-desktops,$(SERVER_PACKAGES))

setup-suite:
	$(call ensure,setup-suite,debootstrap)

# Installs those packages of $(2) that are missing, for the target $(1).
define ensure
	@have=$$(dpkg-query -W -f '$${db:Status-Status} $${Package}\n' $(2) 2>/dev/null \
	  | sed -n 's/^installed //p'); missing=; \
	for p in $(2); do \
	  printf '%s\n' "$$have" | grep -qxF -e "$$p" || missing="$$missing $$p"; done; \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ]; then as=; elif command -v sudo >/dev/null; then as=sudo; else \
	  echo "make $(1): packages are missing and there is no sudo. As root, run:" >&2; \
	  echo "  apt-get install -y --no-install-recommends$$missing" >&2; exit 1; fi; \
	echo "make $(1): installing$$missing"; $$as apt-get update -q && \
	$$as env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing
endef

build:
	$(BUILD)

demo: setup build
	$$($(BUILD) --show-bin-path)/DesktopDemo

# RESULTS=DIR leaves an xunit file of each run there.
xunit = $(if $(RESULTS),--xunit-output $(RESULTS)/$(1).xml) $(TESTFLAGS)

# Floods and kills, each of which would have the machine for itself.
LOADS = ^HostingTests\.(AdoptionKill|DaemonFlood|Flood|KillLoop|Resource)Tests

# These compute without a pause, and two of them take the whole of Swift's pool of threads: calls
# of other tests then get no answer in time.
FUZZ = FuzzTests
COMPUTING = ^Notification(Engine|Model|Schedule|Store)Tests\.

# So many tests at once: each has a bus, a server and a daemon of its own, and hundreds of those
# together leave none of them the time that their tests allow.
WIDTH = --experimental-maximum-parallelization-width 8

# $(call tests,NAME,ARGUMENTS): one run; where it fails the next ones still run. One that stands still
# is ended and begun once more: whoever waits for a report gets one.
LIMITED = limited() { timeout -k 10 600 "$$@" || { [ $$? = 124 ] && \
	echo "stood still for 10 min; once more: $$*" >&2 && timeout -k 10 600 "$$@"; }; };
tests = limited $(SWIFT) test --skip-build $(WIDTH) $(2) $(call xunit,$(1)) || failed="$$failed $(1)";

# The examples are clicked on real servers one after another, when nothing else needs the machine.
test: export TOCSIN_REQUIRE_SERVERS = $(SERVERS)
test: setup
	$(SWIFT) build --build-tests
	@$(LIMITED) failed=; set -x; \
	$(call tests,test,--filter '$(COMPUTING)' --skip '$(FUZZ)') \
	$(call tests,bus,--skip '^(Server|Example|ClientProgram|Tocsin|Media|Hosting)Tests\.|$(FUZZ)|$(COMPUTING)') \
	$(call tests,fuzz,--no-parallel --filter '$(FUZZ)') \
	$(call tests,hosting,--filter '^HostingTests\.' --skip '$(LOADS)|$(FUZZ)') \
	$(call tests,tool,--filter '^(Tocsin|Media)Tests\.' --skip '$(FUZZ)') \
	$(call tests,loads,--no-parallel --filter '$(LOADS)') \
	$(call tests,examples,--filter '^ExampleTests\.') \
	{ set +x; } 2>/dev/null; [ -z "$$failed" ] || { echo "make test: failed:$$failed" >&2; exit 1; }

# The tests of these suites once more, one after another: SUITES is a regular expression.
test-again: export TOCSIN_REQUIRE_SERVERS = $(SERVERS)
test-again: setup
	$(SWIFT) test --skip-build --no-parallel --filter '^($(SUITES))/' $(call xunit,again)

test-clients test-again: export TOCSIN_CLIENTS = \
  dynamic=$(CURDIR)/.build-clients/debug;static=$(CURDIR)/.build-clients-static/debug
test-clients: setup
	$(CLIENTS) --scratch-path .build-clients --build-tests
	$(CLIENTS) --scratch-path .build-clients-static --static-swift-stdlib
	$(SWIFT) test --package-path Tests/ClientTests --scratch-path .build-clients --skip-build
	$(SWIFT) test --filter '^ClientProgramTests\.' $(call xunit,clients)

test-time: setup
	TOCSIN_TIME_TESTS=all $(SWIFT) test --filter '^NotificationScheduleTests\.' $(call xunit,time)

# Each of these runs for a moment in `make test`. One after another: each one fills a processor,
# and some wait for answers.
fuzz: setup
	$(BUILD) --build-tests
	TOCSIN_FUZZ_SECONDS=$(or $(SECONDS),60) TOCSIN_FUZZ_SEED=$(SEED) \
	  $(SWIFT) test --skip-build --no-parallel --filter '$(FUZZ)' $(call xunit,fuzz)

transcript: setup
	TOCSIN_REWRITE=1 $(SWIFT) test --filter '^TocsinTests\.(Help|Transcript)Tests'

golden: setup
	TOCSIN_REWRITE=1 $(SWIFT) test --filter '^CenterInterfaceTests\.GoldenTests'

# Seeds one after another: SEED="1 2 3".
test-kill: setup
	$(BUILD) --build-tests
	for seed in $(SEED); do TOCSIN_KILL_ROUNDS=$(ROUNDS) TOCSIN_KILL_SEED=$$seed $(SWIFT) test \
	  --skip-build --filter '^HostingTests.(KillLoopTests/nothing|AdoptionKillTests)' \
	  $(call xunit,kill-$$seed) \
	  || exit 1; done
	TOCSIN_KILL_BURST=1000 TOCSIN_FLOOD=200000 $(SWIFT) test --skip-build --filter \
	  '^HostingTests.(KillLoopTests/aBurst|DaemonFloodTests/aFlood)' $(call xunit,kill)

ARTIFACTS = $(or $(TOCSIN_ARTIFACTS),artifacts$(addprefix /,$(SUITE)))
MATRIX = python3 -B .ci/matrix.py
CATALOG = Sources/UserNotifications/UserNotifications.docc
ARTICLE = $(CATALOG)/SupportedDesktops.md
# $(call portrait,SERVER,PLACE,NAME): that part of its screenshot, in few colours.
portrait = test ! -e $(ARTIFACTS)/$(1)-name.png || convert $(ARTIFACTS)/$(1)-name.png -crop $(2) \
	  +repage -strip -colors 128 PNG8:$(CATALOG)/Resources/$(3).png
CHROOT ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tocsin/$(SUITE)
# The report of a run in such a chroot, which sees the checkout alone.
SUITE_REPORT = $(ARTIFACTS)/$(SUITE).xml

test-desktops: setup $(if $(SUITE),setup-suite,setup-desktops)
	rm -rf $(ARTIFACTS)/matrix $(SUITE_REPORT)
	mkdir -p $(ARTIFACTS)
ifneq ($(SUITE),)
	$(SWIFT) build --build-tests
	TOCSIN_REQUIRE_SERVERS=$(SERVERS) TOCSIN_ARTIFACTS="$(abspath $(ARTIFACTS))" \
	  Tests/Desktops/run $(SUITE) "$(CHROOT)" '$(SUITE_PACKAGES)' \
	  .build/debug/TocsinPackageTests.xctest --testing-library swift-testing \
	  --no-parallel --filter '^ServerTests\.' --xunit-output $(SUITE_REPORT); status=$$?; \
	  $(MATRIX) summary $(ARTIFACTS)/matrix; \
	  test -z "$(RESULTS)" || test ! -e $(SUITE_REPORT) || sed 's/ classname="/&$(SUITE)./' \
	    $(SUITE_REPORT) >"$(RESULTS)/$(SUITE)-swift-testing.xml"; \
	  exit $$status
else
	TOCSIN_REQUIRE_SERVERS=$(SERVERS) $(SWIFT) test --filter '^ServerTests\.' \
	  $(call xunit,desktops); status=$$?; $(MATRIX) summary $(ARTIFACTS)/matrix; exit $$status
endif

desktops-article:
	$(MATRIX) article $(ARTIFACTS)/matrix $(ARTICLE)
	$(MATRIX) readme $(ARTIFACTS)/matrix README.md
	mkdir -p $(CATALOG)/Resources
	$(call portrait,gnome-shell,540x150+370+30,GNOMEShell)
	$(call portrait,plasma-workspace,400x165+880+575,KDEPlasma)

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

release:
	mkdir -p "$(ARCHIVES)/dbus"
	ln -sf "$$(cc -print-file-name=libstdc++.a)" "$(ARCHIVES)"
	$(if $(DBUS_ARCHIVE),ln -sf $(DBUS_ARCHIVE) "$(ARCHIVES)/dbus" && \
	  sed 's|^Libs: .*|Libs: -L"$(ARCHIVES)/dbus" -ldbus-1|' \
	  "$$(pkg-config --variable=pcfiledir dbus-1)/dbus-1.pc" >"$(ARCHIVES)/dbus/dbus-1.pc")
	$(foreach p,$(PROGRAMS) $(COMPANIONS),$(RELEASE) $(LINK_$(p)) --product $(p) && \
	  strip $(RELEASE_BIN)/$(p) &&) true

install: release install-programs install-data install-documents

install-programs:
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBEXECDIR)
	install -m 755 $(addprefix $(RELEASE_BIN)/,$(PROGRAMS)) $(DESTDIR)$(BINDIR)
	install -m 755 $(addprefix $(RELEASE_BIN)/,$(COMPANIONS)) $(DESTDIR)$(LIBEXECDIR)

install-data:
	$(foreach file,$(TEMPLATES),$(call fill,$(file)) &&) true
	install -D -m 644 -t $(DESTDIR)$(dir $(INTERFACES)) $(addprefix dbus/,$(notdir $(INTERFACES)))

# The manual pages and the completions of bash, zsh and fish.
install-documents:
	install -d $(addprefix $(DESTDIR),$(MANDIR) $(dir $(COMPLETIONS)))
	install -m 644 dbus/debian/tocsind.1 $(DESTDIR)$(MANDIR)
	generator=$$(realpath "$(GENERATOR)") && pages=$$(realpath $(DESTDIR)$(MANDIR)) && \
	  cd / && "$$generator" manual "$$pages"
	$(foreach file,$(COMPLETIONS),"$(GENERATOR)" --generate-completion-script \
	  $(call shell_of,$(file)) > $(DESTDIR)$(file) && chmod 644 $(DESTDIR)$(file) &&) true

shell_of = $(or $(findstring bash,$(1)),$(findstring zsh,$(1)),fish)

# The folders stay: other programs have files in them, too.
uninstall:
	rm -f $(addprefix $(DESTDIR),$(addprefix $(BINDIR)/,$(PROGRAMS)) \
	  $(addprefix $(LIBEXECDIR)/,$(COMPANIONS)) $(TEMPLATES) $(INTERFACES) \
	  $(COMPLETIONS) $(MANDIR)/tocsin.1 $(MANDIR)/tocsind.1 $(MANDIR)/tocsin-*.1)

# Installs dbus/NAME.in as $(1), a path that ends in NAME.
fill = install -d $(DESTDIR)$(dir $(1)) && sed 's|@BINDIR@|$(BINDIR)|' dbus/$(notdir $(1)).in \
	  > $(DESTDIR)$(1) && chmod 644 $(DESTDIR)$(1)

deb: release pack-deb

DEB_STAGE = $(DEB_OUTPUT)/stage
pack-deb:
	rm -rf $(DEB_STAGE)
	$(MAKE) -s install-programs install-data install-documents DESTDIR=$(DEB_STAGE) \
	  PREFIX=/usr BINDIR=/usr/bin LIBEXECDIR=/usr/libexec SYSCONFDIR=/etc \
	  UNITDIR=/usr/lib/systemd/user ZSHDIR=/usr/share/zsh/vendor-completions RELEASE_BIN=$(RELEASE_BIN)
	dbus/debian/pack $(DEB_STAGE) '$(DEB_VERSION)' '$(DEB_MAINTAINER)' $(DEB_OUTPUT)

# Two packages, so that one can be upgraded to the other.
test-deb: deb
	DEB_COMPRESSION=gzip $(MAKE) -s pack-deb DEB_OUTPUT=.build-deb/next \
	  DEB_VERSION=$(DEB_VERSION)+next
	DEB_SUITE=$(SUITE) Tests/Packaging/run .build-deb/tocsin_$(DEB_VERSION)_*.deb \
	  .build-deb/next/tocsin_$(DEB_VERSION)+next_*.deb
