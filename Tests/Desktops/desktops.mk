# The tests on real notification servers, and the article about them; the Makefile includes this.

# The servers, each with the packages that it needs to run in a virtual display.
SERVERS ?= dunst,xfce4-notifyd
comma = ,
ALL_SERVERS = $(notdir $(wildcard .ci/packages/servers/*))
WANTED_SERVERS = $(if $(filter all,$(SERVERS)),$(ALL_SERVERS),$(subst $(comma), ,$(SERVERS)))
SERVER_PACKAGES = $(call packages,$(addprefix servers/,$(WANTED_SERVERS)))
# Another Debian has other packages for some servers, and more packages to run programs built here.
SUITE_SERVERS = $(filter $(WANTED_SERVERS),$(notdir $(wildcard .ci/packages/suite-servers/*)))
SUITE_PACKAGES = $(call packages,suite $(addprefix suite-servers/,$(SUITE_SERVERS)) \
	$(addprefix servers/,$(filter-out $(SUITE_SERVERS),$(WANTED_SERVERS))))

ARTIFACTS = $(or $(TOCSIN_ARTIFACTS),artifacts$(addprefix /,$(SUITE)))
MATRIX = python3 -B .ci/matrix.py
CATALOG = Sources/UserNotifications/UserNotifications.docc
ARTICLE = $(CATALOG)/SupportedDesktops.md
# $(call portrait,SERVER,PLACE,NAME): a part of the server's screenshot, in few colours.
portrait = test ! -e $(ARTIFACTS)/$(1)-name.png || convert $(ARTIFACTS)/$(1)-name.png -crop $(2) \
	  +repage -strip -colors 128 PNG8:$(CATALOG)/Resources/$(3).png
CHROOT ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tocsin/$(SUITE)
# The report of a run in such a chroot, which sees only the checkout.
SUITE_REPORT = $(ARTIFACTS)/$(SUITE).xml

.PHONY: setup-desktops setup-suite test-desktops desktops-article

setup-desktops:
	@.ci/install setup-desktops $(SERVER_PACKAGES)

setup-suite:
	@.ci/install setup-suite debootstrap

test-desktops: setup $(if $(SUITE),setup-suite,setup-desktops)
	rm -rf $(ARTIFACTS)/matrix $(SUITE_REPORT)
	mkdir -p $(ARTIFACTS) $(if $(RESULTS),"$(RESULTS)")
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
	TOCSIN_REQUIRE_SERVERS=$(SERVERS) $(TEST) --filter '^ServerTests\.' \
	  $(call xunit,desktops); status=$$?; $(MATRIX) summary $(ARTIFACTS)/matrix; exit $$status
endif

desktops-article:
	$(MATRIX) article $(ARTIFACTS)/matrix $(ARTICLE)
	$(MATRIX) readme $(ARTIFACTS)/matrix README.md
	mkdir -p $(CATALOG)/Resources
	$(call portrait,gnome-shell,540x150+370+30,GNOMEShell)
	$(call portrait,plasma-workspace,400x165+880+575,KDEPlasma)
