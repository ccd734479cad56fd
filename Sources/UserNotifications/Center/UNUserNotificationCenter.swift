internal import NotificationModel
internal import NotificationRuntime
internal import Reactor

/// An app's notification centre: requests, categories, permission, and the delegate.
///
/// Calls may come from any thread, and take effect in their order. A call with a completion handler
/// returns at once. A success means that the change is on disk. Handlers run one after another on a
/// separate thread; the handlers of `add` run in the order of the calls.
///
/// The delegate is called only on the main actor.
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
    /// The last badge that this process has set or read.
    let knownBadge = Locked(0)
    let temporary: TemporaryDirectories
    private let delegation = Locked(Delegation())
    let pushListeners = Locked(PushListeners())

    /// The delegate, and the facts behind `wantsToBeAsked` and `handlesResponses`.
    private struct Delegation {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        /// The classes of delegates that do not implement `willPresent`.
        var silentClasses: Set<ObjectIdentifier> = []
        /// The value of `isApplicationActive`.
        var activity: Bool?
        /// Whether UIKit reads the response that started the program.
        var readsLaunchResponse = false

        var wantsToBeAsked: Bool {
            if let activity { return activity }
            return delegate.map { !silentClasses.contains(ObjectIdentifier(type(of: $0))) } ?? false
        }

        var handlesResponses: Bool { delegate != nil || readsLaunchResponse }
    }

    /// The notification centre of this app.
    open class func current() -> UNUserNotificationCenter { shared }

    /// Makes a centre.
    ///
    /// The centre moves attached files out of `temporaryDirectories`, and copies all other files.
    /// Nil stands for the system's temporary directories.
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
        connection = ServiceConnection(source: source, delays: delays) { event in
            switch event {
            case .extend(let token, let request, let app):
                extensions.beginExtension(token, request, of: app) {
                    center.withLock(\.object)?.finishExtension($0, of: $1, with: $2)
                }
            case .extensionWillExpire(let token): extensions.expire(token)
            case .pushReceived(let payload, _): center.withLock(\.object)?.pushReceived(payload)
            case .subscriptionChanged(let bytes, _):
                center.withLock(\.object)?.subscriptionChanged(bytes)
            case .response(let response):
                center.withLock(\.object)?.noteResponse(response)
                center.withLock(\.object)?.send(.service(event))
            case .willPresent, .openSettings, .popupLeft:
                center.withLock(\.object)?.send(.service(event))
            }
        }
        super.init()
        center.withLock { $0.object = self }
    }

    /// The class and the address.
    open override var description: String { describe([]) }

    /// The object that decides about notifications and receives responses.
    ///
    /// Setting a delegate connects to the notification centre. Set it early: a response waits until
    /// a process of the app has set a delegate. If several processes have a delegate, the newest of
    /// them gets the response.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { delegation.withLock { $0.delegate } }
        set {
            changeDelegation { $0.delegate = newValue }
            send(.delegateSet)
        }
    }

    /// Whether the desktop can show an app's own view in a notification; always false on Linux.
    open var supportsContentExtensions: Bool { false }
}

// Passes the result of the app's service extension to the notification service.
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
            Self.logMessage(
                "The service extension's content cannot be used, so the original is shown: "
                    + error.message)
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

/// A weak reference for closures that the initializer makes before the center is complete.
///
/// These closures must not retain the center.
private struct WeakCenter: Sendable {
    weak var object: UNUserNotificationCenter?
}

// The calls that `DelegateCaller` makes to the service.
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

    /// Records that delegates of this class do not implement `willPresent`.
    func neverAsk(_ kind: ObjectIdentifier) {
        changeDelegation { $0.silentClasses.insert(kind) }
    }

    /// Tells the service again whether to ask before each popup; see `wantsToBeAsked`.
    func updateAsking() {
        changeDelegation { _ in }
    }

    /// Lets the service send responses before the app has a delegate.
    func prepareForLaunchResponse() {
        changeDelegation { $0.readsLaunchResponse = true }
    }

    var activity: Bool? {
        get { delegation.withLock { $0.activity } }
        set { changeDelegation { $0.activity = newValue } }
    }

    // Enqueues within the lock, so that the connection gets the changes in their order. The closure
    // returns the delegate to keep it alive until the lock is free, because the delegate's deinit
    // may call the center.
    private func changeDelegation(_ change: (inout Delegation) -> Void) {
        _ = delegation.withLock { delegation in
            change(&delegation)
            let delegate = delegation.delegate
            connection.enqueue(
                .listen(
                    asks: delegation.wantsToBeAsked,
                    handlesResponses: delegation.handlesResponses))
            return delegate
        }
    }

    /// The default presentation of a notification when no delegate decides.
    var undecided: UNNotificationPresentationOptions { activity == true ? [] : .all }

    /// Hands an event to the main actor, which calls the delegate.
    ///
    /// An `AsyncStream` would pass each event through a thread of the global pool first.
    func send(_ event: DelegateEvent) {
        mainQueue.eventSent()
        guard startsHandling({ $0.waiting.append(event) }) else { return }
        Task { @MainActor [weak self] in self?.handleEvents() }
    }

    /// Defers the calls to the delegate until `resumeDelegateCalls()`; UIKit needs this at launch.
    package func deferDelegateCalls() {
        events.withLock { $0.isPaused = true }
    }

    /// Makes the deferred calls before this method returns.
    @MainActor package func resumeDelegateCalls() {
        guard startsHandling({ $0.isPaused = false }) else { return }
        handleEvents()
    }

    /// Changes the events; returns whether the caller has to handle them.
    private func startsHandling(_ change: (inout SerialDrain<DelegateEvent>) -> Void) -> Bool {
        events.withLock { events in
            change(&events)
            return events.startDraining()
        }
    }

    @MainActor private func handleEvents() {
        while let event = events.withLock({ $0.next() }) {
            mainQueue.eventTaken()
            caller.handle(event, for: self)
        }
    }

    /// Logs that nothing serves the main queue.
    ///
    /// Returns false, without a log line, if there is no delegate or its calls are deferred.
    private func reportBlockedQueue() -> Bool {
        guard let delegate, !events.withLock(\.isPaused) else { return false }
        Self.logMessage(
            "The program has not served its main queue for 5 s, so the delegate "
                + "\(type(of: delegate)) gets no events. Run RunLoop.main or dispatchMain(), or "
                + "call drainMainLoop() from the program's own loop, as the article "
                + "\"Main loops\" (MainLoops) shows.")
        return true
    }
}
