/// The state of a connection.
public enum BusConnectionState: Sendable, Equatable {
    /// It is open, under this name; earlier subscriptions, names and exports are restored.
    case connected(BusName)
    /// The bus was lost, for this reason; it comes back if the options say so.
    case disconnected(BusError)
    /// It was closed by `close()`, for good.
    case closed
}
