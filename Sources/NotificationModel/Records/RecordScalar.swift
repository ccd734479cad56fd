/// A value that is one entry of a record.
package protocol RecordScalar: Equatable, Sendable {
    /// The expected kind of value, as a message names it: "a whole number".
    static var wanted: String { get }
    var recordValue: RecordValue { get }
    /// Makes the value from any type that can express the value; nil from any other type.
    init?(recordValue: RecordValue)
    /// Whether writing may leave out this value if `other` is the default.
    func isSame(as other: Self) -> Bool
}

extension RecordScalar {
    package func isSame(as other: Self) -> Bool { self == other }

    static func read(_ value: RecordValue, _ name: String) throws(RecordError) -> Self {
        if let read = Self(recordValue: value) { return read }
        guard let shown = value.shown else {
            throw RecordError(name, "must be \(wanted); it is \(value.kind)")
        }
        // A whole number may be too large for a signed field.
        let isTooLarge = value.exceedsSigned && wanted == Int64.wanted
        let bound = isTooLarge ? " of at most \(Int64.max)" : ""
        throw RecordError(name, "is \(shown); it must be \(wanted)\(bound)")
    }
}

extension RecordValue {
    /// The value as a message shows it; nil if a message names only the kind of the value.
    fileprivate var shown: String? {
        switch self {
        case .string(let text): text.quotedForMessage()
        case .real(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .bits(let bits): "\(bits)"
        default: wholeNumber.map { "\($0)" }
        }
    }

    /// Whether the value is a number above the largest signed whole number.
    fileprivate var exceedsSigned: Bool {
        switch self {
        case .bits(let bits): bits > Int64.max
        case .real(let number): number >= 0x1p63
        default: false
        }
    }

    /// A signed whole number, or a byte; nil for any other value.
    fileprivate var wholeNumber: Int64? {
        switch self {
        case .integer(let number): number
        case .int32(let number): Int64(number)
        case .byte(let number): Int64(number)
        default: nil
        }
    }

    /// A whole number of any type that is not negative; nil for any other value.
    fileprivate var naturalNumber: UInt64? {
        if case .bits(let bits) = self { return bits }
        return wholeNumber.flatMap { UInt64(exactly: $0) }
    }
}

extension String: RecordScalar {
    package static var wanted: String { "a string" }
    package var recordValue: RecordValue { .string(self) }
    package init?(recordValue: RecordValue) {
        guard case .string(let text) = recordValue else { return nil }
        self = text
    }
}

extension Bool: RecordScalar {
    package static var wanted: String { "a boolean" }
    package var recordValue: RecordValue { .boolean(self) }
    package init?(recordValue: RecordValue) {
        guard case .boolean(let flag) = recordValue else { return nil }
        self = flag
    }
}

extension RecordScalar where Self: FixedWidthInteger {
    package init?(recordValue: RecordValue) {
        guard let number = recordValue.wholeNumber else { return nil }
        self.init(exactly: number)
    }
}

extension Int: RecordScalar {
    package static var wanted: String { "a whole number" }
    package var recordValue: RecordValue { .integer(Int64(self)) }
}

extension Int64: RecordScalar {
    package static var wanted: String { "a whole number" }
    package var recordValue: RecordValue { .integer(self) }
}

extension Int32: RecordScalar {
    package static var wanted: String { "a whole number from \(min) to \(max)" }
    package var recordValue: RecordValue { .int32(self) }
}

extension UInt8: RecordScalar {
    package static var wanted: String { "a whole number from 0 to 255" }
    package var recordValue: RecordValue { .byte(self) }
}

extension Double: RecordScalar {
    package static var wanted: String { "a number" }
    package var recordValue: RecordValue { .real(self) }
    package init?(recordValue: RecordValue) {
        if case .real(let number) = recordValue {
            self = number
        } else if let number = recordValue.wholeNumber {
            self = Double(number)
        } else {
            guard let number = recordValue.naturalNumber else { return nil }
            self = Double(number)
        }
    }

    // Minus zero differs from the default 0, so writing must not leave out minus zero.
    package func isSame(as other: Double) -> Bool { bitPattern == other.bitPattern }
}

extension Float: RecordScalar {
    package static var wanted: String { Double.wanted }
    package var recordValue: RecordValue { .real(Double(self)) }
    package init?(recordValue: RecordValue) {
        guard let number = Double(recordValue: recordValue) else { return nil }
        self.init(number)
        // Reject a number that is too large for 32 bits: it would become infinite.
        guard isFinite || !number.isFinite else { return nil }
    }
}

extension Instant: RecordScalar {
    package static var wanted: String { "a date such as '2026-12-24T18:00:00Z'" }
    package var recordValue: RecordValue { .instant(self) }
    package init?(recordValue: RecordValue) {
        switch recordValue {
        case .instant(let date), .date(let date, _): self = date
        case .string(let text):
            guard let date = Instant(rfc3339: text) else { return nil }
            self = date
        default:
            guard let number = recordValue.wholeNumber else { return nil }
            self.init(microseconds: number)
        }
    }
}

extension [String]: RecordScalar {
    package static var wanted: String { "a list of strings" }
    package var recordValue: RecordValue { .strings(self) }
    package init?(recordValue: RecordValue) {
        switch recordValue {
        case .strings(let texts): self = texts
        case .list(let elements):
            let texts = elements.compactMap { String(recordValue: $0) }
            guard texts.count == elements.count else { return nil }
            self = texts
        default: return nil
        }
    }
}

extension NotificationRecord.Reason: RecordScalar {
    package static var wanted: String { String.wanted }
    package var recordValue: RecordValue { .string(rawValue) }
    package init?(recordValue: RecordValue) {
        guard case .string(let word) = recordValue else { return nil }
        self.init(rawValue: word)
    }
}

// MARK: - Cases by name

/// A type whose cases each have one name for every encoding: D-Bus, JSON and the store.
package protocol NamedCase: RecordScalar, CaseIterable {
    var name: String { get }
}

extension NamedCase {
    package init?(name: String) {
        guard let named = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = named
    }

    /// All names, as a message lists them: "allow, deny or reset".
    package static var wanted: String { allCases.map(\.name).alternatives }
    package var recordValue: RecordValue { .string(name) }
    package init?(recordValue: RecordValue) {
        guard case .string(let name) = recordValue else { return nil }
        self.init(name: name)
    }
}

extension NamedCase where Self: RawRepresentable, RawValue == String {
    /// The word that stands for the case in every encoding.
    package var name: String { rawValue }
}

extension NamedCase where Self: RawRepresentable, RawValue == Int {
    /// The name of the case in Swift, mostly Apple's name.
    package var name: String { "\(self)" }
}

extension [String] {
    /// The texts as a message lists them: "a, b or c".
    package var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}

extension CatchUp: NamedCase {}
extension PendingNotification.State: NamedCase {}
extension LocationPermission: NamedCase {}
extension Permission.Status: NamedCase {}
extension PermissionDecision: NamedCase {}
extension ShowPreviews: NamedCase {}

extension InterruptionLevel: NamedCase {
    /// The name on D-Bus, in JSON and on the command line, as in Apple's push payloads.
    package var name: String {
        switch self {
        case .passive: "passive"
        case .active: "active"
        case .timeSensitive: "time-sensitive"
        case .critical: "critical"
        }
    }
}

// MARK: - Other scalars

extension RecordScalar where Self: OptionSet, RawValue == UInt {
    package static var wanted: String { "a whole number of option bits" }
    package var recordValue: RecordValue { .bits(UInt64(rawValue)) }
    package init?(recordValue: RecordValue) {
        guard let bits = recordValue.naturalNumber else { return nil }
        self.init(rawValue: UInt(bits))
    }
}

extension RecordScalar where Self: RawRepresentable, RawValue == UInt64 {
    package static var wanted: String { "a whole number of at least 0" }
    package var recordValue: RecordValue { .bits(rawValue) }
    package init?(recordValue: RecordValue) {
        guard let bits = recordValue.naturalNumber else { return nil }
        self.init(rawValue: bits)
    }
}

extension Token: RecordScalar {}

extension ApplicationID: RecordScalar {
    package static var wanted: String {
        "the name of an app's desktop file without '.desktop': 1 to 255 bytes, no '/', no control "
            + "characters and no leading dot"
    }
    package var recordValue: RecordValue { .string(rawValue) }
    package init?(recordValue: RecordValue) {
        guard case .string(let text) = recordValue, let id = try? ApplicationID(text) else {
            return nil
        }
        self = id
    }
}

extension DesktopOptions.Hint: RecordScalar {
    package static var wanted: String { "of the D-Bus type b, y, i, d or s" }
    package var recordValue: RecordValue {
        switch self {
        case .boolean(let value): .boolean(value)
        case .byte(let value): .byte(value)
        case .integer(let value): .int32(value)
        case .double(let value): .real(value)
        case .string(let value): .string(value)
        }
    }
    package init?(recordValue: RecordValue) {
        switch recordValue {
        case .boolean(let value): self = .boolean(value)
        case .byte(let value): self = .byte(value)
        case .int32(let value): self = .integer(value)
        case .real(let value): self = .double(value)
        case .string(let value): self = .string(value)
        default: return nil
        }
    }
}
