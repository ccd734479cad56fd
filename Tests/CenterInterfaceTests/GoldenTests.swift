import CenterInterface
import DesktopBus
import NotificationModel
import TestSupport
import Testing

/// A golden file holds the wire format, because other programs depend on each key and type.
///
/// Each value has its own line with its path and its D-Bus type, so that a new field adds lines.
@Suite struct GoldenTests {
    @Test func `every value of the model has the form of the golden file on the bus`() throws {
        let plain = NotificationRequest(
            identifier: "plain", content: NotificationContent(), trigger: nil)
        let delivered = DeliveredNotification(
            app: .tocsin, request: plain, date: Instant(microseconds: 1))
        var snoozed = delivered
        snoozed.snoozedUntil = Instant(microseconds: 2)
        snoozed.due = Instant(microseconds: 3)
        let actions: [NotificationResponse.Action] = [
            .standard, .dismiss, .custom("go"), .reply("go", text: "Text"),
            .reply("go", text: nil),
        ]
        let responses = actions.map {
            NotificationResponse(
                id: 1, notification: delivered, action: $0, activationToken: "token")
        }
        let pending = [PendingNotification.State.pending, .presenting].map {
            PendingNotification(
                app: .tocsin, request: plain, state: $0, nextFire: Instant(microseconds: 1),
                regular: Instant(microseconds: 2))
        }
        var added = try AddedRequest.record.value(
            of: NotificationRequest.record.busValue(of: plain), "the request")
        added.nextFire = Instant(microseconds: 1)
        let sounds = [.standard, .ringtone, .named("bell"), .ringtoneNamed("bell")].map {
            NotificationSound($0, isCritical: true, volume: 0.5)
        }
        let requests = [plain] + NotificationRequest.everyField.prefix(1)
        var lines = Self.lines("request", requests, NotificationRequest.record)
        lines += Self.lines("trigger", NotificationTrigger.everyKind, NotificationTrigger.record)
        lines += Self.lines("sound", sounds, NotificationSound.record)
        lines += Self.lines("pending", pending, PendingNotification.record)
        lines += Self.lines("added", [added], AddedRequest.record)
        lines += Self.lines("delivered", [delivered, snoozed], DeliveredNotification.record)
        lines += Self.lines("response", responses, NotificationResponse.record)
        lines += Self.lines("category", [.everyField], NotificationCategory.record)
        lines += Self.lines("status", [.everyField], ServiceStatus.record)
        lines += Self.lines("settings", [.everyField], ApplicationSettings.record)
        lines += Self.lines("identity", [.everyField], ApplicationIdentity.record)
        for (index, request) in requests.enumerated() {
            let document = try ExtensionDocument.input(request, of: .tocsin)
            lines += Self.lines("extension \(index)", try RecordJSON.value(of: document))
        }
        let kept = KeptText(
            path: "Tests/CenterInterfaceTests/Golden/wire.txt", madeBy: "golden")
        #expect(try kept.isSame(as: lines.joined(separator: "\n") + "\n"), "\(kept.remedy)")
    }

    private static func lines<Value>(
        _ name: String, _ values: [Value], _ record: NotificationModel.Record<Value>
    ) -> [String] {
        values.enumerated().flatMap { index, value in
            lines("\(name) \(index)", record.busValue(of: value))
        }
    }

    private static func lines(_ path: String, _ value: BusValue) -> [String] {
        let type = "\(path): \(value.signature.rawValue)"
        switch value {
        case .variant(let inner): return lines(path, inner)
        case .array(_, let elements), .structure(let elements):
            return [type] + elements.enumerated().flatMap { lines("\(path)[\($0)]", $1) }
        case .dictionary(_, _, let entries):
            return [type]
                + entries.flatMap { lines("\(path).\($0.key.stringValue ?? "?")", $0.value) }
        case .string(let text): return ["\(type) \(JSONEscaping.string(text))"]
        case .bool(let flag): return ["\(type) \(flag)"]
        case .double(let number): return ["\(type) \(number)"]
        case .bytes(let bytes): return ["\(type) \(bytes)"]
        default: return [type + (value.anyInteger.map { " \($0)" } ?? " ?")]
        }
    }

    /// Returns one line for each value of the JSON that an app's extension program reads.
    private static func lines(_ path: String, _ value: RecordValue) -> [String] {
        switch value {
        case .record(let entries) where !entries.isEmpty, .tree(let entries) where !entries.isEmpty:
            return entries.flatMap { lines("\(path).\($0.name)", $0.value) }
        case .list(let elements) where !elements.isEmpty:
            return elements.enumerated().flatMap { lines("\(path)[\($0)]", $1) }
        default: return ["\(path): \(RecordJSON.text(value, isFree: true))"]
        }
    }
}
