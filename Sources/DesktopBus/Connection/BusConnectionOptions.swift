/// How a connection behaves, and its limits.
public struct BusConnectionOptions: Sendable, Hashable {
    /// How to reconnect after the bus was lost; nil: not at all.
    public var reconnect: Backoff?
    /// How long connecting, authenticating and greeting may take together.
    public var openTimeout: Duration
    /// How long a call waits for its answer unless it says otherwise.
    public var callTimeout: Duration
    /// How many bytes may wait for the socket; a message beyond is refused with `limitsExceeded`.
    ///
    /// One message is taken whatever its size when nothing is waiting.
    public var maximumQueuedBytes: Int
    /// How many calls may wait for answers; one beyond is refused with `limitsExceeded`.
    public var maximumPendingCalls: Int
    /// How many calls from others may be in work; one beyond is answered with LimitsExceeded.
    public var maximumInvocations: Int
    /// How many of them may come from one sender, app or process; one beyond is answered with
    /// LimitsExceeded.
    public var maximumInvocationsOfSender: Int
    /// How many calls that wait for somebody may be in work; they take no places of the others.
    public var maximumWaits: Int
    /// How many of those may come from one sender, app or process; one more of the same sender ends
    /// its oldest.
    public var maximumWaitsOfSender: Int
    /// How many bytes of arguments one sender, app or process may have in work.
    ///
    /// One call is taken whatever its size when nothing else of its sender is in work.
    public var maximumBytesOfSender: Int
    /// How many bytes the arguments of a call from others may have; a larger one is answered with
    /// LimitsExceeded, without being read to its end.
    public var maximumCallSize: Int
    /// How many descriptors the calls from others that are in work may have brought, one sender's,
    /// app's or process's half of them; a call beyond is answered with LimitsExceeded.
    ///
    /// A call is taken whatever it brings when no other with descriptors is in work. A program that
    /// has no descriptor left for what it receives loses the bus: it has to keep some free.
    public var maximumDescriptorsOfCalls: Int
    /// Whether connect(2) is called on the reactor's thread.
    ///
    /// It blocks there while a bus that hangs has a full backlog, as it does in every program that
    /// uses libdbus by itself: for programs with nothing else to do, which save a thread.
    public var connectsOnReactor: Bool
    /// How many descriptors one message may carry; the bus's own default is 16, and it
    /// disconnects whoever sends more.
    public var maximumDescriptors: Int

    /// Makes options.
    public init(
        reconnect: Backoff? = nil, openTimeout: Duration = .milliseconds(900),
        callTimeout: Duration = .seconds(25), maximumQueuedBytes: Int = 64 << 20,
        maximumPendingCalls: Int = 65_536, maximumInvocations: Int = 4_096,
        maximumInvocationsOfSender: Int = 1_024, maximumWaits: Int = 1_024,
        maximumWaitsOfSender: Int = 64, maximumBytesOfSender: Int = 128 << 20,
        maximumCallSize: Int = .max, maximumDescriptorsOfCalls: Int = .max,
        connectsOnReactor: Bool = false, maximumDescriptors: Int = 16
    ) {
        self.reconnect = reconnect
        self.openTimeout = openTimeout
        self.callTimeout = callTimeout
        self.maximumQueuedBytes = maximumQueuedBytes
        self.maximumPendingCalls = maximumPendingCalls
        self.maximumInvocations = maximumInvocations
        self.maximumInvocationsOfSender = maximumInvocationsOfSender
        self.maximumWaits = maximumWaits
        self.maximumWaitsOfSender = maximumWaitsOfSender
        self.maximumBytesOfSender = maximumBytesOfSender
        self.maximumCallSize = maximumCallSize
        self.maximumDescriptorsOfCalls = maximumDescriptorsOfCalls
        self.connectsOnReactor = connectsOnReactor
        self.maximumDescriptors = maximumDescriptors
    }
}
