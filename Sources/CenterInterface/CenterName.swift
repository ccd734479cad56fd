public import DesktopBus

/// The names of the notification centre on the bus.
public enum CenterName {
    /// The well-known name.
    public static let bus: BusName = "org.tocsin.NotificationCenter1"
    /// The path of the notification centre's only object.
    public static let path: ObjectPath = "/org/tocsin/NotificationCenter1"
    /// The interface of that object.
    public static let interface: InterfaceName = "org.tocsin.NotificationCenter1"

    /// The prefix of the centre's error names; a `NotificationError.Code` follows the prefix.
    static let errorPrefix = "org.tocsin.Error."
    /// The error whose second argument is the address of the bus that the daemon serves.
    static let storeElsewhere: ErrorName = "org.tocsin.Error.StoreElsewhere"
}
