/// How a connection behaves, and its limits.
public struct BusConnectionOptions: Sendable, Hashable {
    /// How to reconnect after a loss of the bus; nil for not at all.
    public var reconnect: Backoff?
    /// The timeout of connecting, authentication and Hello together.
    public var openTimeout: Duration = .milliseconds(900)
    /// The timeout of a call that names none.
    public var callTimeout: Duration = .seconds(25)
    /// How many bytes may wait for the socket; a further message fails with `limitsExceeded`.
    ///
    /// If nothing waits, a message is taken whatever its size.
    public var maximumQueuedBytes: Int = 64 << 20
    /// How many calls may wait for answers; a further one fails with `limitsExceeded`.
    public var maximumPendingCalls: Int = 65_536
    /// How many calls from others may be in work; a further one is answered with LimitsExceeded.
    public var maximumInvocations: Int = 4_096
    /// How many calls in work may come from one sender, app or process.
    ///
    /// A further one is answered with LimitsExceeded.
    public var maximumInvocationsOfSender: Int = 1_024
    /// How many long waits (`MethodEntry.isWait`) may be in work, apart from the other calls.
    ///
    /// A further one is answered with LimitsExceeded.
    public var maximumWaits: Int = 1_024
    /// How many long waits may come from one sender, app or process.
    ///
    /// A further one of the same sender ends that sender's oldest. If several senders of one app or
    /// process reach the limit, it is answered with LimitsExceeded.
    public var maximumWaitsOfSender: Int = 64
    /// How many bytes of arguments one sender, app or process may have in work.
    ///
    /// If nothing else of its sender is in work, a call is taken whatever its size.
    public var maximumBytesOfSender: Int = 128 << 20
    /// How many bytes the arguments of a call from others may have.
    ///
    /// A larger one is answered with LimitsExceeded, without being read to its end.
    public var maximumCallSize: Int = .max
    /// How many descriptors the calls in work may have brought.
    ///
    /// One sender, app or process may have brought half of them; a further call is answered with
    /// LimitsExceeded.
    ///
    /// If no other call with descriptors is in work, a call is taken whatever it brings. A program
    /// that has no descriptor left for incoming ones loses the bus, so it has to keep some free.
    public var maximumDescriptorsOfCalls: Int = .max
    /// Whether connect(2) is called on the reactor's thread.
    ///
    /// connect(2) blocks there while a hanging bus has a full backlog, as in every program that
    /// uses libdbus directly. The option suits programs with nothing else to do: they save a
    /// thread.
    public var connectsOnReactor: Bool = false
    /// How many descriptors one message may carry.
    ///
    /// The bus's own default is 16, and it disconnects a client that sends more.
    public var maximumDescriptors: Int = 16

    /// Makes options; `change` sets those that differ from the defaults.
    public init(_ change: (inout BusConnectionOptions) -> Void = { _ in }) {
        change(&self)
    }
}
