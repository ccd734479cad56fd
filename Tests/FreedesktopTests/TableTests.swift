import DesktopBus
import NotificationModel
import Testing

@testable import Freedesktop

struct TableTests {
    @Test(arguments: [
        ("gnome-shell", "43.9", false), ("gnome-shell", "45.10", false),
        ("gnome-shell", "46.alpha", true), ("gnome-shell", "51.0", true),
        ("gnome-shell", "", false), ("Plasma", "5.27.5", false), ("Plasma", "6.3.90", false),
        ("Plasma", "6.4", true), ("Plasma", "6.4.0", true), ("Plasma", "6.10.1", true),
        ("cinnamon", "6.0", true), ("dunst", "1.9.0", false), ("Xfce Notify Daemon", "0.7", false),
    ])
    func `the server's version decides if popups outlive their sender`(
        name: String, version: String, forgets: Bool
    ) {
        let server = ServerInformation(name: name, version: version)
        #expect(server.has(.forgetsSenders) == forgets)
        #expect(server.has(.refusesBursts) == ServerInformation(name: name).has(.refusesBursts))
        #expect(server.has(.listsQuietly) == ServerInformation(name: name).has(.listsQuietly))
    }

    @Test func `every error after which a post is tried again has a source`() {
        for row in RefusalTable.retryableErrors {
            #expect(row.source.hasPrefix("https://"), "\(row.ending)")
        }
    }

    @Test(
        arguments: [
            (
                "org.freedesktop.Notifications.Error.ExcessNotificationGeneration",
                .outcome(.later(.duplicate))
            ),
            ("org.freedesktop.Notifications.MaxNotificationsExceeded", .outcome(.later(.full))),
            (
                "org.gtk.GDBus.UnmappedGError.Quark._notification_2ddaemon_2derror_2dquark.Code1",
                .outcome(.later(.full))
            ),
            ("org.freedesktop.DBus.Error.LimitsExceeded", .outcome(.later(.duplicate))),
            (
                "org.freedesktop.DBus.Error.ServiceUnknown",
                .gone(otherwise: .outcome(.later(.duplicate)))
            ),
            (
                "org.freedesktop.DBus.Error.NameHasNoOwner",
                .gone(otherwise: .outcome(.later(.duplicate)))
            ),
            (
                "org.freedesktop.DBus.Error.NoReply",
                .gone(
                    otherwise: .outcome(.refused("org.freedesktop.DBus.Error.NoReply: why")))
            ),
            (
                "org.freedesktop.DBus.Error.Timeout",
                .outcome(.refused("org.freedesktop.DBus.Error.Timeout: why"))
            ),
            (
                "org.freedesktop.DBus.Error.UnknownMethod",
                .outcome(.refused("org.freedesktop.DBus.Error.UnknownMethod: why"))
            ),
            (
                "org.freedesktop.DBus.Error.InvalidArgs",
                .outcome(.refused("org.freedesktop.DBus.Error.InvalidArgs: why"))
            ),
        ] as [(String, RefusalTable.Verdict)])
    func `an error of the server gets its verdict from the table`(
        name: String, verdict: RefusalTable.Verdict
    ) throws {
        let error = BusError.remote(try ErrorName(name), "why")
        #expect(RefusalTable.verdict(on: error) == verdict)
    }

    @Test(arguments: [
        (BusError.Code.timedOut, RefusalTable.Verdict.outcome(.unanswered)),
        (.cancelled, .outcome(.unanswered)), (.disconnected, .lost),
        (.connectionFailed, .lost), (.limitsExceeded, .outcome(.later(.duplicate))),
        (.tooLarge, .outcome(.refused("why"))), (.invalidValue, .outcome(.refused("why"))),
    ])
    func `an error of the presenter's connection gets its verdict from the table`(
        code: BusError.Code, verdict: RefusalTable.Verdict
    ) {
        #expect(RefusalTable.verdict(on: BusError(code, "why")) == verdict)
    }

    @Test func `the reason of a refusal is one line of limited length`() {
        let error = BusError.remote(
            "org.example.No", "a\nb\u{1B}" + String(repeating: "x", count: 1 << 20))
        guard case .outcome(.refused(let reason)) = RefusalTable.verdict(on: error) else {
            Issue.record("not refused")
            return
        }
        #expect(reason.hasPrefix("org.example.No: a bx"))
        #expect(reason.unicodeScalars.count <= Limits.screenLine.most + 1)
    }

    @Test func `values of a wrong type in a server's information are ignored`() {
        let empty = ServerInformation(information: [.uint32(1)], capabilities: [.string("actions")])
        #expect(empty == ServerInformation())
        let partial = ServerInformation(
            information: [.string("dunst"), .bool(true)],
            capabilities: [.strings(["body", "actions", "body"])])
        #expect(partial == ServerInformation(name: "dunst", capabilities: ["actions", "body"]))
        #expect(partial.status.capabilities == ["actions", "body"])
    }

    /// COSMIC claims markup but draws `&amp;`, and it claims sounds but plays none.
    @Test func `a capability that a server claims but lacks is ignored`() throws {
        let claiming = Desktops.table.filter { row in
            row.traits.contains { !$0.falseClaims.isEmpty }
        }
        #expect(!claiming.isEmpty)
        for row in claiming {
            let server = ServerInformation(
                name: row.server, vendor: row.vendor ?? "",
                capabilities: ["body", "body-markup", "sound"])
            #expect(server.capabilities == ["body"], "\(row.name)")
            let arguments = NotifyArguments(
                try Samples.presentation(content: .with { $0.body = "1 & 2" }), for: server)
            #expect(arguments.body == "1 & 2", "\(row.name)")
            #expect(arguments.hints["suppress-sound"] == nil, "\(row.name)")
        }
    }

    /// COSMIC claims actions but draws no buttons.
    ///
    /// If its status claimed actions, a question would be a popup, and a click would answer it.
    @Test func `a server without buttons gets all actions, but its status does not claim actions`()
        throws
    {
        let server = ServerInformation(
            name: "cosmic-notifications", capabilities: ["actions", "body"])
        #expect(server.status.capabilities == ["body"])
        let arguments = NotifyArguments(
            try Samples.presentation(category: Samples.category), for: server)
        let keys = ["action.archive", "action.answer", "action.delete", "default"]
        #expect(arguments.actions.map(\.key) == keys)
    }

    @Test func `a server's information is bounded`() {
        let story = String(repeating: "x\n", count: 2_048)
        let server = ServerInformation(
            information: Array(repeating: .string(story), count: 9),
            capabilities: [.strings((0..<1_000).map { "\($0)" + story })])
        #expect(server.capabilities.count <= 256)
        #expect(server.capabilities.allSatisfy { $0.unicodeScalars.count <= 513 })
        #expect(server.name.unicodeScalars.count <= 513)
    }
}

/// The hints that a caller gives by name, and their form on each server.
@Suite struct HintTableTests {
    /// A caller's hint, and its value on a server with the quirk.
    private struct Row: CustomStringConvertible {
        var name: String
        var hint: DesktopOptions.Hint
        var expected: BusValue?

        var description: String { "\(name): \(hint)" }
    }

    /// Returns the hints that could bypass a quirk.
    ///
    /// A new quirk that a hint could bypass needs rows here.
    private static func rows(of quirk: ServerQuirk) -> [Row] {
        switch quirk {
        case .drawsProgressAlone:
            [
                Row(name: "value", hint: .integer(50), expected: nil),
                Row(name: "value", hint: .string("50"), expected: nil),
            ]
        case .takesImagesByPath:
            [
                Row(name: "image-path", hint: .string("/a b.png"), expected: .string("/a b.png")),
                Row(
                    name: "image-path", hint: .string("file:///a%20%C3%BC.png"),
                    expected: .string("/a ü.png")),
                Row(name: "image-path", hint: .string("file://other/a.png"), expected: nil),
                Row(name: "image-path", hint: .string("file:///a%00.png"), expected: nil),
                Row(name: "image-path", hint: .string("audio-x-generic"), expected: nil),
                Row(name: "image-path", hint: .integer(1), expected: nil),
            ]
        case .listsQuietly:
            // The urgency has its own option, which always takes precedence over the hint.
            [Row(name: "urgency", hint: .byte(2), expected: .byte(0))]
        case .dropsInSilence, .dropsTransientInSilence, .offersDefaultByLabel, .drawsNoButtons,
            .drawsMarkupInLabels, .refusesBursts, .hasSettingsButton, .forgetsSenders,
            .tellsSenderAlone, .tellsSenderAloneOfReplies, .remembersFirstSender,
            .replacesWithoutButtons, .keepsFirstButtons, .expiresWhatIsDismissed,
            .dismissesTransient, .dismissesWithoutReason, .dismissesUnseen, .hidesWhileLocked:
            []
        }
    }

    /// Returns the servers with a quirk, each in the first version of its row.
    private static func servers(with quirk: ServerQuirk) -> [ServerInformation] {
        Desktops.table.flatMap { row in
            row.traits.map {
                ServerInformation(
                    name: row.server, vendor: row.vendor ?? "", version: "\($0.since)")
            }
        }.filter { $0.has(quirk) }
    }

    private static func hints(
        _ hints: [String: DesktopOptions.Hint], for server: ServerInformation
    ) throws -> [String: BusValue] {
        let content = NotificationContent.with {
            $0.interruptionLevel = .passive
            $0.desktop = DesktopOptions()
            $0.desktop?.hints = hints
        }
        return NotifyArguments(try Samples.presentation(content: content), for: server).hints
    }

    @Test(arguments: ServerQuirk.allCases)
    func `a caller's own hint bypasses no quirk`(quirk: ServerQuirk) throws {
        let servers = Self.servers(with: quirk)
        #expect(!servers.isEmpty)
        for server in servers {
            for row in Self.rows(of: quirk) {
                let hints = try Self.hints([row.name: row.hint], for: server)
                #expect(hints[row.name] == row.expected, "\(server.name), \(row)")
            }
        }
    }

    @Test func `a server without a quirk gets the hints unchanged`() throws {
        let given: [String: DesktopOptions.Hint] = [
            "value": .integer(50), "image-path": .string("audio-x-generic"),
        ]
        let hints = try Self.hints(given, for: Samples.server())
        #expect(hints["value"] == .int32(50))
        #expect(hints["image-path"] == .string("audio-x-generic"))
    }

    @Test func `a hint gets the name that the server knows, whichever name the caller used`()
        throws
    {
        let renaming = Desktops.table.filter { row in
            row.traits.contains { !$0.hintNames.isEmpty }
        }
        #expect(!renaming.isEmpty)
        for row in renaming {
            let server = Samples.server(row.server)
            for (name, other) in server.traits.hintNames {
                for given in [name, other] {
                    let hints = try Self.hints([given: .string("/a.png")], for: server)
                    #expect(hints[other] == .string("/a.png"), "\(row.name), \(given)")
                    #expect(hints[name] == nil, "\(row.name), \(given)")
                }
            }
        }
    }

    @Test
    func `an awaited popup with a desktop-entry hint has no timeout if its end is not signalled`()
        throws
    {
        let servers = Self.servers(with: .dropsInSilence)
        #expect(!servers.isEmpty)
        for server in servers {
            let content = NotificationContent.with {
                $0.desktop = DesktopOptions()
                $0.desktop?.hints = ["desktop-entry": .string("of-no-app")]
            }
            var presentation = try Samples.presentation(content: content)
            presentation.application.hasDesktopEntry = false
            presentation.isAwaited = true
            #expect(NotifyArguments(presentation, for: server).expireTimeout == 0)
        }
    }

    /// COSMIC sends no signal when a transient popup times out.
    ///
    /// With a timeout, `send --transient --wait` would wait for ever.
    @Test func `an awaited transient popup stays on a server that does not report its end`() throws
    {
        let servers = Self.servers(with: .dropsTransientInSilence)
        #expect(!servers.isEmpty)
        for server in servers {
            for (isTransient, isAwaited, asked, timeout) in [
                (true, true, nil, 0), (true, true, 3_000, 3_000), (true, false, nil, -1),
                (false, true, nil, -1),
            ] as [(Bool, Bool, Int32?, Int32)] {
                let content = NotificationContent.with {
                    $0.desktop = DesktopOptions()
                    $0.desktop?.isTransient = isTransient
                    $0.desktop?.expireTimeout = asked
                }
                var presentation = try Samples.presentation(content: content)
                presentation.isAwaited = isAwaited
                #expect(NotifyArguments(presentation, for: server).expireTimeout == timeout)
            }
        }
    }
}
