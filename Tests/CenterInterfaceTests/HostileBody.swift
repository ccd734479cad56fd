import DesktopBus
import TestSupport

/// Bodies with the keys of the interface and values of any type.
struct HostileBody {
    private var random: SeededGenerator

    private static let keys = [
        "id", "title", "body", "badge", "sound", "attachments", "userInfo", "level", "desktop",
        "hints", "trigger", "kind", "seconds", "date", "components", "hour", "repeats", "app",
        "state", "nextFire", "actions", "options", "intents", "textInput", "outcome", "action",
        "notification", "presenter", "capabilities", "arguments", "name", "volume", "urgency",
    ]
    private static let words = [
        "", "a", "interval", "calendar", "at", "push", "pending", "default", "named", "reply",
        "org.example.App", "../x", ".x", "critical",
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Returns a dictionary in nine of ten cases.
    mutating func body() -> BusValue {
        Int.random(in: 0..<10, using: &random) == 0 ? value(3) : dictionary(3)
    }

    private mutating func dictionary(_ depth: Int) -> BusValue {
        let count = Int.random(in: 0...12, using: &random)
        return .vardict(
            (0..<count).map { _ in
                (Self.keys.randomElement(using: &random) ?? "", value(depth - 1))
            })
    }

    private mutating func value(_ depth: Int) -> BusValue {
        switch Int.random(in: 0...(depth > 0 ? 14 : 9), using: &random) {
        case 0: .bool(Bool.random(using: &random))
        case 1: .byte(.random(in: 0 ... .max, using: &random))
        case 2: .int16(.random(in: .min ... .max, using: &random))
        case 3: .uint64(.random(in: 0 ... .max, using: &random))
        case 4: .int64(.random(in: .min ... .max, using: &random))
        case 5: .double(Double(bitPattern: random.next()))
        case 6, 7: .string(Self.words.randomElement(using: &random) ?? "")
        case 8: .bytes([1, 2, 3])
        case 9: .objectPath("/a")
        case 10: .variant(value(depth - 1))
        case 11: .structure([value(depth - 1)])
        case 12: .array(element: "a{sv}", [dictionary(depth - 1), dictionary(depth - 1)])
        default: dictionary(depth - 1)
        }
    }
}
