internal import CDesktopBus

/// Reads the body of a received message, whose form libdbus has checked: types, UTF-8, limits.
struct BodyReader {
    static func read(_ message: OpaquePointer) throws(BusError) -> [BusValue] {
        var iterator = desktopbus_iterator()
        guard desktopbus_read_begin(message, &iterator) else { return [] }
        return try readAll(&iterator)
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

    private static func readAll(
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

    private static func value(
        _ raw: desktopbus_value, _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> BusValue {
        switch UInt8(truncatingIfNeeded: raw.type) {
        case UInt8(ascii: "y"): .byte(raw.byte)
        case UInt8(ascii: "b"): .bool(raw.boolean)
        case UInt8(ascii: "n"): .int16(raw.int16)
        case UInt8(ascii: "q"): .uint16(raw.uint16)
        case UInt8(ascii: "i"): .int32(raw.int32)
        case UInt8(ascii: "u"): .uint32(raw.uint32)
        case UInt8(ascii: "x"): .int64(raw.int64)
        case UInt8(ascii: "t"): .uint64(raw.uint64)
        case UInt8(ascii: "d"): .double(raw.number)
        case UInt8(ascii: "s"): .string(String(cString: raw.string))
        case UInt8(ascii: "o"): .objectPath(ObjectPath(trusted: String(cString: raw.string)))
        case UInt8(ascii: "g"): .signature(Signature(trusted: String(cString: raw.string)))
        case UInt8(ascii: "h"): try descriptor(raw.descriptor)
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

    private static func members(
        _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> [BusValue] {
        var child = desktopbus_iterator()
        desktopbus_recurse(&iterator, &child)
        return try readAll(&child)
    }

    private static func variant(
        _ iterator: inout desktopbus_iterator
    ) throws(BusError) -> BusValue {
        var child = desktopbus_iterator()
        desktopbus_recurse(&iterator, &child)
        var raw = desktopbus_value()
        _ = desktopbus_read(&child, &raw)
        return .variant(try value(raw, &child))
    }

    private static func array(_ iterator: inout desktopbus_iterator) throws(BusError) -> BusValue {
        switch UInt8(truncatingIfNeeded: desktopbus_element_type(&iterator)) {
        case UInt8(ascii: "y"):
            var count: Int32 = 0
            let bytes = desktopbus_read_bytes(&iterator, &count)
            return .bytes(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        case UInt8(ascii: "s"):
            return .array(element: "s", try members(&iterator))
        case UInt8(ascii: "e"):
            // The array's signature is a{KV} with a key of one letter.
            let type = signature(&iterator).dropFirst(2).dropLast()
            return .dictionary(
                key: Signature(trusted: String(type.prefix(1))),
                value: Signature(trusted: String(type.dropFirst())), try entries(&iterator))
        default:
            let element = Signature(trusted: String(signature(&iterator).dropFirst()))
            return .array(element: element, try members(&iterator))
        }
    }

    private static func entries(
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
