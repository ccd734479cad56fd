internal import CDesktopBus

/// Reads the body of a received message, whose form libdbus has checked: types, UTF-8, limits.
///
/// It stops at a budget: a value takes many times its bytes in memory, and reading holds up all
/// other callers.
struct BodyReader {
    /// What a value costs beside its text, in bytes of the budget: 16 on the wire, at most.
    private static let valueCost = 16

    private let budget: Int
    private var rest: Int

    private init(budget: Int) {
        self.budget = budget
        rest = budget
    }

    static func read(
        _ message: OpaquePointer, budget: Int
    ) throws(BusError) -> [BusValue] {
        var iterator = desktopbus_iterator()
        guard desktopbus_read_begin(message, &iterator) else { return [] }
        var reader = BodyReader(budget: budget)
        return try reader.readAll(&iterator)
    }

    private mutating func spend(_ bytes: Int) throws(BusError) {
        rest -= bytes
        guard rest >= 0 else {
            throw .remote(
                "org.freedesktop.DBus.Error.LimitsExceeded",
                "The message has more than \(budget) bytes. Send less in one call.")
        }
    }

    private mutating func text(_ raw: desktopbus_value) throws(BusError) -> String {
        let text = String(cString: raw.string)
        try spend(text.utf8.count)
        return text
    }

    /// The first argument if it is a string, as match rules compare it.
    static func firstString(_ message: OpaquePointer) -> String? {
        var iterator = desktopbus_iterator()
        var raw = desktopbus_value()
        guard desktopbus_read_begin(message, &iterator),
            desktopbus_read(&iterator, &raw) == Int32(UInt8(ascii: "s"))
        else { return nil }
        return String(cString: raw.string)
    }

    private mutating func readAll(
        _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        var raw = desktopbus_value()
        while desktopbus_read(&iterator, &raw) != 0 {
            values.append(try value(raw, &iterator))
            _ = desktopbus_next(&iterator)
        }
        return values
    }

    private mutating func value(
        _ raw: desktopbus_value, _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> BusValue {
        try spend(Self.valueCost)
        return switch UInt8(truncatingIfNeeded: raw.type) {
        case UInt8(ascii: "y"): .byte(raw.byte)
        case UInt8(ascii: "b"): .bool(raw.boolean)
        case UInt8(ascii: "n"): .int16(raw.int16)
        case UInt8(ascii: "q"): .uint16(raw.uint16)
        case UInt8(ascii: "i"): .int32(raw.int32)
        case UInt8(ascii: "u"): .uint32(raw.uint32)
        case UInt8(ascii: "x"): .int64(raw.int64)
        case UInt8(ascii: "t"): .uint64(raw.uint64)
        case UInt8(ascii: "d"): .double(raw.number)
        case UInt8(ascii: "s"): .string(try text(raw))
        case UInt8(ascii: "o"): .objectPath(ObjectPath(trusted: try text(raw)))
        case UInt8(ascii: "g"): .signature(Signature(trusted: try text(raw)))
        case UInt8(ascii: "h"): try Self.descriptor(raw.descriptor)
        case UInt8(ascii: "v"): try variant(&iterator)
        case UInt8(ascii: "a"): try array(&iterator)
        case UInt8(ascii: "r"): .structure(try members(&iterator))
        default:
            throw BusError(.unexpectedType, "A message holds the unknown type code \(raw.type).")
        }
    }

    private static func descriptor(_ number: Int32) throws(BusError) -> BusValue {
        guard number >= 0 else {
            throw BusError(
                .limitsExceeded,
                "A received descriptor could not be taken: this program has too many open. "
                    + "Close some or raise the limit (ulimit -n).")
        }
        return .descriptor(BusDescriptor(adopting: number))
    }

    private mutating func members(
        _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> [BusValue] {
        var child = desktopbus_iterator()
        desktopbus_recurse(&iterator, &child)
        return try readAll(&child)
    }

    private mutating func variant(
        _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> BusValue {
        var child = desktopbus_iterator()
        desktopbus_recurse(&iterator, &child)
        var raw = desktopbus_value()
        _ = desktopbus_read(&child, &raw)
        return .variant(try value(raw, &child))
    }

    private mutating func array(_ iterator: inout desktopbus_iterator) throws(BusError) -> BusValue
    {
        switch UInt8(truncatingIfNeeded: desktopbus_element_type(&iterator)) {
        case UInt8(ascii: "y"):
            var count: Int32 = 0
            let bytes = desktopbus_read_bytes(&iterator, &count)
            try spend(Int(count))
            return .bytes(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        case UInt8(ascii: "s"):
            return .array(element: "s", try members(&iterator))
        case UInt8(ascii: "e"):
            // The array's signature is a{KV} with a key of one letter.
            let type = Self.signature(&iterator).dropFirst(2).dropLast()
            return .dictionary(
                key: Signature(trusted: String(type.prefix(1))),
                value: Signature(trusted: String(type.dropFirst())), try entries(&iterator))
        default:
            let element = Signature(trusted: String(Self.signature(&iterator).dropFirst()))
            return .array(element: element, try members(&iterator))
        }
    }

    private mutating func entries(
        _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> [BusValue.Entry] {
        var result: [BusValue.Entry] = []
        var child = desktopbus_iterator()
        var raw = desktopbus_value()
        desktopbus_recurse(&iterator, &child)
        while desktopbus_read(&child, &raw) != 0 {
            var entry = desktopbus_iterator()
            desktopbus_recurse(&child, &entry)
            _ = desktopbus_read(&entry, &raw)
            let key = try value(raw, &entry)
            _ = desktopbus_next(&entry)
            _ = desktopbus_read(&entry, &raw)
            result.append(BusValue.Entry(key, try value(raw, &entry)))
            _ = desktopbus_next(&child)
        }
        return result
    }

    private static func signature(_ iterator: inout desktopbus_iterator) -> String {
        guard let text = desktopbus_signature(&iterator) else { return "" }
        defer { desktopbus_free(text) }
        return String(cString: text)
    }
}
