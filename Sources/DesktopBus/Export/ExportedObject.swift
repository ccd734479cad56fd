/// An object that other connections may call.
///
/// The connection itself answers calls of the interfaces Introspectable, Peer and Properties.
public struct ExportedObject: Sendable {
    /// The interfaces of the object.
    public let interfaces: [InterfaceTable]
    /// Decides whether a sender may read and write properties; nil if every sender may.
    public let propertyAdmission: MethodEntry.Admission?

    /// Makes an object.
    public init(
        interfaces: [InterfaceTable], propertyAdmission: MethodEntry.Admission? = nil
    ) {
        self.interfaces = interfaces
        self.propertyAdmission = propertyAdmission
    }

    func interface(_ name: String) -> InterfaceTable? {
        interfaces.first { $0.name.rawValue == name }
    }
}
