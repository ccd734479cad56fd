internal import NotificationModel

/// One line of what `tocsind simulate` says; its writer is `SimulationLine`.
enum SimulationEvent {
    /// It begins, in this zone.
    case start(timeZone: String)
    /// A date has come.
    case ring(SimulationRing)
    /// There are no more, or no more were wanted.
    case end(isLimited: Bool)
    /// It failed.
    case error(NotificationError)

    /// Reads a line; nil where it is none.
    init?(_ line: [UInt8]) {
        guard case .dictionary(let values)? = try? JSONReader.value(of: line),
            case .string(let kind)? = values["kind"]
        else { return nil }
        switch kind {
        case "start":
            guard let zone = values.text("timeZone") else { return nil }
            self = .start(timeZone: zone)
        case "ring":
            guard let ring = SimulationRing(values) else { return nil }
            self = .ring(ring)
        case "end":
            self = .end(isLimited: values["isLimited"] == .boolean(true))
        case "error":
            let code = values.text("code").flatMap(NotificationError.Code.init)
            self = .error(
                NotificationError(
                    code ?? .protocolViolation, values.text("message") ?? "It failed."))
        default: return nil
        }
    }
}

extension [String: PropertyListValue] {
    /// The text of a key; nil where it has none.
    func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { return text }
        return nil
    }

    /// The instant of a key; nil where it has none.
    func instant(_ key: String) -> Instant? {
        if case .integer(let number)? = self[key] { return Instant(microseconds: number) }
        return nil
    }
}
