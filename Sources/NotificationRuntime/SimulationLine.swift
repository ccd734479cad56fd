internal import Foundation
internal import NotificationEngine
internal import NotificationModel

/// One line of what `tocsind simulate` says to `tocsin`: a JSON object; times are microseconds
/// since 1970.
struct SimulationLine: Encodable {
    /// What the line tells: `start`, `ring`, `end` or `error`.
    var kind: String
    var start: Int64?
    var end: Int64?
    var timeZone: String?
    /// `rings`, `listed`, `skipped` or `refused`.
    var outcome: String?
    var app: String?
    var id: String?
    var title: String?
    var due: Int64?
    var fired: Int64?
    var shift: String?
    var suspendedAt: Int64?
    var missed: Int?
    /// Whether more would ring.
    var isLimited: Bool?
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
