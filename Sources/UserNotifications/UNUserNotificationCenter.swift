internal import NotificationModel
internal import NotificationRuntime

/// The notification centre as an app sees it: requests, categories, permission, and the delegate.
///
/// Calls take effect in the order in which they are made, from whatever thread, and return at once.
/// Their handlers run one after another on a thread of their own, those of `add` in the order of the
/// calls. A success means that the change is on disk.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private static let shared = UNUserNotificationCenter(
        source: ServiceSource(ServiceHost(configuration: .current())))

    let source: ServiceSource
    let connection: ServiceConnection
    let handlers = HandlerQueue()
    let extensions: ExtensionCaller
    let events: AsyncStream<DelegateEvent>.Continuation
    let chosenIdentifier = Guarded<String?>(nil)
    let temporary: TemporaryDirectories
    private let delegateLock = NSLock()
    private weak var storedDelegate: (any UNUserNotificationCenterDelegate)?
    private var silentClasses: Set<ObjectIdentifier> = []
    private var storedActivity: Bool?

    /// The notification centre of this app.
    open class func current() -> UNUserNotificationCenter { shared }

    /// Makes a centre of its own; files are moved only out of the temporary directories, which are
    /// the system's where none are given.
    package init(source: ServiceSource, temporaryDirectories: [String]? = nil) {
        let (stream, events) = AsyncStream.makeStream(of: DelegateEvent.self)
        self.source = source
        temporary = temporaryDirectories.map(TemporaryDirectories.init) ?? .system
        self.events = events
        let extensions = ExtensionCaller()
        self.extensions = extensions
        let center = WeakCenter()
        connection = ServiceConnection(source: source) { event in
            switch event {
            case .extend(let token, let request, let app):
                extensions.begin(token, request, of: app) {
                    center.object?.finishExtension($0, of: $1, with: $2)
                }
            case .extensionWillExpire(let token): extensions.expire(token)
            case .response, .willPresent, .openSettings, .left: events.yield(.service(event))
            }
        }
        super.init()
        center.object = self
        Task { @MainActor [weak self] in
            var caller = DelegateCaller()
            for await event in stream {
                guard let center = self else { return }
                caller.handle(event, for: center)
            }
        }
    }

    deinit {
        events.finish()
    }

    /// The class and the address.
    open override var description: String { describe([]) }

    /// Whom the center asks and tells; set it early, so that no answer waits.
    ///
    /// Setting a delegate connects to the notification centre. An answer that comes while there is
    /// none is kept until one is set.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { delegateLock.withLock { storedDelegate } }
        set {
            delegateLock.withLock {
                storedDelegate = newValue
                connection.take(.ask(wantsToBeAsked))
            }
            events.yield(.delegateSet)
        }
    }

    /// Whether the desktop can show an app's own view in a notification: none can.
    open var supportsContentExtensions: Bool { false }
}

// What the extension's caller asks for.
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
        perform("Finishing a service extension") {
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
private final class WeakCenter: Sendable {
    private struct Reference: Sendable {
        weak var object: UNUserNotificationCenter?
    }

    private let reference = Guarded(Reference())

    var object: UNUserNotificationCenter? {
        get { reference.withLock { $0.object } }
        set { reference.withLock { $0.object = newValue } }
    }
}

// What the delegate's caller asks for.
extension UNUserNotificationCenter {
    func acknowledge(_ key: ResponseLedger.Key) {
        let events = events
        connection.take(
            .call { result in
                let outcome = await result.asyncMap { connected throws(NotificationError) in
                    try await connected.service.acknowledge(key.id, of: connected.application)
                }
                let succeeded = if case .success = outcome { true } else { false }
                events.yield(.acknowledged(key, succeeded: succeeded))
            })
    }

    func answer(_ token: PresentationToken, with options: PresentationOptions) {
        connection.take(
            .call { result in
                guard case .success(let connected) = result else { return }
                await connected.service.answer(token, with: options)
            })
    }

    /// Remembers that delegates of this class do not implement `willPresent`.
    func neverAsk(_ kind: ObjectIdentifier) {
        delegateLock.withLock {
            _ = silentClasses.insert(kind)
            connection.take(.ask(wantsToBeAsked))
        }
    }

    /// Stops the questions if there is nobody any more who would answer them.
    func updateAsking() {
        delegateLock.withLock { connection.take(.ask(wantsToBeAsked)) }
    }

    var activity: Bool? {
        get { delegateLock.withLock { storedActivity } }
        set {
            delegateLock.withLock {
                storedActivity = newValue
                connection.take(.ask(wantsToBeAsked))
            }
        }
    }

    /// What becomes of a notification about which nobody decides.
    var undecided: UNNotificationPresentationOptions { activity == true ? [] : .all }

    // The lock is held: what is decided here must also reach the connection in this order.
    private var wantsToBeAsked: Bool {
        if let storedActivity { return storedActivity }
        return storedDelegate.map { !silentClasses.contains(ObjectIdentifier(type(of: $0))) }
            ?? false
    }
}
