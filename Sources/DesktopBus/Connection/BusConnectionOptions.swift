/// How a connection behaves, and its limits.
public struct BusConnectionOptions: Sendable, Hashable {
    /// The pauses between attempts to reconnect; nil if the connection must not reconnect.
    public var reconnect: Backoff?
    /// The timeout of connecting, authentication and Hello together.
    public var openTimeout: Duration = .milliseconds(900)
    /// The timeout of a call that has no timeout of its own.
    public var callTimeout: Duration = .seconds(25)
    /// How many bytes may wait for the socket; a further message fails with `limitsExceeded`.
    ///
    /// If no bytes wait, a message of any size is accepted.
    public var maximumQueuedBytes: Int = 64 << 20
    /// How many calls may wait for answers; a further call fails with `limitsExceeded`.
    public var maximumPendingCalls: Int = 65_536
    /// How many calls of other programs may be unfinished.
    ///
    /// A further call is answered with LimitsExceeded.
    public var maximumInvocations: Int = 4_096
    /// How many unfinished calls may come from one sender, app or process.
    ///
    /// A further call is answered with LimitsExceeded.
    public var maximumInvocationsOfSender: Int = 1_024
    /// How many long waits (`MethodEntry.isWait`) may be unfinished.
    ///
    /// `maximumInvocations` does not count these waits. A further wait is answered with
    /// LimitsExceeded.
    public var maximumWaits: Int = 1_024
    /// How many long waits may come from one sender, app or process.
    ///
    /// If one sender has reached the limit, its next wait cancels its oldest wait. If several
    /// senders of one app or process have reached the limit together, a further wait is answered
    /// with LimitsExceeded.
    public var maximumWaitsOfSender: Int = 64
    /// How many bytes of arguments the unfinished calls of one sender, app or process may have.
    ///
    /// If the sender, app or process has no other unfinished call, a call of any size is accepted.
    public var maximumBytesOfSender: Int = 128 << 20
    /// How many bytes of arguments the unfinished calls of all senders may have together.
    ///
    /// A further call is answered with LimitsExceeded. If there is no other unfinished call, a call
    /// of any size is accepted.
    public var maximumBytesOfCalls: Int = 512 << 20
    /// The budget for reading the arguments of one incoming call, in bytes.
    ///
    /// Each value costs 16 bytes plus the length of its text or bytes; a variant around it is free.
    /// If the budget is too small, the call is answered with LimitsExceeded, and its remaining
    /// arguments are not read.
    public var maximumCallSize: Int = .max
    /// The budget for reading the arguments of one answer or one signal, in bytes.
    ///
    /// It counts values as `maximumCallSize` does. If it is too small, the answered call fails with
    /// `unexpectedType`, and the signal is dropped.
    public var maximumReceivedSize: Int = .max
    /// How many descriptors the unfinished calls of other programs may carry together.
    ///
    /// The calls of one sender, app or process may carry half of this number. A call beyond a limit
    /// is answered with LimitsExceeded. If no other unfinished call carries descriptors, a call may
    /// carry as many as one message can bring.
    ///
    /// If a message brings a descriptor and the process can open no more files, the connection is
    /// lost. So this limit must leave some descriptors free.
    public var maximumDescriptorsOfCalls: Int = .max
    /// Whether connect(2) is called on the reactor's thread.
    ///
    /// If the bus hangs and its backlog is full, connect(2) blocks the reactor. The option saves a
    /// thread in programs that have no other work.
    public var connectsOnReactor: Bool = false
    /// How many descriptors one message may carry.
    ///
    /// By default the bus itself accepts 16, and disconnects a client that sends more.
    public var maximumDescriptors: Int = 16

    /// Makes options; `change` sets the options that differ from the defaults.
    public init(_ change: (inout BusConnectionOptions) -> Void = { _ in }) {
        change(&self)
    }
}
