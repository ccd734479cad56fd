internal import CDesktopBus

/// Appends checked values to a message; returns false if memory or descriptors ran out.
struct BodyWriter {
    /// Appends values that `BodyMeasure` has accepted; for other values libdbus could abort.
    static func append(_ values: [BusValue], to message: OpaquePointer) -> Bool {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        return values.allSatisfy { append($0, to: &iterator) }
    }

    private static func append(_ value: BusValue, to iterator: inout DBusMessageIter) -> Bool {
        switch value {
        case .byte(let number): fixed(number, "y", &iterator)
        case .bool(let bool): fixed(dbus_bool_t(bool ? 1 : 0), "b", &iterator)
        case .int16(let number): fixed(number, "n", &iterator)
        case .uint16(let number): fixed(number, "q", &iterator)
        case .int32(let number): fixed(number, "i", &iterator)
        case .uint32(let number): fixed(number, "u", &iterator)
        case .int64(let number): fixed(number, "x", &iterator)
        case .uint64(let number): fixed(number, "t", &iterator)
        case .double(let number): fixed(number, "d", &iterator)
        case .descriptor(let descriptor):
            descriptor.withDescriptor { fixed($0, "h", &iterator) }
        case .string(let string): text(string, "s", &iterator)
        case .objectPath(let path): text(path.rawValue, "o", &iterator)
        case .signature(let signature): text(signature.rawValue, "g", &iterator)
        case .bytes(let bytes):
            container("a", "y", &iterator) { child in
                bytes.isEmpty || append(bytes, to: &child)
            }
        case .array(let element, let elements):
            container("a", element.rawValue, &iterator) { child in
                elements.allSatisfy { append($0, to: &child) }
            }
        case .dictionary(let key, let value, let entries):
            container("a", "{\(key.rawValue)\(value.rawValue)}", &iterator) { child in
                entries.allSatisfy { append($0, to: &child) }
            }
        case .structure(let members):
            container("r", nil, &iterator) { child in
                members.allSatisfy { append($0, to: &child) }
            }
        case .variant(let inner):
            container("v", inner.signature.rawValue, &iterator) { append(inner, to: &$0) }
        }
    }

    private static func append(
        _ entry: BusValue.Entry, to iterator: inout DBusMessageIter
    ) -> Bool {
        container("e", nil, &iterator) { child in
            append(entry.key, to: &child) && append(entry.value, to: &child)
        }
    }

    private static func append(_ bytes: [UInt8], to iterator: inout DBusMessageIter) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return dbus_message_iter_append_fixed_array(
                &iterator, code("y"), &start, Int32(buffer.count)) != 0
        }
    }

    private static func fixed<Number>(
        _ number: Number, _ type: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) -> Bool {
        withUnsafePointer(to: number) {
            dbus_message_iter_append_basic(&iterator, code(type), $0) != 0
        }
    }

    private static func text(
        _ text: String, _ type: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) -> Bool {
        text.withCString { fixed($0, type, &iterator) }
    }

    private static func code(_ type: Unicode.Scalar) -> Int32 { Int32(type.value) }

    private static func container(
        _ type: Unicode.Scalar, _ contents: String?, _ parent: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var child = DBusMessageIter()
        guard dbus_message_iter_open_container(&parent, code(type), contents, &child) != 0 else {
            return false
        }
        guard body(&child) else {
            dbus_message_iter_abandon_container(&parent, &child)
            return false
        }
        return dbus_message_iter_close_container(&parent, &child) != 0
    }
}
