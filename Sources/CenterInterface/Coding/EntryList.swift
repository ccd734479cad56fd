internal import DesktopBus
internal import NotificationModel

/// The entries of an `a{sv}` under encoding; what has its default value is left out.
struct EntryList {
    private(set) var entries: [(String, BusValue)] = []

    var value: BusValue { .vardict(entries) }

    mutating func add(_ key: String, _ value: BusValue?) {
        if let value { entries.append((key, value)) }
    }

    mutating func add(_ record: [RecordEntry]) {
        entries += record.map { ($0.name, BusValue($0.value)) }
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

    mutating func count(_ key: String, _ number: Int) {
        if number != 0 { integer(key, number) }
    }

    mutating func instant(_ key: String, _ instant: Instant?) {
        add(key, instant.map { .int64($0.microseconds) })
    }

    mutating func strings(_ key: String, _ strings: [String]) {
        if !strings.isEmpty { add(key, .strings(strings)) }
    }

    mutating func dictionaries(_ key: String, _ values: [BusValue]) {
        if !values.isEmpty { add(key, .dictionaries(values)) }
    }
}

extension BusValue {
    /// An `aa{sv}`.
    static func dictionaries(_ values: [BusValue]) -> BusValue {
        .array(element: "a{sv}", values)
    }
}
