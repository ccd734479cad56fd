public import DesktopBus

/// Where the notification centre is found on the bus.
public enum CenterName {
    /// The well-known name.
    public static let bus: BusName = "org.tocsin.NotificationCenter1"
    /// The path of its one object.
    public static let path: ObjectPath = "/org/tocsin/NotificationCenter1"
    /// The interface of that object.
    public static let interface: InterfaceName = "org.tocsin.NotificationCenter1"

    /// What the names of its errors begin with; a `NotificationError.Code` follows.
    static let errorPrefix = "org.tocsin.Error."
    /// The error whose second argument is the address of the bus that is served.
    static let storeElsewhere: ErrorName = "org.tocsin.Error.StoreElsewhere"
}
