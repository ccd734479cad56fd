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
    func whetherPopupsOutliveTheirSenderDependsOnTheVersion(
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
        "what servers answer is read as they mean it",
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
    func verdicts(name: String, verdict: RefusalTable.Verdict) throws {
        let error = BusError.remote(try ErrorName(name), "why")
        #expect(RefusalTable.verdict(on: error) == verdict)
    }

    @Test(
        "so is what our own side of the bus says",
        arguments: [
            (BusError.Code.timedOut, RefusalTable.Verdict.outcome(.unanswered)),
            (.cancelled, .outcome(.unanswered)), (.disconnected, .lost),
            (.connectionFailed, .lost), (.limitsExceeded, .outcome(.later(.duplicate))),
            (.tooLarge, .outcome(.refused("why"))), (.invalidValue, .outcome(.refused("why"))),
        ])
    func ownVerdicts(code: BusError.Code, verdict: RefusalTable.Verdict) {
        #expect(RefusalTable.verdict(on: BusError(code, "why")) == verdict)
    }

    @Test func aServersReasonCanNeitherFloodNorForgeALog() {
        let error = BusError.remote(
            "org.example.No", "a\nb\u{1B}" + String(repeating: "x", count: 1 << 20))
        guard case .outcome(.refused(let reason)) = RefusalTable.verdict(on: error) else {
            Issue.record("not refused")
            return
        }
        #expect(reason.hasPrefix("org.example.No: a bx"))
        #expect(reason.unicodeScalars.count <= Limits.screenLine.most + 1)
    }

    @Test func aServerOfWrongTypesIsOneWithoutOrnaments() {
        let empty = ServerInformation(information: [.uint32(1)], capabilities: [.string("actions")])
        #expect(empty == ServerInformation())
        let partial = ServerInformation(
            information: [.string("dunst"), .bool(true)],
            capabilities: [.strings(["body", "actions", "body"])])
        #expect(partial == ServerInformation(name: "dunst", capabilities: ["actions", "body"]))
        #expect(partial.status.capabilities == ["actions", "body"])
    }

    @Test func aServerMayNotTellAnEndlessStory() {
        let story = String(repeating: "x\n", count: 2_048)
        let server = ServerInformation(
            information: Array(repeating: .string(story), count: 9),
            capabilities: [.strings((0..<1_000).map { "\($0)" + story })])
        #expect(server.capabilities.count <= 256)
        #expect(server.capabilities.allSatisfy { $0.unicodeScalars.count <= 513 })
        #expect(server.name.unicodeScalars.count <= 513)
    }
}
