/// An interface and its handlers, as a table that fits one screen.
///
/// Its description for `org.freedesktop.DBus.Introspectable` is made from the same table.
public struct InterfaceTable: Sendable {
    /// The interface.
    public let name: InterfaceName
    /// The methods.
    public let methods: [MethodEntry]
    /// The emitted signals.
    public let signals: [SignalEntry]
    /// The properties, each readable and perhaps writable.
    public let properties: [PropertyEntry]

    /// Makes a table; among entries with the same name the first counts.
    public init(
        name: InterfaceName, methods: [MethodEntry] = [], signals: [SignalEntry] = [],
        properties: [PropertyEntry] = []
    ) {
        self.name = name
        self.methods = methods
        self.signals = signals
        self.properties = properties
    }

    func method(_ name: String) -> MethodEntry? { methods.first { $0.name.rawValue == name } }

    func property(_ name: String) -> PropertyEntry? {
        properties.first { $0.name.rawValue == name }
    }
}
