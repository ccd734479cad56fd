# The release programs, where they are installed, and the Debian package; the Makefile includes this.

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
LIBEXECDIR ?= $(PREFIX)/libexec
SYSCONFDIR ?= /etc
# systemd looks into share/systemd/user of /usr, of /usr/local and of ~/.local.
UNITDIR ?= $(PREFIX)/share/systemd/user
MANDIR ?= $(PREFIX)/share/man/man1
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions

# D-Bus and systemd need absolute paths, and some shells leave the "~" of PREFIX=~/.local as it is. A
# blank would end a path in make's lists and in the installed files.
ifneq ($(filter install% uninstall,$(MAKECMDGOALS)),)
$(if $(word 2,$(DESTDIR)),$(error DESTDIR=$(DESTDIR) has a blank: choose a path without blanks))
$(foreach path,PREFIX BINDIR LIBEXECDIR SYSCONFDIR UNITDIR MANDIR ZSHDIR,$(if \
  $(word 2,$($(path)))$(filter-out /%,$($(path))),$(error $(path)=$($(path)) cannot be used: \
  choose an absolute path without blanks)))
endif

RELEASE_BIN = .build-release/release
# What a program does before its first line is most of a short one's time: relative relocations are
# packed (read by glibc >= 2.36), and libstdc++ and libgcc are not looked up symbol by symbol: for
# the former a folder that has it as an archive alone comes first.
ARCHIVES = $(CURDIR)/.build-release/archives
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build-release \
	-Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker -L"$(ARCHIVES)"
PROGRAMS = tocsin tocsind
# The programs that the daemon and the tool start and no user does.
COMPANIONS = tocsin-media tocsin-push
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

.PHONY: release install install-programs install-data install-documents uninstall deb pack-deb \
	install-distributor install-distributor-files test-deb

release:
	mkdir -p "$(ARCHIVES)/dbus"
	ln -sf "$$(cc -print-file-name=libstdc++.a)" "$(ARCHIVES)"
	ln -sf "$$(cc -print-file-name=libcurl.so.4)" "$(ARCHIVES)/libcurl.so"
	$(if $(DBUS_ARCHIVE),ln -sf $(DBUS_ARCHIVE) "$(ARCHIVES)/dbus" && \
	  sed 's|^Libs: .*|Libs: -L"$(ARCHIVES)/dbus" -ldbus-1|' \
	  "$$(pkg-config --variable=pcfiledir dbus-1)/dbus-1.pc" >"$(ARCHIVES)/dbus/dbus-1.pc")
	$(foreach p,$(PROGRAMS) $(COMPANIONS),$(RELEASE) $(LINK_$(p)) --product $(p) && \
	  strip $(RELEASE_BIN)/$(p) &&) true

install: release install-programs install-data install-documents

# For users without a push distributor; it is no part of the package.
DISTRIBUTOR_FILES = $(UNITDIR)/tocsin-distributor.service \
	$(PREFIX)/share/dbus-1/services/org.unifiedpush.Distributor.tocsin.service
install-distributor: release
	$(RELEASE) --product tocsin-distributor && strip $(RELEASE_BIN)/tocsin-distributor
	$(MAKE) -s install-distributor-files

install-distributor-files:
	install -D -m 755 -t $(DESTDIR)$(BINDIR) $(RELEASE_BIN)/tocsin-distributor
	$(foreach file,$(DISTRIBUTOR_FILES),$(call fill,$(file)) &&) true

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
	rm -f $(addprefix $(DESTDIR),$(addprefix $(BINDIR)/,$(PROGRAMS) tocsin-distributor) \
	  $(DISTRIBUTOR_FILES) \
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
