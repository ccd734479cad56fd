internal import DesktopBus
internal import NotificationModel

/// The entries of an `a{sv}` under encoding; what has its default value is left out.
struct EntryList {
    private(set) var entries: [(String, BusValue)] = []

    var value: BusValue { .vardict(entries) }

    mutating func add(_ key: String, _ value: BusValue?) {
        if let value { entries.append((key, value)) }
    }

    mutating func text(_ key: String, _ text: String) {
        if !text.isEmpty { add(key, .string(text)) }
    }

    mutating func text(_ key: String, _ text: String?) {
        add(key, text.map { .string($0) })
    }

    mutating func flag(_ key: String, _ flag: Bool) {
        if flag { add(key, .bool(true)) }
    }

    mutating func integer(_ key: String, _ number: Int?) {
        add(key, number.map { .int64(Int64($0)) })
    }

    mutating func instant(_ key: String, _ instant: Instant?) {
        add(key, instant.map { .int64($0.microseconds) })
    }
}

extension BusValue {
    /// An `aa{sv}`.
    static func dictionaries(_ values: [BusValue]) -> BusValue {
        .array(element: "a{sv}", values)
    }
}
