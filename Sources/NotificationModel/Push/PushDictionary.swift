/// A dictionary of a push payload under reading: a key that is missing is nil, one that is unknown
/// is left alone, one of a wrong type is an error that names it.
struct PushDictionary {
    let entries: [String: PropertyListValue]
    private let path: String

    init(_ entries: [String: PropertyListValue], path: String) {
        self.entries = entries
        self.path = path
    }

    func text(_ key: String) throws(NotificationError) -> String? {
        switch entries[key] {
        case nil: return nil
        case .string(let text): return text
        default: throw wrong(key, "a string")
        }
    }

    func number(_ key: String) throws(NotificationError) -> Double? {
        switch entries[key] {
        case nil: return nil
        case .integer(let number): return Double(number)
        case .real(let number): return number
        default: throw wrong(key, "a number")
        }
    }

    /// Sets the fields of content that have a name here.
    func set(
        _ content: inout NotificationContent, isAlert: Bool
    ) throws(NotificationError) {
        for field in NotificationContent.fields.fields {
            guard let push = field.push, push.isInAlert == isAlert, let value = entries[push.name]
            else { continue }
            do throws(RecordError) {
                try field.set(&content, field.names[0], Self.recordValue(value))
            } catch {
                throw PushPayload.unusable("'\(name(push.name))' \(error.problem)")
            }
            do throws(NotificationError) {
                try field.check?(content, "the push payload")
            } catch {
                throw NotificationError(.invalidArgument, error.message)
            }
        }
    }

    /// A whole number is one however it is written: some senders know numbers with fractions alone.
    private static func recordValue(_ value: PropertyListValue) -> RecordValue {
        if case .real(let number) = value, let whole = Int64(exactly: number) {
            return .integer(whole)
        }
        return RecordValue(value)
    }

    /// Apple writes 1 for yes.
    func flag(_ key: String) throws(NotificationError) -> Bool {
        if case .boolean(let flag)? = entries[key] { return flag }
        return try number(key) == 1
    }

    func dictionary(
        _ key: String, or other: String
    ) throws(NotificationError) -> PushDictionary? {
        switch entries[key] {
        case nil: return nil
        case .dictionary(let inner): return PushDictionary(inner, path: name(key))
        default: throw wrong(key, "\(other) or a dictionary")
        }
    }

    func localized(
        _ key: String, _ arguments: String
    ) throws(NotificationError) -> LocalizedText? {
        guard let name = try text(key) else { return nil }
        return LocalizedText(key: name, arguments: try texts(arguments))
    }

    /// Apple wants strings; numbers are taken as they are written.
    private func texts(_ key: String) throws(NotificationError) -> [String] {
        guard let value = entries[key] else { return [] }
        guard case .array(let elements) = value else { throw wrong(key, "an array of strings") }
        var texts: [String] = []
        for element in elements {
            switch element {
            case .string(let text): texts.append(text)
            case .integer(let number): texts.append(String(number))
            case .real(let number): texts.append(String(number))
            default: throw wrong(key, "an array of strings")
            }
        }
        return texts
    }

    private func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func wrong(_ key: String, _ wanted: String) -> NotificationError {
        PushPayload.unusable("'\(name(key))' must be \(wanted)")
    }
}
