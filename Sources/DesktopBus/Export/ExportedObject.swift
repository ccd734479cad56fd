/// An object that others may call.
///
/// The connection itself answers calls of the interfaces Introspectable, Peer and Properties.
public struct ExportedObject: Sendable {
    /// The interfaces of the object.
    public let interfaces: [InterfaceTable]

    /// Makes an object.
    public init(interfaces: [InterfaceTable]) {
        self.interfaces = interfaces
    }

    func interface(_ name: String) -> InterfaceTable? {
        interfaces.first { $0.name.rawValue == name }
    }
}
