import NotificationModel
internal import NotificationStore

/// The connected processes of all apps, and the responses that each process has; pure.
///
/// At any time, at most one process of an app has a given response. Each process gets its responses
/// in order. If a process disconnects without an acknowledgement, the next process of the app gets
/// the response. If no process of a connected app handles responses, the app's responses wait until
/// a process handles them.
struct ResponseMachine {
    struct Session {
        var app: ApplicationID
        var asksBeforePresenting: Bool
        /// Whether the process handles responses now; with the library, whether it has a delegate.
        var handlesResponses = true
        var extendsPushes = false
        /// The identifiers of the notifications whose responses this session gets; nil for all.
        var identifiers: Set<String>?
        /// Whether the stored responses are still being read; during this time no response is sent.
        var isReplaying = true
        /// The responses that this session has, but has not acknowledged yet.
        ///
        /// Until the stored responses are read, these are new responses that are not sent yet.
        fileprivate(set) var responses: [NotificationResponse] = []
        /// The responses that the app acknowledged while the stored responses were being read.
        ///
        /// The read may still return these responses.
        fileprivate(set) var acknowledged: Set<Int64> = []

        func hears(of key: NotificationKey) -> Bool {
            app == key.app && identifiers?.contains(key.identifier) ?? true
        }
    }

    private(set) var sessions: [ServiceSession: Session] = [:]
    /// For each app, the notifications that sessions with `identifiers` wait for, each with the
    /// number of these sessions.
    ///
    /// Every removal reads this table. An app may have many sessions that wait for thousands of
    /// notifications each, so a removal must not collect them from the sessions.
    private var awaited: [ApplicationID: [NotificationKey: Int]] = [:]
    /// The responses that the store is still writing, by their ids; a value is true after the app's
    /// acknowledgement.
    private var unstored: [Int64: Bool] = [:]
    /// For each connected app, the responses that wait for a session that handles responses.
    ///
    /// When the last session of an app ends, only the store keeps these responses.
    private var unassigned: [ApplicationID: [NotificationResponse]] = [:]

    // MARK: Sessions

    mutating func connect(_ session: Session, as number: ServiceSession) {
        sessions[number] = session
        countAwaited(by: session, 1)
    }

    private mutating func countAwaited(by session: Session, _ difference: Int) {
        guard let identifiers = session.identifiers else { return }
        var counts = awaited.removeValue(forKey: session.app) ?? [:]
        for identifier in identifiers {
            let key = NotificationKey(app: session.app, identifier: identifier)
            let count = counts[key, default: 0] + difference
            counts[key] = count > 0 ? count : nil
        }
        awaited[session.app] = counts.isEmpty ? nil : counts
    }

    mutating func change(_ session: ServiceSession, _ body: (inout Session) -> Void) {
        guard let place = sessions.index(forKey: session) else { return }
        body(&sessions.values[place])
    }

    /// Changes whether a process handles responses, and hands over the responses that wait for it.
    mutating func setHandlesResponses(
        _ handles: Bool, in session: ServiceSession
    ) -> [EngineEffect] {
        change(session) { $0.handlesResponses = handles }
        guard let app = sessions[session]?.app else { return [] }
        return deliver([], of: app)
    }

    /// Ends a session, and hands its unacknowledged responses to another process of the app.
    mutating func disconnect(_ session: ServiceSession) -> [EngineEffect] {
        guard let ended = sessions.removeValue(forKey: session) else { return [] }
        countAwaited(by: ended, -1)
        return deliver(ended.responses, of: ended.app)
    }

    /// The sessions whose `identifiers` include this notification, oldest first.
    func sessions(waitingFor key: NotificationKey) -> [ServiceSession] {
        sessions.filter { $0.value.hears(of: key) && $0.value.identifiers != nil }
            .keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// The app's notifications that sessions with `identifiers` wait for.
    func awaitedKeys(of app: ApplicationID) -> [NotificationKey: Int].Keys {
        (awaited[app] ?? [:]).keys
    }

    func newest(where isMeant: (Session) -> Bool) -> ServiceSession? {
        sessions.filter { isMeant($0.value) }.keys.max { $0.rawValue < $1.rawValue }
    }

    /// The session of this app that decides how its notifications are shown.
    func asked(by app: ApplicationID) -> ServiceSession? {
        newest { $0.app == app && $0.asksBeforePresenting }
    }

    // MARK: Responses

    /// Hands an app's stored responses to its new session, except those that another process has.
    mutating func replay(
        _ stored: [NotificationResponse], to session: ServiceSession
    ) -> [EngineEffect] {
        guard let state = sessions[session] else { return [] }
        change(session) {
            $0.isReplaying = false
            $0.responses = []
            $0.acknowledged = []
        }
        var all: [Int64: NotificationResponse] = [:]
        for response in stored + state.responses
        where state.hears(of: response.notification.key) && !isInHand(response.id)
            && !state.acknowledged.contains(response.id)
        {
            all[response.id] = response
        }
        return deliver(Array(all.values), of: state.app)
    }

    mutating func startStoring(_ response: NotificationResponse) -> [EngineEffect] {
        unstored[response.id] = false
        return deliver(response)
    }

    /// Hands a stored response to its app.
    ///
    /// If the response was already handed over, or waits for a process, this does nothing.
    mutating func stored(_ response: NotificationResponse) -> [EngineEffect] {
        let isDone = unstored.removeValue(forKey: response.id) ?? false
        return isDone || isInHand(response.id) ? [] : deliver(response)
    }

    /// Forgets a response that the store does not keep.
    mutating func abandon(_ id: Int64) {
        unstored[id] = nil
    }

    /// Whether the app acknowledged a response before the store wrote it.
    ///
    /// If so, the store need not keep the response.
    func isDone(_ id: Int64) -> Bool { unstored[id] ?? false }

    mutating func acknowledge(_ id: Int64, of app: ApplicationID) {
        for session in sessions.keys where sessions[session]?.app == app {
            change(session) {
                $0.responses.removeAll { $0.id == id }
                if $0.isReplaying { $0.acknowledged.insert(id) }
            }
        }
        unassigned[app]?.removeAll { $0.id == id }
        if unstored[id] != nil { unstored[id] = true }
    }

    private func isInHand(_ id: Int64) -> Bool {
        sessions.values.contains { $0.responses.contains { $0.id == id } }
            || unassigned.values.contains { $0.contains { $0.id == id } }
    }

    /// Hands over responses of an app together with those that wait for a process, in order.
    private mutating func deliver(
        _ responses: [NotificationResponse], of app: ApplicationID
    ) -> [EngineEffect] {
        let all = responses + (unassigned.removeValue(forKey: app) ?? [])
        return all.sorted { $0.id < $1.id }.flatMap { deliver($0) }
    }

    /// Hands a response to the newest session that waits for this notification.
    ///
    /// If no session waits, the newest session that gets and handles all responses gets it.
    private mutating func deliver(_ response: NotificationResponse) -> [EngineEffect] {
        let key = response.notification.key
        let awaiting = sessions(waitingFor: key).last
        guard
            let session = awaiting ?? newest(where: { $0.hears(of: key) && $0.handlesResponses })
        else {
            if newest(where: { $0.hears(of: key) }) != nil {
                unassigned[key.app, default: []].append(response)
            }
            return []
        }
        change(session) { $0.responses.append(response) }
        guard sessions[session]?.isReplaying == false else { return [] }
        return [.send(session, .response(response))]
    }
}

/// The notifications that were shown last, so that a click needs no read of the store; pure.
///
/// It is only a cache. When the response is stored, the store decides whether the notification is
/// still delivered.
struct RecentNotifications {
    /// The most notifications that are remembered; fewer popups fit on a screen.
    static let limit = 64

    private var notifications: [NotificationKey: DeliveredNotification] = [:]

    mutating func insert(_ notification: DeliveredNotification) {
        if notifications.count >= Self.limit { notifications = [:] }
        notifications[notification.key] = notification
    }

    /// Returns a notification and forgets it, because a notification gets only one response.
    mutating func remove(_ key: NotificationKey) -> DeliveredNotification? {
        notifications.removeValue(forKey: key)
    }
}

/// A response on its way to the store, with the decisions about it.
struct PendingResponse: Hashable, Sendable {
    var response: NotificationResponse
    /// Whether the app gets the response.
    ///
    /// If the category does not ask for dismissals, a dismissal only removes the notification.
    var isWanted: Bool
    /// Whether the response waits until the user unlocks the session.
    var isDeferred: Bool
    var startsApp: Bool

    var key: NotificationKey { response.notification.key }
}
