/// How a connection behaves, and its limits.
public struct BusConnectionOptions: Sendable, Hashable {
    /// How to reconnect after the bus was lost; nil: not at all.
    public var reconnect: Backoff?
    /// How long connecting, authenticating and greeting may take together.
    public var openTimeout: Duration = .milliseconds(900)
    /// How long a call waits for its answer unless it says otherwise.
    public var callTimeout: Duration = .seconds(25)
    /// How many bytes may wait for the socket; a message beyond is refused with `limitsExceeded`.
    ///
    /// One message is taken whatever its size when nothing is waiting.
    public var maximumQueuedBytes: Int = 64 << 20
    /// How many calls may wait for answers; one beyond is refused with `limitsExceeded`.
    public var maximumPendingCalls: Int = 65_536
    /// How many calls from others may be in work; one beyond is answered with LimitsExceeded.
    public var maximumInvocations: Int = 4_096
    /// How many of them may come from one sender, app or process; one beyond is answered with
    /// LimitsExceeded.
    public var maximumInvocationsOfSender: Int = 1_024
    /// How many calls that wait for somebody may be in work; they take no places of the others.
    public var maximumWaits: Int = 1_024
    /// How many of those may come from one sender, app or process; one more of the same sender ends
    /// its oldest.
    public var maximumWaitsOfSender: Int = 64
    /// How many bytes of arguments one sender, app or process may have in work.
    ///
    /// One call is taken whatever its size when nothing else of its sender is in work.
    public var maximumBytesOfSender: Int = 128 << 20
    /// How many bytes the arguments of a call from others may have; a larger one is answered with
    /// LimitsExceeded, without being read to its end.
    public var maximumCallSize: Int = .max
    /// How many descriptors the calls from others that are in work may have brought, one sender's,
    /// app's or process's half of them; a call beyond is answered with LimitsExceeded.
    ///
    /// A call is taken whatever it brings when no other with descriptors is in work. A program that
    /// has no descriptor left for what it receives loses the bus: it has to keep some free.
    public var maximumDescriptorsOfCalls: Int = .max
    /// Whether connect(2) is called on the reactor's thread.
    ///
    /// It blocks there while a bus that hangs has a full backlog, as it does in every program that
    /// uses libdbus by itself: for programs with nothing else to do, which save a thread.
    public var connectsOnReactor: Bool = false
    /// How many descriptors one message may carry; the bus's own default is 16, and it
    /// disconnects whoever sends more.
    public var maximumDescriptors: Int = 16

    /// Makes options, of which `change` sets those that differ from the usual ones.
    public init(_ change: (inout BusConnectionOptions) -> Void = { _ in }) {
        change(&self)
    }
}
