import DesktopBus
import NotificationModel
import TestSupport
import Testing

@testable import CenterInterface

/// What goes over the wire, as it is kept in the tree: other programs depend on each key and type.
@Suite struct GoldenTests {
    @Test func `every value of the model has the form on the bus that is kept`() throws {
        var lines: [String] = []
        for seed in 0..<12 as Range<UInt64> {
            var make = ModelGenerator(seed: seed)
            lines += [
                "request \(seed): "
                    + Self.text(NotificationRequest.record.busValue(of: make.request())),
                "pending \(seed): "
                    + Self.text(PendingNotification.record.busValue(of: make.pending())),
                "delivered \(seed): "
                    + Self.text(DeliveredNotification.record.busValue(of: make.delivered())),
                "response \(seed): "
                    + Self.text(NotificationResponse.record.busValue(of: make.response())),
                "category \(seed): "
                    + Self.text(NotificationCategory.record.busValue(of: make.category())),
                "status \(seed): " + Self.text(ServiceStatus.record.busValue(of: make.status())),
                "settings \(seed): "
                    + Self.text(ApplicationSettings.record.busValue(of: make.settings())),
                "identity \(seed): "
                    + Self.text(ApplicationIdentity.record.busValue(of: make.identity())),
                "extension \(seed): "
                    + String(
                        decoding: try ExtensionDocument.input(make.request(), of: .tocsin)
                            .dropLast(),
                        as: UTF8.self),
            ]
        }
        let kept = KeptText(path: "Tests/CenterInterfaceTests/Golden/wire.txt")
        #expect(try kept.isSame(as: lines.joined(separator: "\n") + "\n"), "\(kept.remedy)")
    }

    /// A value with its D-Bus types, on one line.
    private static func text(_ value: BusValue) -> String {
        switch value {
        case .variant(let inner): return text(inner)
        case .array(_, let elements):
            return value.signature.rawValue + "[" + elements.map(text).joined(separator: ", ") + "]"
        case .structure(let members):
            return "(" + members.map(text).joined(separator: ", ") + ")"
        case .dictionary(_, _, let entries):
            let members = entries.map { "\(text($0.key)): \(text($0.value))" }
            return value.signature.rawValue + "{" + members.joined(separator: ", ") + "}"
        case .string(let text): return JSONEscaping.string(text)
        case .bool(let flag): return "\(flag)"
        case .double(let number): return "d\(number)"
        case .bytes(let bytes): return "ay\(bytes)"
        default: return value.signature.rawValue + (value.anyInteger.map { "\($0)" } ?? "?")
        }
    }
}
