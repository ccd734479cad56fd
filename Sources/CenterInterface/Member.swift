package import DesktopBus
internal import NotificationModel

/// The description of one member that clients call, shared by the client and the server.
///
/// It says who may call the member, which quotas a call uses, and whether a client may repeat the
/// call. No property has a default, so that each member states every property.
package struct Member<Input: Sendable, Output: Sendable>: Sendable {
    package let name: MemberName
    let input: Arguments<Input>
    let output: Arguments<Output>
    let scope: AccessScope
    let cost: MemberCost
    /// Whether a call with an unknown outcome can be repeated without taking effect twice.
    let isRepeatable: Bool
    let perform: nonisolated(nonsending) @Sendable (Caller, Input) async throws -> Output

    func row(of exporter: ServiceExporter) -> MethodEntry { exporter.row(self) }
}

struct Caller: Sendable {
    let name: BusName
    let exporter: ServiceExporter
    /// Performs the calls that do not need the caller's sessions, files or rights; `exporter`
    /// performs all other calls.
    let service: any NotificationService
}

/// The quotas that a call uses in addition to the quota of its app or process.
enum MemberCost: Hashable, Sendable {
    /// The call uses no other quota.
    case plain
    /// The call returns a page of a list; an app or process gets few pages at a time.
    case page
    /// The call stores data of an app, and the app may be new.
    case savesApp
    /// The call waits, perhaps for days.
    case waits
    /// The call waits for the user or a push distributor to decide about an app, which may be new.
    case waitsForApp

    var isWait: Bool { self == .waits || self == .waitsForApp }
    var introducesApp: Bool { self == .savesApp || self == .waitsForApp }

    /// The timeout of the call; nil if the call has the connection's default timeout.
    var timeout: Duration? {
        switch self {
        case .plain, .page, .savesApp: nil
        // A request may be pending for years.
        case .waits: .seconds(Int32.max)
        // A question to the user times out earlier than this.
        case .waitsForApp: .seconds(120)
        }
    }
}

struct Signal<Payload: Sendable>: Sendable {
    let name: MemberName
    let payload: Arguments<Payload>

    init(_ name: MemberName, _ payload: Arguments<Payload>) {
        self.name = name
        self.payload = payload
    }

    var entry: SignalEntry { SignalEntry(name, payload.entries) }

    /// The payload of a received signal; nil if the signal has another name or cannot be decoded.
    func payload(of signal: BusSignal) -> Payload? {
        guard signal.member == name else { return nil }
        return try? payload.decode(signal.arguments)
    }
}

/// A closure that gets each item that a list leaves out because D-Bus cannot carry the item.
///
/// If such an item stayed in the list, the whole list would fail, for every app in it.
typealias Omission = (any Sendable, NotificationError) -> Void

/// The arguments of a call, an answer or a signal as one value: several arguments are a tuple.
struct Arguments<Value: Sendable>: Sendable {
    let entries: [ArgumentEntry]
    private let write: @Sendable (Value, Omission?) throws(NotificationError) -> [BusValue]
    let decode: @Sendable ([BusValue]) throws(NotificationError) -> Value

    init<each Part: Sendable>(_ arguments: repeat Argument<each Part>)
    where Value == (repeat each Part) {
        var entries: [ArgumentEntry] = []
        repeat entries.append((each arguments).entry)
        self.entries = entries
        let count = entries.count
        write = { value, omission throws(NotificationError) in
            var list: [BusValue] = []
            for (argument, part) in repeat (each arguments, each value) {
                list.append(try argument.write(part, omission))
            }
            return list
        }
        decode = { values throws(NotificationError) in
            guard values.count == count else {
                throw NotificationError(
                    .protocolViolation, "It has \(values.count) arguments in place of \(count).")
            }
            var rest = values[...]
            func next<One>(_ argument: Argument<One>) throws(NotificationError) -> One {
                try argument.decode(rest.removeFirst())
            }
            return (repeat try next(each arguments))
        }
    }

    init<Element>(page name: String, _ record: Record<Element>) where Value == ListPage<Element> {
        let parts = Arguments<([Element], String)>(Argument(name, list: record), Argument("next"))
        entries = parts.entries
        write = { page, omission throws(NotificationError) in
            try parts.write((page.notifications, page.next?.rawValue ?? ""), omission)
        }
        decode = { values throws(NotificationError) in
            let (list, next) = try parts.decode(values)
            return ListPage(
                notifications: list, next: next.isEmpty ? nil : PageCursor(rawValue: next))
        }
    }

    func encode(
        _ value: Value, leavingOut omission: Omission? = nil
    ) throws(NotificationError) -> [BusValue] {
        try write(value, omission)
    }
}

struct Argument<Value: Sendable>: Sendable {
    let entry: ArgumentEntry
    let write: @Sendable (Value, Omission?) throws(NotificationError) -> BusValue
    let decode: @Sendable (BusValue) throws(NotificationError) -> Value

    init(
        _ name: String, _ signature: Signature,
        encode: @escaping @Sendable (Value) throws(NotificationError) -> BusValue,
        decode: @escaping @Sendable (BusValue) throws(NotificationError) -> Value
    ) {
        entry = ArgumentEntry(name, signature)
        write = { value, _ throws(NotificationError) in try encode(value) }
        self.decode = decode
    }

    init(_ name: String) where Value: BusScalar {
        self.init(name, Value.signature) {
            BusValue($0.recordValue)
        } decode: { value throws(NotificationError) in
            try Value.argument(value, name)
        }
    }

    /// A scalar or nil; on the bus, an empty text stands for nil.
    init<Scalar: BusScalar>(optional name: String) where Value == Scalar? {
        self.init(name, "s") {
            $0.map { BusValue($0.recordValue) } ?? .string("")
        } decode: { value throws(NotificationError) in
            value.stringValue == "" ? nil : try Scalar.argument(value, name)
        }
    }

    init(
        _ name: String, _ record: Record<Value>,
        check: @escaping @Sendable (Value) throws(NotificationError) -> Void =
            { _ throws(NotificationError) in }
    ) {
        self.init(name, "a{sv}") { value throws(NotificationError) in
            try check(value)
            return record.busValue(of: value)
        } decode: { value throws(NotificationError) in
            try record.value(of: value, "the \(name)")
        }
    }

    /// A list of records; an `Omission` closure gets each record that D-Bus cannot carry.
    init<Element>(
        _ name: String, list record: Record<Element>,
        check: @escaping @Sendable (Element) throws(NotificationError) -> Void =
            { _ throws(NotificationError) in }
    ) where Value == [Element] {
        entry = ArgumentEntry(name, "aa{sv}")
        write = { list, omission throws(NotificationError) in
            var values: [BusValue] = []
            for element in list {
                do throws(NotificationError) {
                    try check(element)
                    let value = record.busValue(of: element)
                    // If `omission` is nil, the value is checked later, when the message is sent.
                    values.append(omission == nil ? value : try value.checked())
                } catch {
                    guard let omission else { throw error }
                    omission(element, error)
                }
            }
            return .dictionaries(values)
        }
        decode = { value throws(NotificationError) in
            try (value.unwrapped.arrayValue ?? []).map { element throws(NotificationError) in
                try record.value(of: element, "the \(name)")
            }
        }
    }
}

protocol BusScalar: RecordScalar {
    static var signature: Signature { get }
}

extension BusScalar {
    fileprivate static func argument(
        _ value: BusValue, _ name: String
    ) throws(NotificationError) -> Self {
        guard let scalar = Self(recordValue: RecordValue(value)) else {
            let found = value.stringValue.map { $0.quotedForMessage() }
            throw NotificationError(
                .invalidArgument,
                "The \(name) is \(found ?? RecordValue(value).kind); it must be \(wanted).")
        }
        return scalar
    }
}

extension String: BusScalar { static var signature: Signature { "s" } }
extension Bool: BusScalar { static var signature: Signature { "b" } }
extension Int: BusScalar { static var signature: Signature { "x" } }
extension Int64: BusScalar { static var signature: Signature { "x" } }
extension Double: BusScalar { static var signature: Signature { "d" } }
extension Instant: BusScalar { static var signature: Signature { "x" } }
extension [String]: BusScalar { static var signature: Signature { "as" } }
extension ApplicationID: BusScalar { static var signature: Signature { "s" } }
extension LocationPermission: BusScalar { static var signature: Signature { "s" } }
extension PermissionDecision: BusScalar { static var signature: Signature { "s" } }
extension ShowPreviews: BusScalar { static var signature: Signature { "s" } }
extension Permission.Options: BusScalar { static var signature: Signature { "t" } }
extension Token: BusScalar { static var signature: Signature { "t" } }

extension BusValue {
    static func dictionaries(_ values: [BusValue]) -> BusValue {
        .array(element: "a{sv}", values)
    }

    func checked() throws(NotificationError) -> BusValue {
        do throws(BusError) {
            try checkForSending()
            return self
        } catch {
            throw NotificationError(.invalidArgument, error.message)
        }
    }
}
