import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport

/// Makes random requests of every kind for twenty apps, some with an explicit zone.
struct YearGenerator {
    private static let zones = [
        "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "Asia/Kathmandu", "Europe/London",
    ]
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Returns the request of this number.
    mutating func request(_ number: Int) -> (ApplicationID, NotificationRequest) {
        let trigger =
            switch number % 5 {
            case 0: words()
            case 1: cron()
            case 2: systemd()
            case 3: components()
            default: interval(number)
            }
        let app = (try? ApplicationID("org.app\(number % 20)")) ?? .tocsin
        return (app, .sample("r\(number)", trigger))
    }

    private mutating func words() -> NotificationTrigger {
        let minute = minute
        let time = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
        let text =
            switch pick(0...11) {
            case 0: "2 weeks on \(day) at \(time)"
            case 1: "\(day) at \(time)"
            case 2, 3: "year on march \(pick(1...31)) at \(time)"
            case 4, 5, 6: "month on the last day at \(time)"
            case 7, 8, 9: "first \(day) of month at \(time)"
            default: "month on the \(pick(1...28)) at \(time)"
            }
        return .rule(NotificationRule(text, timeZone: zone))
    }

    private mutating func cron() -> NotificationTrigger {
        let time = "\(minute) \(hour)"
        let text =
            switch pick(0...11) {
            case 0: "\(time) * * \(pick(0...6))"
            case 1, 2, 3: "\(time) \(pick(1...28)) */3 *"
            default: "\(time) \(pick(1...28)) * *"
            }
        return .rule(NotificationRule("cron \(text)", timeZone: zone))
    }

    private mutating func systemd() -> NotificationTrigger {
        let time = "\(hour):\(minute):\(pick(0...3) == 0 ? 59 : 0)"
        let text =
            switch pick(0...11) {
            case 0: "\(day) \(time)"
            case 1, 2, 3: "*-1/2-\(pick(1...31)) \(time)"
            case 4, 5, 6, 7: "*-*-\(pick(1...31)) \(time)"
            default: "*-*~\(pick(1...5)) \(time) \(Self.zones[pick(0...4)])"
            }
        return .rule(NotificationRule("calendar \(text)"))
    }

    private mutating func components() -> NotificationTrigger {
        var components = CalendarComponents()
        (components.hour, components.minute) = (hour, minute)
        switch pick(0...11) {
        case 0: components.weekday = pick(1...7)
        case 1, 2, 3, 4, 5, 6: components.day = pick(1...31)
        default: (components.month, components.day) = (pick(1...12), pick(1...28))
        }
        components.timeZone = zone
        return .calendar(components, repeats: true)
    }

    /// Request 4 fires several times a night, for a month.
    private mutating func interval(_ number: Int) -> NotificationTrigger {
        if number == 4 { return .rule(NotificationRule("cron 0 */3 * 2 *")) }
        if pick(0...1) == 0 { return .rule(NotificationRule("\(pick(500...1_500))h")) }
        return .interval(seconds: Double(pick(1_000_000...6_000_000)), repeats: true)
    }

    /// There are few hours, so that many requests are due together.
    private var hour: Int { mutating get { [2, 3, 7, 12, 18, 23][pick(0...5)] } }
    private var minute: Int { mutating get { [0, 30, pick(10...59)][pick(0...2)] } }

    private var day: String { mutating get { Self.days[pick(0...6)] } }

    /// A third of the requests have an explicit zone.
    private var zone: String? {
        mutating get { pick(0...2) == 0 ? Self.zones[pick(0...4)] : nil }
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}
