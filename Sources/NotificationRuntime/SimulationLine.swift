internal import Foundation
internal import NotificationEngine
internal import NotificationModel

/// One line of what `tocsind simulate` says to `tocsin`: a JSON object; times are microseconds
/// since 1970.
struct SimulationLine: Encodable {
    /// What the line tells: `start`, `ring`, `end` or `error`.
    var kind: String
    /// Where the simulation begins.
    var start: Int64?
    /// Where it ends.
    var end: Int64?
    /// The zone of the person, or that by which a ring is due.
    var timeZone: String?
    /// `rings`, `listed`, `skipped` or `refused`.
    var outcome: String?
    /// Whose it is.
    var app: String?
    /// The request's identifier.
    var id: String?
    /// The notification's title.
    var title: String?
    /// When it is due.
    var due: Int64?
    /// When it happens.
    var fired: Int64?
    /// Why it is due at another time than its rule says.
    var shift: String?
    /// Since when the machine slept, where it is late for that reason.
    var suspendedAt: Int64?
    /// How many later dates are merged into it.
    var missed: Int?
    /// Whether more would ring.
    var isLimited: Bool?
    /// The code of the error.
    var code: String?
    /// Why it was refused, or what went wrong.
    var message: String?

    /// The line as text.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? encoder.encode(self)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? #"{"kind":"error"}"#
    }
}

extension SimulationLine {
    /// The line that tells of a ring.
    init(_ ring: SimulatedRing) {
        kind = "ring"
        switch ring.outcome {
        case .rings: outcome = "rings"
        case .listed: outcome = "listed"
        case .skipped: outcome = "skipped"
        case .refused(let reason): (outcome, message) = ("refused", reason)
        }
        app = ring.app.rawValue
        id = ring.identifier
        title = ring.title
        due = ring.due.microseconds
        fired = ring.fired.microseconds
        timeZone = ring.timeZone
        shift = ring.shift
        suspendedAt = ring.suspendedAt?.microseconds
        missed = ring.missed
    }

    /// The line that tells why there are no more.
    init(_ error: NotificationError) {
        kind = "error"
        code = error.code.rawValue
        message = error.message
    }
}
