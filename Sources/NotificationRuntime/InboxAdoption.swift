internal import CenterInterface
internal import DesktopBus
internal import Logging
internal import NotificationEngine
internal import NotificationModel
internal import Reactor

/// Imports requests that the command-line tool left in the inbox while there was no bus.
///
/// It reads the inbox at the start and after each change. Requests are imported in batches, because
/// callers wait for the import at the start.
///
/// If requests stay in the inbox, or if it cannot listen to the inbox, it retries after a pause. The
/// disk may be full, for example.
///
/// No request is lost or imported twice. One transaction stores the request and the name of its
/// file. After the transaction, the file is deleted. An unusable file is set aside, not deleted.
actor InboxAdoption {
    /// Temporary errors; any other error means that the file itself is unusable.
    private static let passing: Set<NotificationError.Code> = [
        .storeUnavailable, .storeLocked, .noSpace, .limitReached, .notAllowed,
        .attachmentNotStored,
    ]

    /// The errors in `passing` that hit all requests alike, so that halving a batch does not help.
    private static let common: Set<NotificationError.Code> = [
        .storeUnavailable, .storeLocked, .noSpace, .notAllowed,
    ]

    /// A batch is imported when it has this many requests or this many open files.
    private static let batchLimit = (items: 256, files: 64)

    /// The pauses before the requests that stay in the inbox are imported again.
    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(600))

    private let path: String
    private let engine: CenterEngine
    private let clock: any EngineClock
    private let reactor: Reactor
    private let files: HangingWork
    private var watcher: InboxWatcher?
    /// Has one element if the inbox must be read again; one read covers several changes.
    private var pendingReads = SerialDrain<Void>()
    /// Whether a later import may accept requests that the last import left, or may listen.
    private var mustRetry = false
    private var isRetryPlanned = false
    /// How many imports in a row have led to a retry.
    private var failures = 0
    private var isStopped = false

    init(path: String, engine: CenterEngine, clock: any EngineClock, reactor: Reactor) {
        self.path = path
        self.engine = engine
        self.clock = clock
        self.reactor = reactor
        files = HangingWork(reactor: reactor)
    }

    /// Starts to listen before it imports the current requests, so that it misses no request.
    func start() async {
        await run()
    }

    /// Listens to the inbox at the path; returns false if there is none and none can be made.
    private func listen() -> Bool {
        do throws(NotificationError) {
            watcher = InboxWatcher(of: try Inbox.made(path), on: reactor) { [weak self] in
                Task { [self] in await self?.run() }
            } lost: { [weak self] in
                Task { [self] in await self?.inboxWasLost() }
            }
        } catch {
            logFailure("the inbox cannot be imported: \(error.message)")
            return false
        }
        if watcher == nil {
            logFailure("the inbox \(path) has no pipe; new requests wait for the next import")
        }
        return true
    }

    /// Listens to a new inbox after the former inbox was removed or replaced.
    private func inboxWasLost() async {
        watcher = nil
        await run()
    }

    func stop() {
        watcher = nil
        isStopped = true
    }

    /// Imports the current requests; a call during an import leads to one more import.
    ///
    /// Before the import it starts to listen, unless it already does.
    private func run() async {
        pendingReads.waiting = [()]
        guard pendingReads.startDraining() else { return }
        while pendingReads.next() != nil {
            mustRetry = false
            guard !isStopped else { continue }
            if watcher != nil || listen() { await importAll() }
            if watcher == nil { mustRetry = true }
        }
        if mustRetry { retryLater() } else { failures = 0 }
    }

    private func retryLater() {
        guard !isRetryPlanned, !isStopped else { return }
        isRetryPlanned = true
        let pause = Self.backoff.pause(afterFailures: failures, fraction: 0)
        failures += 1
        reactor.perform(after: pause) { [weak self] in
            Task { [self] in await self?.retry() }
        }
    }

    private func retry() async {
        isRetryPlanned = false
        if !isStopped { await run() }
    }

    private func importAll() async {
        do throws(NotificationError) {
            guard let inbox = try Inbox.opened(path) else { return }
            // If another process holds the lock, that process imports these requests into its
            // store. But that process may end before it has imported all requests, so try again
            // later.
            guard inbox.lock() else {
                mustRetry = true
                return
            }
            inbox.flush()
            let identifiers = inbox.identifiers()
            try await engine.forgetEntryIDs(but: identifiers)
            await importItems(read(identifiers, of: inbox), of: inbox)
            inbox.sweep(now: clock.now().wall)
            inbox.flush()
        } catch {
            mustRetry = true
            logFailure("the inbox cannot be imported: \(error.message)")
        }
    }

    /// Logs the first failure as an error, and the failures of retries as debug messages.
    private func logFailure(_ message: String) {
        Log.daemon.log(level: failures == 0 ? .error : .debug, "\(message)")
    }

    /// Reads the items, sorted by the time at which they were scheduled; sets unusable files aside.
    ///
    /// If a file cannot be read now, for example because no descriptor is free, the file stays.
    private func read(_ identifiers: [String], of inbox: Inbox) -> [InboxItem] {
        var items: [InboxItem] = []
        for identifier in identifiers {
            do throws(NotificationError) {
                items.append(try inbox.item(identifier))
            } catch {
                keepUnimported(identifier, in: inbox, error)
            }
        }
        return items.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    private func importItems(_ items: [InboxItem], of inbox: Inbox) async {
        var identity: ApplicationIdentity?
        var batch: [InboxEntry] = []
        for item in items {
            do throws(NotificationError) {
                if item.identity != identity { try await connect(item.identity) }
                identity = item.identity
                let files = try await open(item.request.content.attachments)
                batch.append(
                    InboxEntry(
                        entryID: item.id, date: item.created,
                        item: RequestWithFiles(
                            item.request, files: files, nextFire: item.nextFire)))
            } catch {
                keepUnimported(item.id, in: inbox, error)
            }
            let files = batch.reduce(0) { $0 + $1.item.files.count }
            guard batch.count >= Self.batchLimit.items || files >= Self.batchLimit.files else {
                continue
            }
            await importBatch(batch[...], of: inbox)
            batch = []
        }
        await importBatch(batch[...], of: inbox)
    }

    private func importBatch(_ batch: ArraySlice<InboxEntry>, of inbox: Inbox) async {
        guard !batch.isEmpty else { return }
        do throws(NotificationError) {
            let errors = try await engine.importEntries(Array(batch), for: .tocsin)
            var taken: Set<String> = []
            for (entry, error) in zip(batch, errors) {
                if let error {
                    keepUnimported(entry.entryID, in: inbox, error)
                } else {
                    taken.insert(entry.entryID)
                }
            }
            inbox.remove(taken)
        } catch {
            guard batch.count > 1, !Self.common.contains(error.code) else {
                for entry in batch { keepUnimported(entry.entryID, in: inbox, error) }
                return
            }
            // One of the requests is unusable: halve the batch to find it.
            await importBatch(batch.prefix(batch.count / 2), of: inbox)
            await importBatch(batch.dropFirst(batch.count / 2), of: inbox)
        }
    }

    private func connect(_ identity: ApplicationIdentity?) async throws(NotificationError) {
        guard let identity else { return }
        // No notification has an empty identifier, so this session receives no responses.
        let session = try await engine.connect(
            identity, asksBeforePresenting: false, identifiers: [""]
        ) { _ in }
        await engine.disconnect(session)
    }

    /// Handles a failed import: leaves the item in the inbox if a later import may succeed;
    /// otherwise sets the item aside.
    private func keepUnimported(_ identifier: String, in inbox: Inbox, _ error: NotificationError) {
        guard !Self.passing.contains(error.code) else {
            // Only the user's decision can end this refusal, so a retry would be in vain.
            if error.code != .notAllowed { mustRetry = true }
            return logFailure(
                "\(identifier) stays in the inbox until the next import: \(error.message)")
        }
        setAside(identifier, of: inbox, error)
    }

    /// Opens the files that a request names; they may lie in any directory.
    private func open(
        _ attachments: [NotificationAttachment]
    ) async throws(NotificationError) -> [OpenFile] {
        guard !attachments.isEmpty else { return [] }
        return try await files.files(
            for: "inbox",
            // This error keeps the request in the inbox, because the file system may answer later.
            orThrow: NotificationError(
                .attachmentNotStored,
                "The file system of the request's attachments does not answer.")
        ) { () throws(NotificationError) in
            try attachments.map { attachment throws(NotificationError) in
                try OpenFile(path: attachment.path)
            }
        }
    }

    private func setAside(_ identifier: String, of inbox: Inbox, _ error: NotificationError) {
        let name = inbox.setAside(identifier)
        Log.daemon.error(
            "a request of the inbox cannot be used and is kept as \(name): \(error.message)")
    }
}
