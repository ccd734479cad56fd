import NotificationModel
import Testing

@testable import Freedesktop

/// The measured signals of each server for a user's action, and their meaning.
struct SignalTableTests {
    struct Row: CustomTestStringConvertible {
        var server: String
        var deed: String
        var signals: [SignalRouter.Signal]
        var meaning: Meaning
        /// True if the popup stays on the screen until the router closes it.
        var stays = false

        var testDescription: String { "\(server): \(deed)" }
    }

    enum Meaning: Hashable {
        case response(NotificationResponse.Action, token: String?)
        case dismissal
        case expiry
    }

    private static func row(
        _ server: String, _ deed: String, _ signals: [SignalRouter.Signal], _ meaning: Meaning,
        stays: Bool = false
    ) -> Row {
        Row(server: server, deed: deed, signals: signals, meaning: meaning, stays: stays)
    }

    private static let like = Meaning.response(.custom("like"), token: nil)
    private static let opened = Meaning.response(.standard, token: nil)
    private static let button = SignalRouter.Signal.action(key: "action.like")
    private static let body = SignalRouter.Signal.action(key: "default")

    private static func closed(_ reason: UInt32) -> SignalRouter.Signal { .closed(reason: reason) }

    static let rows: [Row] = [
        row("dunst", "button", [button], like, stays: true),
        row("dunst", "body", [body, closed(2)], opened),
        row("dunst", "dismissal", [closed(2)], .dismissal),
        row("dunst", "expiry", [closed(1)], .expiry),
        row("GNOME", "button", [button, closed(2)], like),
        row("GNOME", "body", [body, closed(2)], opened),
        row("GNOME", "dismissal", [closed(2)], .dismissal),
        row(
            "GNOME 49", "button", [.token("t"), button, closed(2)],
            .response(.custom("like"), token: "t")),
        row("GNOME", "too many", [closed(1)], .expiry),
        row(
            "Plasma", "button", [.token("t"), button, closed(3)],
            .response(.custom("like"), token: "t")),
        row("Plasma", "body", [.token("t"), body, closed(3)], .response(.standard, token: "t")),
        row(
            "Plasma", "reply", [.reply(text: "Hi"), closed(3)],
            .response(.reply("answer", text: "Hi"), token: nil)),
        row("Plasma", "dismissal", [closed(2)], .dismissal),
        row("Plasma", "expiry", [closed(1)], .expiry),
        row("Xfce", "button", [button, closed(2)], like),
        row("Xfce", "body", [closed(2)], .dismissal),
        row("Xfce", "dismissal", [closed(2)], .dismissal),
        row("Xfce", "expiry", [closed(1)], .expiry),
        row("Xfce", "Do Not Disturb", [closed(4)], .expiry),
        row("MATE", "button", [button, closed(2)], like),
        row("MATE", "body", [body, closed(2)], opened),
        row("MATE", "dismissal", [closed(1)], .expiry),
        row("MATE", "expiry", [closed(1)], .expiry),
        row("notification-daemon", "button", [button, closed(2)], like),
        row("notification-daemon", "body", [body, closed(2)], opened),
        row("notification-daemon", "dismissal", [closed(2)], .dismissal),
        row("LXQt", "button", [button], like, stays: true),
        row("LXQt", "body", [body], opened, stays: true),
        row("LXQt", "dismissal", [closed(2)], .dismissal),
        row("LXQt", "expiry", [closed(1)], .expiry),
        row("mako", "button", [button], like, stays: true),
        row("mako", "body", [.token("t"), body, closed(2)], .response(.standard, token: "t")),
        row("mako", "dismissal", [closed(2)], .dismissal),
        row("mako", "expiry", [closed(1)], .expiry),
        row("swaync", "button", [button, closed(2), closed(2)], like),
        row("swaync", "body", [body, closed(2), closed(2)], opened),
        row("swaync", "dismissal", [closed(2), closed(2)], .dismissal),
        row(
            "swaync", "reply", [.reply(text: "Hi"), closed(2)],
            .response(.reply("answer", text: "Hi"), token: nil)),
        row("awesome", "button", [closed(2), button], like),
    ]

    /// A router with one popup, and a record of its effects.
    struct Screen {
        var router = SignalRouter()
        var meanings: [Meaning] = []
        var closings: [UInt32] = []
        var tickets: [SignalRouter.Ticket] = []

        init(early: [SignalRouter.Signal] = []) throws {
            router.postStarted()
            for signal in early { apply(router.signalReceived(signal, for: 5)) }
            apply(
                router.popupPosted(
                    try Samples.key(), id: 5,
                    offer: .init(
                        keys: ["default", "action.like", "inline-reply"],
                        replyIdentifier: "answer")))
            router.postEnded()
        }

        mutating func apply(_ effects: [SignalRouter.Effect]) {
            for effect in effects {
                switch effect {
                case .respond(_, let action, let token):
                    meanings.append(.response(action, token: token))
                case .dismissed: meanings.append(.dismissal)
                case .expired: meanings.append(.expiry)
                case .close(let id): closings.append(id)
                case .settleLater(let ticket): tickets.append(ticket)
                case .roomMade, .openSettings, .ageLater: break
                }
            }
        }

        mutating func receive(_ signals: [SignalRouter.Signal]) {
            for signal in signals { apply(router.signalReceived(signal, for: 5)) }
        }

        /// Ends the wait for further signals of answered or closed popups.
        mutating func settle() {
            for ticket in tickets { apply(router.settlePopup(ticket)) }
            tickets = []
        }
    }

    @Test(arguments: rows)
    func `each server's signals have one meaning, and their repetition is ignored`(row: Row) throws
    {
        var screen = try Screen()
        screen.receive(row.signals)
        screen.settle()
        #expect(screen.meanings == [row.meaning])
        #expect(screen.closings == (row.stays ? [5] : []))
        screen.receive(row.signals)
        screen.settle()
        #expect(screen.meanings == [row.meaning])
    }

    @Test(arguments: rows)
    func `a server's signals mean the same when each signal comes twice`(row: Row) throws {
        var screen = try Screen()
        screen.receive(row.signals.flatMap { [$0, $0] })
        screen.settle()
        #expect(screen.meanings == [row.meaning])
        #expect(screen.closings == (row.stays ? [5] : []))
    }

    @Test(arguments: rows)
    func `a server's signals mean the same when they come before the answer`(row: Row) throws {
        var screen = try Screen(early: row.signals)
        screen.settle()
        #expect(screen.meanings == [row.meaning])
        #expect(screen.closings == (row.stays ? [5] : []))
    }

    @Test(arguments: rows)
    func `a server's signals mean the same when time passes between them`(row: Row) throws {
        var screen = try Screen()
        for signal in row.signals {
            screen.receive([signal])
            // No time passes after a close, because an action may follow the close.
            if signal != Self.closed(2) { screen.settle() }
        }
        screen.settle()
        #expect(screen.meanings == [row.meaning])
    }

    @Test func `every sequence of up to four signals has at most one meaning`() throws {
        let signals: [SignalRouter.Signal] = [
            .token("t"), Self.button, Self.body, .reply(text: "x"), Self.closed(1),
            Self.closed(2), Self.closed(3), Self.closed(4), Self.closed(99),
        ]
        var sequences: [[SignalRouter.Signal]] = [[]]
        for _ in 0..<4 {
            sequences += sequences.filter { $0.count == sequences.last?.count }
                .flatMap { sequence in signals.map { sequence + [$0] } }
        }
        for sequence in sequences {
            for settlesBetween in [false, true] {
                var screen = try Screen()
                for signal in sequence {
                    screen.receive([signal])
                    if settlesBetween { screen.settle() }
                }
                screen.settle()
                let isSilent = sequence.allSatisfy { $0 == .token("t") }
                #expect(screen.meanings.count == (isSilent ? 0 : 1), "\(sequence)")
                #expect(screen.closings.count <= 1, "\(sequence)")
                #expect(screen.router.closeOldest().isEmpty != isSilent, "\(sequence)")
            }
        }
        #expect(sequences.count == 1 + 9 + 81 + 729 + 6_561)
    }
}
