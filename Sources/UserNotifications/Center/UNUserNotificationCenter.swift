internal import NotificationModel
internal import NotificationRuntime
internal import Reactor

/// The notification centre as an app sees it: requests, categories, permission, and the delegate.
///
/// Calls take effect in the order in which they are made, from whatever thread, and return at once.
/// Their handlers run one after another on a thread of their own, those of `add` in the order of the
/// calls. A success means that the change is on disk.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private static let shared: UNUserNotificationCenter = {
        let center = UNUserNotificationCenter(
            source: ServiceSource(ServiceHost(configuration: .current())))
        center.waitAtExit()
        return center
    }()

    let source: ServiceSource
    let connection: ServiceConnection
    let handlers = HandlerQueue()
    let extensions: ExtensionCaller
    let delays: DelayedWork
    /// The events on their way to the main actor.
    private let events = Locked(SerialDrain<DelegateEvent>())
    @MainActor private var caller = DelegateCaller()
    private let mainQueue: MainQueueWatch
    let chosenIdentifier = Locked<String?>(nil)
    let temporary: TemporaryDirectories
    private let delegation = Locked(Delegation())

    /// Whom the center asks, and what it knows about that.
    private struct Delegation {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        /// The delegates' classes that do not implement `willPresent`.
        var silentClasses: Set<ObjectIdentifier> = []
        var activity: Bool?

        var wantsToBeAsked: Bool {
            if let activity { return activity }
            return delegate.map { !silentClasses.contains(ObjectIdentifier(type(of: $0))) } ?? false
        }
    }

    /// The notification centre of this app.
    open class func current() -> UNUserNotificationCenter { shared }

    /// Makes a centre of its own; files are moved only out of the temporary directories, which are
    /// the system's where none are given.
    package init(
        source: ServiceSource, temporaryDirectories: [String]? = nil,
        delays: DelayedWork = .system
    ) {
        self.source = source
        temporary = temporaryDirectories.map { TemporaryDirectories($0) } ?? .system
        let extensions = ExtensionCaller()
        self.extensions = extensions
        let center = Locked(WeakCenter())
        let mainQueue = MainQueueWatch(delays: delays) {
            center.withLock(\.object)?.reportBlockedQueue() ?? false
        }
        self.delays = delays
        self.mainQueue = mainQueue
        connection = ServiceConnection(source: source) { event in
            switch event {
            case .extend(let token, let request, let app):
                extensions.begin(token, request, of: app) {
                    center.withLock(\.object)?.finishExtension($0, of: $1, with: $2)
                }
            case .extensionWillExpire(let token): extensions.expire(token)
            case .response, .willPresent, .openSettings, .left:
                center.withLock(\.object)?.send(.service(event))
            }
        }
        super.init()
        center.withLock { $0.object = self }
    }

    /// The class and the address.
    open override var description: String { describe([]) }

    /// Whom the center asks and tells; set it early, so that no answer waits.
    ///
    /// Setting a delegate connects to the notification centre. An answer that comes while there is
    /// none is kept until one is set.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { delegation.withLock { $0.delegate } }
        set {
            changeDelegation { $0.delegate = newValue }
            send(.delegateSet)
        }
    }

    /// Whether the desktop can show an app's own view in a notification: none can.
    open var supportsContentExtensions: Bool { false }
}

// Results of the service extension, from its caller to the service.
extension UNUserNotificationCenter {
    func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: UNNotificationContent?
    ) {
        let model: NotificationContent?
        let files: [OpenAttachment]
        do {
            model = try content?.values.content()
            files = try OpenAttachment.all(of: content ?? UNNotificationContent())
        } catch {
            Self.note("The service extension's content, the original is shown: \(error.message)")
            return finishExtension(token, of: app, with: nil)
        }
        store("Finishing a service extension") {
            [temporary] connected throws(NotificationError) in
            try await connected.service.finishExtension(
                token, of: app,
                with: model.map {
                    ExtendedContent(content: $0, attachments: files.map(\.file))
                })
            for file in files { file.removeOriginal(in: temporary) }
        }
    }
}

/// The center, for what comes before it is complete and must not keep it alive.
private struct WeakCenter: Sendable {
    weak var object: UNUserNotificationCenter?
}

// Requests of the delegate's caller to the service.
extension UNUserNotificationCenter {
    func acknowledge(_ key: ResponseLedger.Key) {
        perform(stores: true) { connected throws(NotificationError) in
            try await connected.service.acknowledge(key.id, of: connected.application)
        } completion: { [weak self] outcome in
            let succeeded = if case .success = outcome { true } else { false }
            self?.send(.acknowledged(key, succeeded: succeeded))
        }
    }

    func answer(_ token: PresentationToken, with options: PresentationOptions) {
        let work: Work<Void> = { await $0.service.answer(token, with: options) }
        perform(stores: false, work) { _ in }
    }

    /// Remembers that delegates of this class do not implement `willPresent`.
    func neverAsk(_ kind: ObjectIdentifier) {
        changeDelegation { $0.silentClasses.insert(kind) }
    }

    /// Stops the questions if there is nobody any more who would answer them.
    func updateAsking() {
        changeDelegation { _ in }
    }

    var activity: Bool? {
        get { delegation.withLock { $0.activity } }
        set { changeDelegation { $0.activity = newValue } }
    }

    // Within the lock: what is decided here also reaches the connection in this order.
    private func changeDelegation(_ change: (inout Delegation) -> Void) {
        delegation.withLock { delegation in
            change(&delegation)
            connection.take(.ask(delegation.wantsToBeAsked))
        }
    }

    /// The default presentation of a notification when no delegate decides.
    var undecided: UNNotificationPresentationOptions { activity == true ? [] : .all }

    /// Hands an event to the main actor, which calls the delegate.
    ///
    /// A stream would pass a thread of the global pool on its way there.
    func send(_ event: DelegateEvent) {
        mainQueue.eventSent()
        let isFirst = events.withLock { events in
            events.waiting.append(event)
            return events.begin()
        }
        guard isFirst else { return }
        Task { @MainActor [weak self] in self?.handleEvents() }
    }

    @MainActor private func handleEvents() {
        while let event = events.withLock({ $0.next() }) {
            mainQueue.eventTaken()
            caller.handle(event, for: self)
        }
    }

    /// Says that the delegate hears nothing; false where there is none.
    private func reportBlockedQueue() -> Bool {
        guard let delegate else { return false }
        Self.note(
            "Nothing has served the main queue for 5 s, so the delegate \(type(of: delegate)) hears "
                + "nothing. Run RunLoop.main or dispatchMain(), or call drainMainLoop() from the "
                + "program's own loop, as the article \"Main loops\" (MainLoops) shows.")
        return true
    }
}
