public import DesktopBus
public import Reactor

/// An announcement of logind about sleep or shutdown.
public enum PowerEvent: Hashable, Sendable {
    /// The machine is about to sleep, or to shut down.
    case sleepBegins, shutdownBegins
    /// The machine is awake again, or the shutdown was cancelled.
    case sleepEnded, shutdownCancelled
}

/// Asks logind to report sleep and shutdown before they begin, and to delay them.
///
/// It ignores signals of programs that do not own logind's name. If there is no system bus or no
/// logind, nothing is reported and nothing is delayed.
///
/// logind ends a delay after a limit from its configuration, by default 5 seconds.
///
/// Source: org.freedesktop.login1(5), "The Manager Object".
public actor PowerWatch: ReactorActor {
    private static let logind: BusName = "org.freedesktop.login1"
    private static let path: ObjectPath = "/org/freedesktop/login1"
    private static let interface: InterfaceName = "org.freedesktop.login1.Manager"
    /// logind answers within this time, even while the machine starts.
    private static let answerLimit: Duration = .seconds(10)

    /// The reactor of the connection.
    public nonisolated let reactor: Reactor
    private let systemBus: @Sendable () async -> BusConnection?
    private var subscriptions: [BusSubscription] = []

    /// Makes a watch; `systemBus` may return its connection late, or nil if there is no system bus.
    public init(
        reactor: Reactor, systemBus: @escaping @Sendable () async -> BusConnection?
    ) {
        self.reactor = reactor
        self.systemBus = systemBus
    }

    /// Subscribes to the announcements; the reactor's thread calls the listener.
    ///
    /// - Throws: The error of the bus.
    public func follow(
        _ listener: @escaping @Sendable (PowerEvent) -> Void
    ) async throws(BusError) {
        guard let bus = await systemBus() else { return }
        subscriptions = [
            try await bus.subscribe(Self.rule("PrepareForSleep")) {
                guard let begins = $0.arguments.first?.boolValue else { return }
                listener(begins ? .sleepBegins : .sleepEnded)
            },
            try await bus.subscribe(Self.rule("PrepareForShutdown")) {
                guard let begins = $0.arguments.first?.boolValue else { return }
                listener(begins ? .shutdownBegins : .shutdownCancelled)
            },
        ]
    }

    /// Asks logind to delay sleep and shutdown; closing the descriptor ends the delay.
    ///
    /// Returns nil if there is no system bus or no logind. Users see `who` and `why` in programs
    /// such as `systemd-inhibit --list`.
    ///
    /// - Throws: logind's refusal, or the error of the bus.
    public func delay(who: String, why: String) async throws(BusError) -> BusDescriptor? {
        guard let bus = await systemBus() else { return nil }
        let call = MethodCall(
            destination: Self.logind, path: Self.path, interface: Self.interface,
            member: "Inhibit",
            arguments: [
                .string("sleep:shutdown"), .string(who), .string(why), .string("delay"),
            ], flags: .noAutoStart)
        do throws(BusError) {
            return try await bus.call(call, timeout: Self.answerLimit).arguments.first?
                .descriptorValue
        } catch {
            if error.isMissingService { return nil }
            throw error
        }
    }

    private static func rule(_ member: MemberName) -> MatchRule {
        MatchRule(sender: logind, path: path, interface: interface, member: member)
    }
}

extension BusError {
    /// True if no program owns the called name; in a container, for example, no logind runs.
    fileprivate var isMissingService: Bool {
        remoteName == "org.freedesktop.DBus.Error.ServiceUnknown"
            || remoteName == "org.freedesktop.DBus.Error.NameHasNoOwner"
    }
}
