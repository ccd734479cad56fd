internal import CDesktopBus

/// Appends checked values to a message; false means that memory or descriptors ran out.
struct BodyWriter {
    /// Appends all; to be used only after `BodyMeasure` has passed the same values.
    static func append(_ values: [BusValue], to message: OpaquePointer) -> Bool {
        var iterator = desktopbus_iterator()
        desktopbus_append_begin(message, &iterator)
        return values.allSatisfy { append($0, to: &iterator) }
    }

    private static func append(_ value: BusValue, to iterator: inout desktopbus_iterator) -> Bool {
        switch value {
        case .byte(let number): fixed(number, "y", &iterator)
        case .bool(let bool): fixed(bool, "b", &iterator)
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
            bytes.withUnsafeBufferPointer {
                desktopbus_append_bytes(&iterator, $0.baseAddress, Int32($0.count))
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
        _ entry: BusValue.Entry, to iterator: inout desktopbus_iterator
    ) -> Bool {
        container("e", nil, &iterator) { child in
            append(entry.key, to: &child) && append(entry.value, to: &child)
        }
    }

    private static func fixed<Number>(
        _ number: Number, _ code: Unicode.Scalar, _ iterator: inout desktopbus_iterator
    ) -> Bool {
        withUnsafePointer(to: number) {
            desktopbus_append_fixed(&iterator, Int32(code.value), $0)
        }
    }

    private static func text(
        _ text: String, _ code: Unicode.Scalar, _ iterator: inout desktopbus_iterator
    ) -> Bool {
        desktopbus_append_string(&iterator, Int32(code.value), text)
    }

    private static func container(
        _ code: Unicode.Scalar, _ contents: String?, _ parent: inout desktopbus_iterator,
        _ body: (inout desktopbus_iterator) -> Bool
    ) -> Bool {
        var child = desktopbus_iterator()
        let type = Int32(code.value)
        guard desktopbus_open_container(&parent, type, contents, &child) else { return false }
        guard body(&child) else {
            desktopbus_abandon_container(&parent, &child)
            return false
        }
        return desktopbus_close_container(&parent, &child)
    }
}
