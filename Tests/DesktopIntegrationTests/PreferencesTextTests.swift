import NotificationModel
import Testing

@testable import DesktopIntegration

/// The texts in which desktops keep settings, and the values read from them.
@Suite struct PreferencesTextTests {
    @Test func `the output of gsettings is read`() {
        let text = GSettingsOutput(
            """
            org.example application-id ''
            org.example enable true
            org.example names ['a', "it's", 'c-d']
            org.example none @as []
            org.example odd ['a\\'b']
            org.example quiet false

            """)
        #expect(text.flag("enable") == true && text.flag("quiet") == false)
        #expect(text.flag("names") == nil && text.flag("missing") == nil)
        #expect(text.strings("names") == ["a", "it's", "c-d"])
        #expect(text.strings("none") == [])
        #expect(text.strings("odd") == nil && text.strings("enable") == nil)
        #expect(text["application-id"] == "''")
        #expect(GVariantEscaping.strings(["a", "it's"]) == "['a', 'it\\'s']")
        #expect(GVariantEscaping.strings([]) == "@as []")
    }

    @Test func `groups and keys with KDE's mark are read, and a later text overrides an earlier`() {
        let text = KeyFile([
            "[Notifications]\nCriticalInDndMode=false\n[Applications][org.a]\nShowPopups=false\n",
            """
            # a comment
            [Applications][org.a][$i]
            ShowPopups[$i] = true
            ShowBadges=off
            [Badges]
            InTaskManager=1
            nothing
            """,
        ])
        #expect(text.flag("ShowPopups", in: "Applications][org.a") == true)
        #expect(text.flag("ShowBadges", in: "Applications][org.a") == false)
        #expect(text.flag("CriticalInDndMode", in: "Notifications") == false)
        #expect(text.flag("InTaskManager", in: "Badges") == true)
        #expect(text.flag("ShowPopups", in: "Applications][org.b") == nil)
    }

    @Test(arguments: [
        ("", "[G][a]\nK=1\n"),
        ("[Other]\nK=0", "[Other]\nK=0\n\n[G][a]\nK=1\n"),
        ("[G][a]\nX=0\n\n[Other]\nK=0\n", "[G][a]\nX=0\nK=1\n\n[Other]\nK=0\n"),
        ("# kept\n[G][a]\nK=0\nX=0\n", "# kept\n[G][a]\nK=1\nX=0\n"),
        ("[G][a]\nX=0\n[G][a]\nK=0\n", "[G][a]\nX=0\n[G][a]\nK=1\n"),
        ("[G][ab]\nK=0\n", "[G][ab]\nK=0\n\n[G][a]\nK=1\n"),
    ])
    func `a change sets one key and leaves the rest`(before: String, after: String) {
        #expect(KeyFile.text(before, setting: "K", to: "1", in: "G][a") == after)
        #expect(KeyFile([after]).value("K", in: "G][a") == "1")
    }

    @Test func `an app's name in GNOME's settings is the name that gnome-shell makes`() throws {
        for (id, name) in [
            ("org.gnome.Calendar", "org-gnome-calendar"), ("a__b.C9", "a-b-c9"),
            ("org.tocsin.Test", "org-tocsin-test"),
        ] {
            #expect(GnomeSwitch.name(of: try ApplicationID(id)) == name)
        }
    }

    @Test func `GNOME's switch combines the app's keys with the keys for all apps`() {
        let app = GSettingsOutput(
            """
            s enable true
            s show-banners false
            s enable-sound-alerts false
            s show-in-lock-screen true
            s details-in-lock-screen false
            """)
        var value = AppSwitch(desktop: "GNOME", isOn: true)
        value.showsBanners = false
        value.playsSounds = false
        value.isOnLockScreen = false
        value.showsTextsWhileLocked = false
        #expect(
            GnomeSwitch.value(app, all: GSettingsOutput("s show-in-lock-screen false")) == value)
        #expect(GnomeSwitch.value(GSettingsOutput(""), all: GSettingsOutput("")) == nil)
    }

    @Test
    func `a change of an app's switch adds the app to GNOME's list, if the list is readable`()
        throws
    {
        let app = try ApplicationID("org.tocsin.Test")
        let place =
            "org.gnome.desktop.notifications.application:"
            + "/org/gnome/desktop/notifications/application/org-tocsin-test/"
        func changes(_ listed: String) -> [String] {
            GnomeSwitch.changes(
                setting: "enable", to: false, of: app,
                all: GSettingsOutput("s application-children \(listed)")
            ).map { "\($0.schema) \($0.key) \($0.value)" }
        }
        let common = ["\(place) application-id 'org.tocsin.Test.desktop'", "\(place) enable false"]
        #expect(changes("['org-tocsin-test']") == common)
        #expect(
            changes("@as []") == common + [
                "org.gnome.desktop.notifications application-children ['org-tocsin-test']"
            ])
        // A list that cannot be read is not overwritten.
        #expect(changes("<odd>") == common)
    }

    @Test func `Plasma's switch is a key in the app's group, and is on without this key`()
        throws
    {
        let app = try ApplicationID("org.tocsin.Test")
        let all = PlasmaSwitch.value(of: app, in: KeyFile([]))
        #expect(all.isOn && all.isListed == true && all.showsBadges == true)
        let group = "[Applications][org.tocsin.Test]\n"
        let off = PlasmaSwitch.value(of: app, in: KeyFile([group + "ShowPopups=false"]))
        #expect(!off.isOn && off.isListed == true)
        let few = PlasmaSwitch.value(
            of: app,
            in: KeyFile([
                group + "ShowInHistory=false", "[Badges]\nInTaskManager=false",
                "[Notifications]\nCriticalInDndMode=false",
            ]))
        #expect(few.isOn && few.isListed == false && few.showsBadges == false)
        #expect(few.showsCriticalInSilence == false)
    }

    @Test func `Xfce's switch is the list of muted apps`() throws {
        let app = try ApplicationID("org.tocsin.Test")
        #expect(XfceSwitch.value(of: app, muted: ["other"]).isOn)
        #expect(!XfceSwitch.value(of: app, muted: ["other", "org.tocsin.Test"]).isOn)
        #expect(XfceSwitch.muted(["other"], turning: false, app) == ["other", "org.tocsin.Test"])
        #expect(XfceSwitch.muted(["org.tocsin.Test", "other"], turning: true, app) == ["other"])
    }
}
