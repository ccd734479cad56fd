internal import CDesktopBus
internal import Glibc

/// Reads the body of a received message; libdbus has checked the types, UTF-8 and limits of the
/// body.
///
/// The reader throws if the values cost more than a budget in bytes. In memory a value takes many
/// times its bytes on the wire, and reading it delays all other callers.
struct BodyReader {
    /// The cost of each value in the budget, in addition to the bytes of a text or byte array.
    ///
    /// Besides its text or byte array, a value takes at most about 16 bytes on the wire, with its
    /// padding and a variant around it. A variant with a long signature takes more; the budget does
    /// not count the signature.
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
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        var reader = BodyReader(budget: budget)
        return try reader.values(from: &iterator)
    }

    /// The first argument, for match rules; nil if the first argument is not a string.
    static func firstString(_ message: OpaquePointer) -> String? {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0, code(at: &iterator) == "s" else {
            return nil
        }
        return String(cString: basic(at: &iterator).str)
    }

    private mutating func spend(_ bytes: Int) throws(BusError) {
        rest -= bytes
        guard rest >= 0 else {
            throw .remote(
                "org.freedesktop.DBus.Error.LimitsExceeded",
                "The message is too large: reading its values exceeds the budget of \(budget) "
                    + "bytes. Send less in one call.")
        }
    }

    /// The type code of the value at an iterator; NUL at the end.
    private static func code(at iterator: inout DBusMessageIter) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)))
    }

    /// Reads a basic value.
    ///
    /// A file descriptor is a duplicate. It is -1 if this process has no free descriptor, or if the
    /// message has no descriptor of that number.
    private static func basic(at iterator: inout DBusMessageIter) -> DBusBasicValue {
        var value = DBusBasicValue()
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private static func contents(at iterator: inout DBusMessageIter) -> DBusMessageIter {
        var contents = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &contents)
        return contents
    }

    private mutating func text(at iterator: inout DBusMessageIter) throws(BusError) -> String {
        let text = String(cString: Self.basic(at: &iterator).str)
        try spend(text.utf8.count)
        return text
    }

    private mutating func values(
        from iterator: inout DBusMessageIter
    ) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while Self.code(at: &iterator) != "\0" {
            values.append(try value(at: &iterator))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private mutating func value(at iterator: inout DBusMessageIter) throws(BusError) -> BusValue {
        let code = Self.code(at: &iterator)
        // The value in a variant costs the same as a value without a variant.
        if code != "v" { try spend(Self.valueCost) }
        return switch code {
        case "y": .byte(Self.basic(at: &iterator).byt)
        case "b": .bool(Self.basic(at: &iterator).bool_val != 0)
        case "n": .int16(Self.basic(at: &iterator).i16)
        case "q": .uint16(Self.basic(at: &iterator).u16)
        case "i": .int32(Self.basic(at: &iterator).i32)
        case "u": .uint32(Self.basic(at: &iterator).u32)
        case "x": .int64(Int64(Self.basic(at: &iterator).i64))
        case "t": .uint64(UInt64(Self.basic(at: &iterator).u64))
        case "d": .double(Self.basic(at: &iterator).dbl)
        case "s": .string(try text(at: &iterator))
        case "o": .objectPath(ObjectPath(trusted: try text(at: &iterator)))
        case "g": .signature(Signature(trusted: try text(at: &iterator)))
        case "h": try Self.descriptor(at: &iterator)
        case "v": try variant(at: &iterator)
        case "a": try array(at: &iterator)
        case "r": try structure(at: &iterator)
        case let code:
            throw BusError(.unexpectedType, "A message holds the unknown type code \(code.value).")
        }
    }

    private static func descriptor(
        at iterator: inout DBusMessageIter
    ) throws(BusError) -> BusValue {
        errno = 0
        let number = basic(at: &iterator).fd
        guard number >= 0 else {
            // If the message has no such descriptor, libdbus makes no system call: `errno` stays 0.
            guard errno != 0 else {
                throw .remote(
                    "org.freedesktop.DBus.Error.InvalidArgs",
                    "A handle (h) names a descriptor that did not come with the message. Attach "
                        + "each descriptor to the message; the first one has the handle 0.")
            }
            throw BusError(
                .limitsExceeded,
                "A received descriptor could not be taken: this program has too many files open. "
                    + "Close some or raise the limit (ulimit -n).")
        }
        return .descriptor(BusDescriptor(adopting: number))
    }

    private mutating func structure(
        at iterator: inout DBusMessageIter
    ) throws(BusError) -> BusValue {
        var contents = Self.contents(at: &iterator)
        return .structure(try values(from: &contents))
    }

    private mutating func variant(at iterator: inout DBusMessageIter) throws(BusError) -> BusValue {
        var contents = Self.contents(at: &iterator)
        if Self.code(at: &contents) == "v" { try spend(Self.valueCost) }
        return .variant(try value(at: &contents))
    }

    private mutating func array(at iterator: inout DBusMessageIter) throws(BusError) -> BusValue {
        var contents = Self.contents(at: &iterator)
        switch dbus_message_iter_get_element_type(&iterator) {
        case Int32(UInt8(ascii: "y")):
            var bytes: UnsafePointer<UInt8>?
            var count: Int32 = 0
            dbus_message_iter_get_fixed_array(&contents, &bytes, &count)
            try spend(Int(count))
            return .bytes(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        case Int32(UInt8(ascii: "s")):
            return .array(element: "s", try values(from: &contents))
        case Int32(UInt8(ascii: "e")):
            // The array's signature is a{KV} with a key of one letter.
            let type = Self.signature(&iterator).dropFirst(2).dropLast()
            return .dictionary(
                key: Signature(trusted: String(type.prefix(1))),
                value: Signature(trusted: String(type.dropFirst())), try entries(from: &contents))
        default:
            let element = Signature(trusted: String(Self.signature(&iterator).dropFirst()))
            return .array(element: element, try values(from: &contents))
        }
    }

    private mutating func entries(
        from iterator: inout DBusMessageIter
    ) throws(BusError) -> [BusValue.Entry] {
        var result: [BusValue.Entry] = []
        while Self.code(at: &iterator) != "\0" {
            var entry = Self.contents(at: &iterator)
            let key = try value(at: &entry)
            dbus_message_iter_next(&entry)
            result.append(BusValue.Entry(key, try value(at: &entry)))
            dbus_message_iter_next(&iterator)
        }
        return result
    }

    private static func signature(_ iterator: inout DBusMessageIter) -> String {
        guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }
}
