internal import CenterInterface
internal import Logging
internal import NotificationEngine
internal import NotificationModel
internal import Reactor

/// Takes what was scheduled where no bus was into the store: what lies in the inbox at the start,
/// and what comes while the daemon runs.
///
/// A row, and the name of the file that it is of, are stored in one change before the file goes:
/// whatever happens between, nothing is lost and nothing taken twice. Many are one change, because
/// callers wait for a start that takes them.
actor InboxAdoption {
    /// What may succeed later; on every other error the file itself is of no use.
    private static let passing: Set<NotificationError.Code> = [
        .storeUnavailable, .storeLocked, .noSpace, .limitReached, .notAllowed,
        .attachmentNotStored,
    ]

    /// Of those, what has nothing to do with what an item says.
    private static let common: Set<NotificationError.Code> = [
        .storeUnavailable, .storeLocked, .noSpace, .notAllowed,
    ]

    /// How many are one change, and how many files they may have open together.
    private static let batchLimit = (items: 256, files: 64)

    private let path: String
    private let engine: CenterEngine
    private let clock: any EngineClock
    private let reactor: Reactor
    private let files: HangingWork
    private var bell: InboxBell?
    /// One element while the inbox has to be read: several changes are read together.
    private var news = SerialDrain<Void>()

    /// Makes an adoption of the inbox of this path.
    init(path: String, engine: CenterEngine, clock: any EngineClock, reactor: Reactor) {
        self.path = path
        self.engine = engine
        self.clock = clock
        self.reactor = reactor
        files = HangingWork(reactor: reactor)
    }

    /// Takes what there is, and listens for more.
    func start() async {
        do throws(NotificationError) {
            bell = InboxBell(of: try Inbox.made(path), on: reactor) { [weak self] in
                Task { [self] in await self?.run() }
            }
        } catch {
            return Log.daemon.error("nothing is taken from the inbox: \(error.message)")
        }
        if bell == nil {
            Log.daemon.warning("what comes into the inbox \(path) waits for the next start")
        }
        await run()
    }

    /// Hears of no more.
    func stop() {
        bell = nil
    }

    /// Takes what there is; where that is going on, once more after it.
    private func run() async {
        news.waiting = [()]
        guard news.begin() else { return }
        while news.next() != nil { await takeAll() }
    }

    private func takeAll() async {
        do throws(NotificationError) {
            // Another daemon that is at work takes them; what it holds comes here with its store.
            guard let inbox = try Inbox.opened(path), inbox.lock() else { return }
            inbox.flush()
            let identifiers = inbox.identifiers()
            try await engine.forgetMarks(but: identifiers)
            await take(read(identifiers, of: inbox), of: inbox)
            inbox.sweep(now: clock.now().wall)
            inbox.flush()
        } catch {
            Log.daemon.error("nothing is taken from the inbox: \(error.message)")
        }
    }

    /// The items in the order in which they were scheduled.
    private func read(_ identifiers: [String], of inbox: Inbox) -> [InboxItem] {
        var items: [InboxItem] = []
        for identifier in identifiers {
            do throws(NotificationError) {
                items.append(try inbox.item(identifier))
            } catch {
                setAside(identifier, of: inbox, error)
            }
        }
        return items.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    private func take(_ items: [InboxItem], of inbox: Inbox) async {
        var identity: ApplicationIdentity?
        var batch: [LeftRequest] = []
        for item in items {
            do throws(NotificationError) {
                if item.identity != identity { try await connect(item.identity) }
                identity = item.identity
                let files = try await open(item.request.content.attachments)
                batch.append(
                    LeftRequest(
                        mark: item.id, date: item.created,
                        item: RequestWithFiles(item.request, files: files)))
            } catch {
                leave(item.id, in: inbox, error)
            }
            let files = batch.reduce(0) { $0 + $1.item.files.count }
            guard batch.count >= Self.batchLimit.items || files >= Self.batchLimit.files else {
                continue
            }
            await store(batch[...], of: inbox)
            batch = []
        }
        await store(batch[...], of: inbox)
    }

    private func store(_ batch: ArraySlice<LeftRequest>, of inbox: Inbox) async {
        guard !batch.isEmpty else { return }
        do throws(NotificationError) {
            let errors = try await engine.take(Array(batch), for: .tocsin)
            var taken: Set<String> = []
            for (left, error) in zip(batch, errors) {
                if let error {
                    leave(left.mark, in: inbox, error)
                } else {
                    taken.insert(left.mark)
                }
            }
            inbox.remove(taken)
        } catch {
            guard batch.count > 1, !Self.common.contains(error.code) else {
                for left in batch { leave(left.mark, in: inbox, error) }
                return
            }
            // One of them cannot be used.
            await store(batch.prefix(batch.count / 2), of: inbox)
            await store(batch.dropFirst(batch.count / 2), of: inbox)
        }
    }

    private func connect(_ identity: ApplicationIdentity?) async throws(NotificationError) {
        guard let identity else { return }
        // No notification has an empty identifier: it listens to no answers.
        let session = try await engine.connect(
            identity, asksBeforePresenting: false, identifiers: [""]
        ) { _ in }
        await engine.disconnect(session)
    }

    /// Keeps an item that was not taken: for the next start, or out of the way.
    private func leave(_ identifier: String, in inbox: Inbox, _ error: NotificationError) {
        guard !Self.passing.contains(error.code) else {
            return Log.daemon.error(
                "\(identifier) stays in the inbox until the next start: \(error.message)")
        }
        setAside(identifier, of: inbox, error)
    }

    /// The files that a request names, wherever they lie.
    private func open(
        _ attachments: [NotificationAttachment]
    ) async throws(NotificationError) -> [OpenFile] {
        guard !attachments.isEmpty else { return [] }
        return try await files.files(
            for: "inbox",
            // It stays in the inbox: the file system may answer again.
            orThrow: NotificationError(
                .attachmentNotStored, "The file system of its attachments does not answer.")
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
