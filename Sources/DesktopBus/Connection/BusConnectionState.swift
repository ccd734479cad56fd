/// The state of a connection.
public enum BusConnectionState: Sendable, Equatable {
    /// It is open, under this name; earlier subscriptions, names and exports are restored.
    case connected(BusName)
    /// The bus was lost, for this reason; the connection reopens if `options.reconnect` is set.
    case disconnected(BusError)
    /// It was closed by `close()`, for good.
    case closed
}
