internal import Dispatch
package import NotificationModel
package import NotificationRuntime
internal import Reactor

/// A center's connection to its service.
///
/// A step is a call or a change of the connection's own settings. Steps start in the order in which
/// they were added, and do not wait for each other's results.
///
/// One task takes the steps in turn and starts each call itself, so a call is in the service's
/// queue before the next call starts. A task per call would lose the order. Waiting for the end of
/// each call would be slow, because every request would need its own commit.
final class ServiceConnection: Sendable {
    struct Connected: Sendable {
        var service: any NotificationService
        var application: ApplicationID
    }

    /// The work of a call; it runs on the service's actor if the service was reached.
    typealias Work =
        nonisolated(nonsending) @Sendable (Result<Connected, NotificationError>) async -> Void

    enum Step: Sendable {
        case call(Work)
        /// Sets the app's id; an error makes every later call fail.
        case identify(Result<ApplicationID, NotificationError>)
        /// Sets whether the app is asked before each popup, and whether it handles responses.
        case listen(asks: Bool, handlesResponses: Bool)
        /// Starts or stops passing remote notifications through the app's service extension.
        case extend(Bool)
        /// Connects again after a failure; does nothing if another step has already connected.
        case reconnect
    }

    /// How long the app waits before it opens a failed store again, which may fail again at once.
    private static let endPause: Duration = .seconds(10)

    private let steps: StepQueue
    private let unfinished = DispatchGroup()
    private let unstored = DispatchGroup()
    private let unstoredCount = Locked(0)

    init(
        source: ServiceSource, delays: DelayedWork,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: StepQueue.Element.self)
        let steps = StepQueue(continuation: continuation)
        self.steps = steps
        // Open the store again even if the app makes no call: without the store, no request fires.
        source.onServiceEnd { delays.schedule(Self.endPause) { steps.addReconnect() } }
        // All tasks have the same priority: an actor runs its more urgent jobs first, which would
        // change the order of the calls.
        Task.detached(executorPreference: source.executor, priority: .medium) {
            var loop = ConnectionLoop(
                source: source, steps: steps, delays: delays, listener: listener)
            for await (number, step) in stream { await loop.performStep(step, number) }
            await loop.endSession()
        }
    }

    deinit {
        steps.continuation.finish()
    }

    /// Adds a step; if `stores` is true, a program that exits waits for this call.
    func enqueue(_ step: Step, stores: Bool = false) {
        guard case .call(let body) = step else { return steps.add(step) }
        unfinished.enter()
        if stores {
            unstored.enter()
            unstoredCount.withLock { $0 += 1 }
        }
        steps.add(
            .call { [unfinished, unstored, unstoredCount] result in
                await body(result)
                unfinished.leave()
                guard stores else { return }
                unstoredCount.withLock { $0 -= 1 }
                unstored.leave()
            })
    }

    var stepCount: UInt64 { steps.count.withLock(\.self) }

    /// Blocks until every call with `stores` has ended, or until the deadline.
    ///
    /// - Returns: The number of such calls that have not ended.
    func waitForStores(until deadline: DispatchTime) -> Int {
        _ = unstored.wait(timeout: deadline)
        return unstoredCount.withLock(\.self)
    }

    /// Returns when every call has ended, including calls that are added during the wait.
    func flush() async {
        await withCheckedContinuation { continuation in
            unfinished.notify(queue: .global()) { continuation.resume() }
        }
    }
}

/// The steps that a connection's task has not taken yet.
private struct StepQueue: Sendable {
    typealias Element = (number: UInt64, step: ServiceConnection.Step)

    let continuation: AsyncStream<Element>.Continuation
    /// The number of all added steps, except the steps `reconnect`.
    let count = Locked<UInt64>(0)

    func add(_ step: ServiceConnection.Step) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        continuation.yield((number, step))
    }

    /// Adds a step `reconnect` without counting it: `untilIdle()` would treat it as an app's call.
    func addReconnect() {
        continuation.yield((0, .reconnect))
    }
}

/// The state of a connection's task; only that task uses it.
///
/// After a loss of the service, the next step connects again. An app that only listens adds no
/// further step. So after a temporary failure the loop itself adds the step `reconnect`.
private struct ConnectionLoop {
    struct Session {
        var object: AnyObject
        var service: any NotificationService
        var session: ServiceSession
        var application: ApplicationID
        var asks: Bool
        var handlesResponses: Bool
        var extends = false
    }

    let source: ServiceSource
    let steps: StepQueue
    let delays: DelayedWork
    let listener: @Sendable (ServiceEvent) -> Void
    // The last failure to connect, and the number of the last step that was added before the
    // failure.
    var failure: (error: NotificationError, last: UInt64)?
    var chosen: Result<ApplicationID, NotificationError>?
    var asks = false
    var handlesResponses = false
    var extends = false
    var current: Session?
    var hasAdvised = false
    /// Whether a step `reconnect` is scheduled.
    var isReconnecting = false
    /// The number of temporary failures since `connectListener` last succeeded.
    var failureCount = 0

    mutating func performStep(_ step: ServiceConnection.Step, _ number: UInt64) async {
        switch step {
        case .call(let body):
            let result = await reached(for: number)
            // The task has no preferred executor: such an executor adds hops between threads, so
            // that one call could overtake another.
            Task.immediateDetached(priority: .medium) {
                await Self.perform(body, result, isolation: try? result.get().service)
            }
        case .identify(let result):
            chosen = result
            failure = nil
            let wasConnected = current != nil
            await endSession()
            if case .success(let id) = result { await source.setApplicationIdentifier(id) }
            // A delegate that was set earlier needs a session, even if no call follows.
            if wasConnected { await connectListener(for: number) }
        case .listen(let asks, let handlesResponses):
            self.asks = asks
            self.handlesResponses = handlesResponses
            // A new session gets both values when it connects. If connecting fails, the next call
            // reports the failure.
            if await connectListener(for: number) { await reportHowItListens() }
        case .extend(let extends):
            self.extends = extends
            if await connectListener(for: number) { await reportWhetherItExtends() }
        case .reconnect:
            isReconnecting = false
            failure = nil
            await connectListener(for: number)
        }
    }

    /// Connects even if the app makes no call; after a temporary failure, tries again later.
    ///
    /// Returns whether the app is connected.
    ///
    /// The notification centre assumes that an app without a session has quit, so a click would
    /// start the app a second time.
    @discardableResult
    private mutating func connectListener(for number: UInt64) async -> Bool {
        switch await reached(for: number) {
        case .success:
            failureCount = 0
            return true
        case .failure(let error):
            guard error.mayPass, !isReconnecting else { return false }
            isReconnecting = true
            // The pause doubles up to about a minute.
            let pause = Duration.seconds(1 << min(failureCount, 6))
            failureCount += 1
            delays.schedule(pause) { [steps] in steps.addReconnect() }
            return false
        }
    }

    /// Runs the call on the service's own actor, so that neither the start nor the end of the call
    /// needs another thread.
    private static func perform(
        _ body: ServiceConnection.Work,
        _ result: Result<ServiceConnection.Connected, NotificationError>,
        isolation: isolated (any Actor)?
    ) async {
        await body(result)
    }

    // If the app only removes its delegate, make no call: it often sets another delegate at once.
    private mutating func reportHowItListens() async {
        guard let session = current,
            session.asks != asks || (handlesResponses && !session.handlesResponses)
        else { return }
        current?.asks = asks
        current?.handlesResponses = handlesResponses
        await session.service.setAsksBeforePresenting(
            asks, handlesResponses: handlesResponses, in: session.session)
    }

    private mutating func reportWhetherItExtends() async {
        guard let session = current, session.extends != extends else { return }
        current?.extends = extends
        await session.service.setExtendsPushes(extends, in: session.session)
    }

    // Advises on a terminal only: a journal would get the same line at every start of the app.
    private mutating func advise(_ application: ApplicationIdentity) async {
        guard !hasAdvised, isatty(STDERR_FILENO) == 1 else { return }
        hasAdvised = true
        if let advice = await source.advice(application) {
            UNUserNotificationCenter.logMessage(advice)
        }
    }

    mutating func endSession() async {
        guard let ended = current else { return }
        current = nil
        await ended.service.disconnect(ended.session)
    }

    // If connecting fails, every call that is already waiting gets the same failure. So a hundred
    // calls wait only once for a daemon that does not start. A call made after the failure tries
    // again.
    private mutating func reached(
        for number: UInt64
    ) async -> Result<ServiceConnection.Connected, NotificationError> {
        if let failure, number <= failure.last { return .failure(failure.error) }
        failure = nil
        let result = await connected()
        if case .failure(let error) = result { failure = (error, steps.count.withLock(\.self)) }
        return result
    }

    // After a loss the host returns another service, which does not know the app. The app's
    // identity is determined once for each connection, because determining it reads files.
    private mutating func connected() async
        -> Result<ServiceConnection.Connected, NotificationError>
    {
        do {
            let chosen = try chosen?.get()
            let service = try await source.service()
            let object = service as AnyObject
            if let current, current.object === object {
                return .success(.init(service: service, application: current.application))
            }
            var application = source.application()
            if let chosen { application.id = chosen }
            // Apple's rule: an app needs permission to notify.
            application.needsPermission = true
            let session = try await service.connect(
                application, asksBeforePresenting: asks, handlesResponses: handlesResponses,
                identifiers: nil, listener: listener)
            current = Session(
                object: object, service: service, session: session, application: application.id,
                asks: asks, handlesResponses: handlesResponses)
            await reportWhetherItExtends()
            await advise(application)
            return .success(.init(service: service, application: application.id))
        } catch {
            return .failure(error)
        }
    }
}

/// The source of a center's service: the host of this process, or a script in tests.
package struct ServiceSource: Sendable {
    package var application: @Sendable () -> ApplicationIdentity
    /// Sets the app's id for the next connection to the service.
    package var setApplicationIdentifier: @Sendable (ApplicationID) async -> Void
    /// Returns the service; opens it first if it is closed or lost.
    package var service: @Sendable () async throws(NotificationError) -> any NotificationService
    /// Sets the closure that is called when the service has ended because its store has failed.
    package var onServiceEnd: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    /// Returns advice for a user who runs the app on a terminal; called once, after connecting.
    package var advice: @Sendable (ApplicationIdentity) async -> String? = { _ in nil }
    /// Finishes the service's work before the program ends, and reports a sentence for the user.
    ///
    /// A later sentence replaces an earlier sentence.
    package var finish: @Sendable (@escaping @Sendable (String?) -> Void) async -> Void = { _ in }
    package var location: @Sendable (LocationPermissions) -> (any LocationServices)? = { _ in nil }
    /// The public VAPID key of the app's server, from its `Info.plist`.
    package var pushServerKey: @Sendable () -> String? = { nil }
    /// The identifier of the request, if a response to its notification started this program.
    package var launchedFor: @Sendable () -> String? = { nil }
    /// Runs the tasks that call the service; nil for Swift's pool.
    package var executor: (any TaskExecutor)?

    package init(
        application: @escaping @Sendable () -> ApplicationIdentity,
        setApplicationIdentifier: @escaping @Sendable (ApplicationID) async -> Void = { _ in },
        service: @escaping @Sendable () async throws(NotificationError) -> any NotificationService
    ) {
        self.application = application
        self.setApplicationIdentifier = setApplicationIdentifier
        self.service = service
    }

    package init(_ host: ServiceHost) {
        self.init(
            application: { host.application },
            setApplicationIdentifier: { host.setApplicationIdentifier($0) },
            service: { () async throws(NotificationError) in try await host.service() })
        onServiceEnd = { host.onEngineEnd($0) }
        advice = { await host.advice(for: $0) }
        finish = { await host.finish($0) }
        location = { host.makeLocationServices($0) }
        pushServerKey = { host.pushServerKey }
        launchedFor = { host.launchedFor }
        executor = host.executor
    }
}
