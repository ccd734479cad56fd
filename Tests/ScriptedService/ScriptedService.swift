package import NotificationModel

/// A notification centre in memory that does what a test tells it, and says what it was asked.
package actor ScriptedService: NotificationService {
    package typealias Failure = NotificationError

    /// One call, in the order of arrival.
    package enum Call: Hashable, Sendable {
        case connect(ApplicationID, asks: Bool)
        case setAsks(Bool)
        case setExtends(Bool)
        case push([UInt8], PushHeaders, ApplicationID?)
        case finishExtension(ExtensionToken, NotificationContent?)
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
        case acknowledge(Int64)
        case answer(PresentationToken, PresentationOptions)
        case requestAuthorization(Permission.Options)
        case decide(PermissionDecision)
        case setBadge(Int)
        case setPreviews(ShowPreviews)
        case watch(ApplicationID?)
        case disconnect, unwatch, waitUntilIdle, status
        case categories, settings, permissions, openNotificationSettings
    }

    package private(set) var calls: [Call] = []
    package private(set) var requests: [NotificationRequest] = []
    package private(set) var attachmentSizes: [Int] = []
    package private(set) var identities: [ApplicationIdentity] = []
    /// The sessions of apps that are connected.
    package private(set) var liveSessions: Set<ServiceSession> = []
    private var categories: [NotificationCategory] = []
    private var listener: (@Sendable (ServiceEvent) -> Void)?
    private var watchers: [ServiceSession: @Sendable (ServiceChange) -> Void] = [:]
    private var sessionCount: UInt64 = 0
    private typealias Condition = @Sendable ([Call]) -> Bool
    private var waiters: [(Condition, CheckedContinuation<[Call], Never>)] = []
    private var atGate: [CheckedContinuation<Void, Never>] = []

    package init() {}

    // MARK: The script

    private var delivered: [DeliveredNotification] = []
    private var records: [NotificationRecord] = []
    private var failures: [NotificationError] = []
    private var gateSize = 0
    private var slowness: UInt64?
    private var settings = ApplicationSettings(
        permission: Permission(.authorized, options: .all),
        presenter: PresenterStatus(isAvailable: true))

    package func set(_ settings: ApplicationSettings) { self.settings = settings }
    package func set(_ delivered: [DeliveredNotification]) { self.delivered = delivered }
    package func set(_ records: [NotificationRecord]) { self.records = records }

    /// The next calls that can fail do, with these errors.
    package func fail(_ errors: NotificationError...) { failures += errors }

    /// Adds answer only when this many of them have come.
    package func holdAdds(until count: Int) { gateSize = count }

    /// Calls about sessions suspend here and there from now on, as where a store or a bus is asked.
    package func slowDown(seed: UInt64) { slowness = seed }

    package func send(_ event: ServiceEvent) { listener?(event) }

    package func tell(_ change: ServiceChange) {
        for watcher in watchers.values { watcher(change) }
    }

    /// The calls, as soon as they fulfil a condition.
    package func calls(where condition: @escaping @Sendable ([Call]) -> Bool) async -> [Call] {
        if condition(calls) { return calls }
        return await withCheckedContinuation { waiters.append((condition, $0)) }
    }

    /// The calls, as soon as this one is among them.
    package func calls(with call: Call) async -> [Call] { await calls { $0.contains(call) } }

    private func record(_ call: Call) {
        calls.append(call)
        waiters.removeAll { condition, continuation in
            guard condition(calls) else { return false }
            continuation.resume(returning: calls)
            return true
        }
    }

    /// Records a call and gives its result, unless the script has an error for it.
    private func perform<Result>(_ call: Call, _ result: Result = ()) throws(Failure) -> Result {
        record(call)
        if !failures.isEmpty { throw failures.removeFirst() }
        return result
    }

    /// Records a call for a list and gives a page of it, with numbers of elements as cursors.
    private func page<Element>(
        _ call: Call, of list: [Element], _ query: ListQuery
    ) throws(Failure) -> ListPage<Element> {
        let start = query.after.flatMap { Int($0.rawValue) } ?? 0
        let end = min(start + query.limit, list.count)
        return try perform(
            call,
            ListPage(
                notifications: Array(list[min(start, end)..<end]),
                next: end < list.count ? PageCursor(rawValue: String(end)) : nil))
    }

    private func dawdle() async {
        guard let state = slowness else { return }
        // Knuth's generator of 64 bits.
        slowness = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        for _ in 0..<(state >> 60) { await Task.yield() }
    }

    private func makeSession() -> ServiceSession {
        sessionCount += 1
        return ServiceSession(rawValue: sessionCount)
    }

    // MARK: ResponseSessions

    package func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool, identifiers: Set<String>?,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async -> ServiceSession {
        record(.connect(application.id, asks: asksBeforePresenting))
        identities.append(application)
        self.listener = listener
        await dawdle()
        let session = makeSession()
        liveSessions.insert(session)
        await dawdle()
        return session
    }

    package func disconnect(_ session: ServiceSession) async {
        await dawdle()
        liveSessions.remove(session)
        record(.disconnect)
    }

    package func setAsksBeforePresenting(_ asks: Bool, in session: ServiceSession) {
        record(.setAsks(asks))
    }

    package func setExtendsPushes(_ extends: Bool, in session: ServiceSession) {
        record(.setExtends(extends))
    }

    package func acknowledge(_ id: Int64, of app: ApplicationID) throws(Failure) {
        try perform(.acknowledge(id))
    }

    package func answer(_ token: PresentationToken, with options: PresentationOptions) {
        record(.answer(token, options))
    }

    // MARK: RequestScheduling

    package func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(Failure) {
        try perform(.add(request.identifier))
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

    package func add(_ requests: [RequestWithFiles], for app: ApplicationID) throws(Failure) {
        try perform(.addMany(requests.map(\.request.identifier)))
        self.requests += requests.map(\.request)
        attachmentSizes += requests.flatMap(\.files).map(\.size)
    }

    package func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) throws(Failure) {
        try perform(.removePending(selection))
        switch selection {
        case .all: requests = []
        case .identifiers(let names): requests.removeAll { names.contains($0.identifier) }
        }
    }

    package func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) throws(Failure) -> ListPage<PendingNotification> {
        let list = requests.map {
            PendingNotification(app: .tocsin, request: $0, state: .pending, nextFire: nil)
        }
        return try page(.pending(query), of: list, query)
    }

    package func snooze(
        _ identifier: String, of app: ApplicationID, for seconds: Double
    ) throws(Failure) -> Instant {
        try perform(.snooze(identifier, seconds), Instant(microseconds: 3_000_000))
    }

    package func skip(
        _ identifier: String, of app: ApplicationID
    ) throws(Failure) -> SkippedOccurrence {
        let dates = (Instant(microseconds: 1_000_000), Instant(microseconds: 2_000_000))
        return try perform(.skip(identifier), SkippedOccurrence(skipped: dates.0, next: dates.1))
    }

    package func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) throws(Failure) {
        try perform(.removeDelivered(selection))
    }

    package func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?
    ) throws(Failure) -> ListPage<DeliveredNotification> {
        try page(.delivered(query), of: delivered, query)
    }

    package func recordPage(
        _ query: ListQuery, of app: ApplicationID?
    ) throws(Failure) -> ListPage<NotificationRecord> {
        try page(.records(query), of: records, query)
    }

    package func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) throws(Failure) {
        try perform(.setCategories(categories.map(\.identifier)))
        self.categories = categories
    }

    package func categories(of app: ApplicationID) throws(Failure) -> [NotificationCategory] {
        try perform(.categories, categories)
    }

    // MARK: PermissionControl

    package func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) throws(Failure) -> Bool {
        try perform(.requestAuthorization(options), settings.permission?.allows ?? true)
    }

    package func settings(of app: ApplicationID) throws(Failure) -> ApplicationSettings {
        try perform(.settings, settings)
    }

    package func permissions() throws(Failure) -> [ApplicationPermission] {
        let permissions = settings.permission.map {
            [ApplicationPermission(app: .tocsin, name: "Test", permission: $0)]
        }
        return try perform(.permissions, permissions ?? [])
    }

    package func decide(_ decision: PermissionDecision, for app: ApplicationID) throws(Failure) {
        try perform(.decide(decision))
    }

    package func setPreviews(_ previews: ShowPreviews, of app: ApplicationID) throws(Failure) {
        try perform(.setPreviews(previews))
    }

    package func openNotificationSettings(of app: ApplicationID) throws(Failure) {
        try perform(.openNotificationSettings)
    }

    package func setBadge(_ count: Int, of app: ApplicationID) throws(Failure) {
        try perform(.setBadge(count))
    }

    // MARK: PushReceiving

    package func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) throws(Failure) -> String? {
        try perform(.push(payload, headers, app), headers.collapseIdentifier)
    }

    package func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) throws(Failure) {
        try perform(.finishExtension(token, content?.content))
        attachmentSizes += content?.attachments.map(\.size) ?? []
    }

    // MARK: ServiceInspection

    package func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) throws(Failure) -> ServiceSession {
        try perform(.watch(app))
        let session = makeSession()
        watchers[session] = listener
        return session
    }

    package func unwatch(_ session: ServiceSession) {
        record(.unwatch)
        watchers[session] = nil
    }

    package func waitUntilIdle(_ app: ApplicationID, includingPopups: Bool) throws(Failure) {
        try perform(.waitUntilIdle)
    }

    package func status() throws(Failure) -> ServiceStatus {
        let status = ServiceStatus(
            version: "1", hosting: "test", store: "", pendingCount: requests.count,
            deliveredCount: 0, responseCount: 0, nextFire: nil, presenter: settings.presenter)
        return try perform(.status, status)
    }
}
