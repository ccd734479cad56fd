package import DesktopBus
package import NotificationModel

extension RecordValue {
    /// Reads a value of the bus.
    ///
    /// A value that no record can hold becomes `unsuitable`. That is an error only if a field needs
    /// the value.
    package init(_ value: BusValue) {
        switch value.unwrapped {
        case .string(let text): self = .string(text)
        case .objectPath(let path): self = .string(path.rawValue)
        case .signature(let signature): self = .string(signature.rawValue)
        case .bool(let flag): self = .boolean(flag)
        case .double(let number): self = .real(number)
        case .bytes(let bytes): self = .data(bytes)
        case .byte(let number): self = .byte(number)
        case .int32(let number): self = .int32(number)
        case .structure(let members):
            self = Self.dateValue(of: members) ?? .unsuitable(value)
        case .array(_, let elements): self = .list(elements.map { RecordValue($0) })
        case .dictionary(_, _, let entries):
            var found: [RecordEntry] = []
            found.reserveCapacity(entries.count)
            for entry in entries {
                guard case .string(let name) = entry.key else {
                    self = .unsuitable(value)
                    return
                }
                found.append(RecordEntry(name, RecordValue(entry.value)))
            }
            self = .record(found)
        case .uint64(let bits): self = Int64(exactly: bits).map { .integer($0) } ?? .bits(bits)
        default: self = value.anyInteger.map { .integer($0) } ?? .unsuitable(value)
        }
    }

    /// The date of a structure `(x)` or `(xi)`; nil for any other structure.
    private static func dateValue(of members: [BusValue]) -> RecordValue? {
        guard case .int64(let microseconds)? = members.first else { return nil }
        let date = Instant(microseconds: microseconds)
        if members.count == 1 { return .date(date) }
        guard members.count == 2, case .int32(let nanoseconds) = members[1],
            (0...999).contains(nanoseconds)
        else { return nil }
        return .date(date, nanoseconds: Int(nanoseconds))
    }

    private static func unsuitable(_ value: BusValue) -> RecordValue {
        .unsuitable("of the D-Bus type \(value.unwrapped.signature.rawValue)")
    }
}

extension BusValue {
    /// A record's entries as `a{sv}`.
    package init(_ entries: [RecordEntry]) {
        self = .vardict(entries.map { ($0.name, BusValue($0.value)) })
    }

    init(_ value: RecordValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .int64(number)
        case .int32(let number): self = .int32(number)
        case .byte(let number): self = .byte(number)
        case .bits(let bits): self = .uint64(bits)
        case .real(let number): self = .double(number)
        case .boolean(let flag): self = .bool(flag)
        case .instant(let date): self = .int64(date.microseconds)
        case .date(let date, nanoseconds: 0): self = .structure([.int64(date.microseconds)])
        case .date(let date, let nanoseconds):
            self = .structure([
                .int64(date.microseconds), .int32(Int32(truncatingIfNeeded: nanoseconds)),
            ])
        case .data(let bytes): self = .bytes(bytes)
        case .strings(let texts): self = .strings(texts)
        case .list(let elements):
            self = .array(element: "v", elements.map { .variant(BusValue($0)) })
        case .record(let entries), .tree(let entries): self = BusValue(entries)
        case .records(let records): self = .dictionaries(records.map { BusValue($0) })
        case .null: self = .string("")
        case .unsuitable(let kind): self = .string(kind)
        }
    }
}

extension Record {
    /// A value as `a{sv}`.
    package func busValue(of root: Root) -> BusValue { BusValue(entries(of: root)) }

    /// Reads the value from an `a{sv}`.
    ///
    /// Error messages name the dictionary by `subject`, for example "the request".
    ///
    /// - Throws: `invalidArgument` if the bus value is no `a{sv}`, or a field is missing or has a
    ///   wrong value.
    package func value(
        of value: BusValue, _ subject: String
    ) throws(NotificationError) -> Root {
        guard let entries = RecordValue(value).entries else {
            throw NotificationError(
                .invalidArgument,
                "In \(subject) a value of the D-Bus type a{sv} was expected, not "
                    + "\(value.unwrapped.signature.rawValue). Send a dictionary of variants.")
        }
        return try self.value(of: entries, subject)
    }
}

extension NotificationContent {
    /// Throws if user info or options nest deeper than D-Bus carries.
    ///
    /// D-Bus allows 64 levels in a message, and variants use some of them.
    func checkDepth() throws(NotificationError) {
        for tree in [userInfo] + attachments.map(\.options) {
            // The limit counts the dictionary itself.
            guard tree.values.allSatisfy({ $0.depth < PropertyListValue.maximumDepth }) else {
                throw NotificationError(
                    .invalidArgument,
                    "The user info or an attachment's options nest deeper than "
                        + "\(PropertyListValue.maximumDepth) levels. Store nested data as bytes.")
            }
        }
    }
}

extension BusValue {
    /// The number if the value has any whole-number type and fits into 64 signed bits.
    ///
    /// Authors of hand-written calls rarely know which type the interface names.
    package var anyInteger: Int64? {
        switch unwrapped {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }
}
