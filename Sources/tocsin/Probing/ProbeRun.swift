internal import DesktopBus
internal import Freedesktop
internal import NotificationModel
internal import Reactor

/// One probing of a server: posts one popup after another, and leaves none behind.
struct ProbeRun {
    /// How long a server may take to say that a popup is closed.
    static let closingSpan: Duration = .seconds(2)
    /// How long a popup is asked to stay, in milliseconds, and how long its end is waited for.
    static let expiry: (Int32, Duration) = (2_000, .seconds(6))
    /// Ids that no server has given.
    static let unknown: (replaced: UInt32, closed: UInt32) = (4_242_424_242, 4_242_424_241)

    let server: ProbeServer
    let reactor: Reactor
    /// How long a person may take for one thing.
    let limit: Duration
    var report: ProbeReport
    /// What may be on the screen.
    private(set) var open: Set<UInt32> = []
    private var events: AsyncStream<ProbeEvent>.AsyncIterator
    private let source: AsyncStream<ProbeEvent>.Continuation
    private var waits = 0

    init(
        _ server: ProbeServer, _ information: ServerInformation, limit: Duration,
        events: AsyncStream<ProbeEvent>, source: AsyncStream<ProbeEvent>.Continuation
    ) {
        self.server = server
        self.reactor = server.connection.reactor
        self.limit = limit
        report = ProbeReport(server: information)
        self.events = events.makeAsyncIterator()
        self.source = source
    }

    // MARK: Showing

    /// Shows a popup; its id.
    mutating func show(
        _ popup: ProbePopup, replacing id: UInt32 = 0
    ) async throws(ToolError) -> UInt32 {
        do throws(BusError) {
            let new = try await server.notify(
                popup.arguments(for: report.server, replacing: id))
            open.insert(new)
            return new
        } catch {
            throw ToolError(
                .failure,
                "\(report.server.name) did not show '\(popup.title)': \(error.message) Try again "
                    + "when fewer notifications are on the screen.")
        }
    }

    /// Takes a popup away.
    mutating func clear(_ id: UInt32) async {
        try? await server.close(id)
        open.remove(id)
    }

    /// Takes all of them away.
    mutating func clearAll() async {
        for id in open.sorted() { await clear(id) }
        await server.connection.flush()
    }

    // MARK: Waiting

    /// The first event that means something, within a time; nil where none comes.
    ///
    /// What says that there is nothing to go on with ends the probing.
    mutating func first<Found>(
        within span: Duration, _ meaning: (ProbeEvent) -> Found?
    ) async throws(ToolError) -> Found? {
        waits += 1
        let number = waits
        reactor.perform { [reactor, source] in
            reactor.deadline(after: span) { source.yield(.timedOut(number)) }
        }
        while let event = await events.next() {
            switch event {
            case .timedOut(number): return nil
            case .signal(let id, .closed): open.remove(id)
            case .interrupted:
                throw ToolError(
                    .command(130), "Interrupted; what was on the screen was taken away.")
            case .serverGone:
                throw ToolError(
                    .noServer,
                    "The notification server left the bus while it was probed. Start it again, "
                        + "and look into its log.")
            case .busLost:
                throw ToolError(
                    .unreachable,
                    "The session bus was lost while the server was probed. Try again in a running "
                        + "session.")
            default: break
            }
            if let found = meaning(event) { return found }
        }
        return nil
    }

    /// What the server says of a popup, within a time.
    mutating func signal(
        of id: UInt32, within span: Duration
    ) async throws(ToolError) -> ProbeSignal? {
        try await first(within: span) { event in
            if case .signal(id, let signal) = event { signal } else { nil }
        }
    }

    /// Why a popup was closed, within a time.
    mutating func closing(
        of id: UInt32, within span: Duration
    ) async throws(ToolError) -> UInt32? {
        try await first(within: span) { event in
            if case .signal(id, .closed(let reason)) = event { reason } else { nil }
        }
    }
}
