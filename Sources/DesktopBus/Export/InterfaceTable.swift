/// An interface: its methods with their handlers, its signals and its properties.
///
/// The answer to `org.freedesktop.DBus.Introspectable` is made from this table.
public struct InterfaceTable: Sendable {
    /// The interface.
    public let name: InterfaceName
    /// The methods.
    public let methods: [MethodEntry]
    /// The emitted signals.
    public let signals: [SignalEntry]
    /// The properties, each readable and perhaps writable.
    public let properties: [PropertyEntry]

    /// Makes a table; of several entries with the same name, only the first is used.
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
