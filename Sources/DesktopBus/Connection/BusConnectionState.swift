/// The state of a connection.
public enum BusConnectionState: Sendable, Equatable {
    /// The connection is open under this unique name, and has requested its earlier subscriptions
    /// and names again.
    case connected(BusName)
    /// The bus was lost, for this reason; the connection reopens if `options.reconnect` is set.
    case disconnected(BusError)
    /// `close()` has closed the connection for good.
    case closed
}
