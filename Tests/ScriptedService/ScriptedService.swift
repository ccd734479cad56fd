package import NotificationModel

/// A notification centre in memory that does what a test tells it, and says what it was asked.
package actor ScriptedService: NotificationService {
    /// One call, in the order of arrival.
    package enum Call: Hashable, Sendable {
        case connect(ApplicationID, asks: Bool)
        case setAsks(Bool)
        case setExtends(Bool)
        case push([UInt8], PushHeaders, ApplicationID?)
        case finishExtension(ExtensionToken, NotificationContent?)
        case disconnect
        case add(String)
        case removePending(NotificationSelection)
        case skip(String)
        case snooze(String, Double)
        case addMany([String])
        case pending(ListQuery)
        case removeDelivered(NotificationSelection)
        case delivered(ListQuery)
        case records(ListQuery)
        case setCategories([String])
        case categories
        case acknowledge(Int64)
        case answer(PresentationToken, PresentationOptions)
        case requestAuthorization(Permission.Options)
        case settings
        case permissions
        case decide(PermissionDecision)
        case setBadge(Int)
        case setPreviews(ShowPreviews)
        case openNotificationSettings
        case status
        case watch(ApplicationID?)
        case unwatch
    }

    private struct Waiter {
        var condition: @Sendable ([Call]) -> Bool
        var continuation: CheckedContinuation<[Call], Never>
    }

    package private(set) var calls: [Call] = []
    package private(set) var requests: [NotificationRequest] = []
    package private(set) var application: ApplicationID?
    package private(set) var identities: [ApplicationIdentity] = []
    package private(set) var attachmentSizes: [Int] = []
    private var deliveredNotifications: [DeliveredNotification] = []
    private var storedRecords: [NotificationRecord] = []
    private var storedCategories: [NotificationCategory] = []
    private var failures: [NotificationError] = []
    private var settings = ApplicationSettings(
        permission: Permission(.authorized, options: .all),
        presenter: PresenterStatus(isAvailable: true))
    private var presenter: PresenterStatus { settings.presenter }
    private var listener: (@Sendable (ServiceEvent) -> Void)?
    private var watchers: [ServiceSession: @Sendable (ServiceChange) -> Void] = [:]
    private var watchCount: UInt64 = 0
    private var waiters: [Waiter] = []
    private var gateSize = 0
    private var atGate: [CheckedContinuation<Void, Never>] = []

    /// The sessions of apps that are connected.
    package private(set) var liveSessions: Set<ServiceSession> = []
    private var sessionCount: UInt64 = 0
    private var slowness: UInt64?

    package init() {}

    /// Calls about sessions suspend here and there from now on, as where a store or a bus is asked.
    package func slowDown(seed: UInt64) { slowness = seed }

    private func dawdle() async {
        guard let state = slowness else { return }
        // Knuth's generator of 64 bits.
        slowness = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        for _ in 0..<(state >> 60) { await Task.yield() }
    }

    // MARK: What a test tells it

    /// The next calls that can fail do, with these errors.
    package func fail(_ errors: NotificationError...) { failures += errors }

    /// Adds answer only when this many of them have come.
    package func holdAdds(until count: Int) { gateSize = count }

    package func set(_ presenter: PresenterStatus) { settings.presenter = presenter }

    package func set(_ settings: ApplicationSettings) { self.settings = settings }

    package func set(_ delivered: [DeliveredNotification]) { deliveredNotifications = delivered }

    package func set(_ records: [NotificationRecord]) { storedRecords = records }

    package func send(_ event: ServiceEvent) { listener?(event) }

    package func tell(_ change: ServiceChange) {
        for watcher in watchers.values { watcher(change) }
    }

    /// The calls, as soon as they fulfil a condition.
    package func calls(
        where condition: @escaping @Sendable ([Call]) -> Bool
    ) async -> [Call] {
        if condition(calls) { return calls }
        return await withCheckedContinuation {
            waiters.append(Waiter(condition: condition, continuation: $0))
        }
    }

    /// The calls, as soon as this one is among them.
    package func calls(with call: Call) async -> [Call] {
        await calls { $0.contains(call) }
    }

    private func record(_ call: Call) {
        calls.append(call)
        let ready = waiters.filter { $0.condition(calls) }
        waiters.removeAll { $0.condition(calls) }
        for waiter in ready { waiter.continuation.resume(returning: calls) }
    }

    private func failIfTold() throws(NotificationError) {
        if !failures.isEmpty { throw failures.removeFirst() }
    }

    // MARK: NotificationService

    package func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool,
        identifiers: Set<String>?,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        record(.connect(application.id, asks: asksBeforePresenting))
        self.application = application.id
        identities.append(application)
        self.listener = listener
        await dawdle()
        sessionCount += 1
        let session = ServiceSession(rawValue: sessionCount)
        liveSessions.insert(session)
        await dawdle()
        return session
    }

    package func setAsksBeforePresenting(_ asks: Bool, in session: ServiceSession) async {
        record(.setAsks(asks))
    }

    package func setExtendsPushes(_ extends: Bool, in session: ServiceSession) async {
        record(.setExtends(extends))
    }

    package func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) async throws(NotificationError) -> String? {
        record(.push(payload, headers, app))
        try failIfTold()
        return headers.collapseIdentifier
    }

    package func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError) {
        record(.finishExtension(token, content?.content))
        try failIfTold()
        attachmentSizes += content?.attachments.map(\.size) ?? []
    }

    package func disconnect(_ session: ServiceSession) async {
        await dawdle()
        liveSessions.remove(session)
        record(.disconnect)
    }

    package func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError) {
        record(.add(request.identifier))
        try failIfTold()
        if gateSize == 0 { requests.removeAll { $0.identifier == request.identifier } }
        requests.append(request)
        attachmentSizes += attachments.map(\.size)
        guard gateSize > 0 else { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            atGate.append(continuation)
            guard atGate.count >= gateSize else { return }
            for waiting in atGate { waiting.resume() }
            atGate = []
        }
    }

    package func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        record(.removePending(selection))
        try failIfTold()
        switch selection {
        case .all: requests = []
        case .identifiers(let names): requests.removeAll { names.contains($0.identifier) }
        }
    }

    package func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<PendingNotification> {
        record(.pending(query))
        try failIfTold()
        let list = requests.map {
            PendingNotification(app: .tocsin, request: $0, state: .pending, nextFire: nil)
        }
        return page(of: list, query)
    }

    package func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError) {
        record(.addMany(requests.map(\.request.identifier)))
        try failIfTold()
        self.requests += requests.map(\.request)
        attachmentSizes += requests.flatMap(\.files).map(\.size)
    }

    package func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) async throws(NotificationError) -> Instant {
        record(.snooze(identifier, seconds))
        try failIfTold()
        return Instant(microseconds: 3_000_000)
    }

    package func skip(
        _ identifier: String, of app: ApplicationID
    ) async throws(NotificationError) -> SkippedOccurrence {
        record(.skip(identifier))
        try failIfTold()
        return SkippedOccurrence(
            skipped: Instant(microseconds: 1_000_000), next: Instant(microseconds: 2_000_000))
    }

    package func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        record(.removeDelivered(selection))
        try failIfTold()
    }

    package func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<DeliveredNotification> {
        record(.delivered(query))
        try failIfTold()
        return page(of: deliveredNotifications, query)
    }

    /// Its cursors are numbers of elements.
    private func page<Element>(of list: [Element], _ query: ListQuery) -> ListPage<Element> {
        let start = query.after.flatMap { Int($0.rawValue) } ?? 0
        let end = min(start + query.limit, list.count)
        return ListPage(
            notifications: Array(list[min(start, end)..<end]),
            next: end < list.count ? PageCursor(rawValue: String(end)) : nil)
    }

    package func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<NotificationRecord> {
        record(.records(query))
        try failIfTold()
        return page(of: storedRecords, query)
    }

    package func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) async throws(NotificationError) {
        record(.setCategories(categories.map(\.identifier)))
        try failIfTold()
        storedCategories = categories
    }

    package func categories(
        of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationCategory] {
        record(.categories)
        try failIfTold()
        return storedCategories
    }

    package func acknowledge(
        _ response: Int64, of app: ApplicationID
    ) async throws(NotificationError) {
        record(.acknowledge(response))
        try failIfTold()
    }

    package func answer(_ token: PresentationToken, with options: PresentationOptions) async {
        record(.answer(token, options))
    }

    package func waitUntilIdle(
        _ app: ApplicationID, includingPopups: Bool
    ) async throws(NotificationError) {
        try failIfTold()
    }

    package func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool {
        record(.requestAuthorization(options))
        try failIfTold()
        return settings.permission?.allows ?? true
    }

    package func settings(
        of app: ApplicationID
    ) async throws(NotificationError) -> ApplicationSettings {
        record(.settings)
        try failIfTold()
        return settings
    }

    package func permissions() async throws(NotificationError) -> [ApplicationPermission] {
        record(.permissions)
        try failIfTold()
        return settings.permission.map {
            [ApplicationPermission(app: .tocsin, name: "Test", permission: $0)]
        } ?? []
    }

    package func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError) {
        record(.decide(decision))
        try failIfTold()
    }

    package func setPreviews(
        _ previews: ShowPreviews, of app: ApplicationID
    ) async throws(NotificationError) {
        record(.setPreviews(previews))
        try failIfTold()
    }

    package func openNotificationSettings(
        of app: ApplicationID
    ) async throws(NotificationError) {
        record(.openNotificationSettings)
        try failIfTold()
    }

    package func setBadge(_ count: Int, of app: ApplicationID) async throws(NotificationError) {
        record(.setBadge(count))
        try failIfTold()
    }

    package func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        record(.watch(app))
        try failIfTold()
        watchCount += 1
        let session = ServiceSession(rawValue: watchCount)
        watchers[session] = listener
        return session
    }

    package func unwatch(_ session: ServiceSession) async {
        record(.unwatch)
        watchers[session] = nil
    }

    package func status() async throws(NotificationError) -> ServiceStatus {
        record(.status)
        try failIfTold()
        return ServiceStatus(
            version: "1", hosting: "test", store: "", pendingCount: requests.count,
            deliveredCount: 0, responseCount: 0, nextFire: nil, presenter: presenter)
    }
}
