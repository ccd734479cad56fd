internal import DesktopBus

/// The popups of a scripted server, and its decisions.
struct ServerState {
    var script: ServerScript
    private(set) var shown: [UInt32: NotifyCall] = [:]
    private var lastID: UInt32 = 0
    private var calls = 0
    private var previous: (call: NotifyCall, at: ContinuousClock.Instant)?
    /// The client whose departure removes an app's notifications, by desktop entry.
    private var sources: [String: BusName] = [:]

    init(script: ServerScript) {
        self.script = script
    }

    /// Decides on a call and returns it with its outcome.
    mutating func notify(_ call: NotifyCall, at now: ContinuousClock.Instant) -> NotifyCall {
        var call = call
        calls += 1
        if let error = refusal(of: call, at: now) {
            call.outcome = .refused(error)
            return call
        }
        previous = (call, now)
        let id = nextID(replacing: call.replacesID)
        call.outcome = .shown(id: id)
        if script.remembersFirstSender, let former = shown[id] {
            call.firstSender = former.firstSender ?? former.sender
        }
        shown[id] = call
        if let entry = call.desktopEntry, sources[entry] == nil { sources[entry] = call.sender }
        return call
    }

    /// The oldest notification of the call's app, if the app has more than its limit.
    func surplus(beside call: NotifyCall) -> UInt32? {
        guard let limit = script.appLimit else { return nil }
        let ids = shown.filter { $0.value.source == call.source }.keys
        return ids.count > limit ? ids.min() : nil
    }

    /// Removes a notification from the screen; nil if it was not there.
    mutating func remove(_ id: UInt32) -> NotifyCall? {
        shown.removeValue(forKey: id)
    }

    /// Handles the departure of a client; returns the ids of the notifications that close with it.
    mutating func departed(_ sender: BusName) -> [UInt32] {
        switch script.departure {
        case .keepsAll:
            return []
        case .stripsActions:
            for id in shown.keys where shown[id]?.sender == sender { shown[id]?.actions = [] }
            return []
        case .dropsSource:
            let entries = sources.filter { $0.value == sender }.keys
            let ids = shown.filter { entries.contains($0.value.desktopEntry ?? "") }.keys.sorted()
            for entry in entries { sources[entry] = nil }
            for id in ids { shown[id] = nil }
            return ids
        }
    }

    private mutating func refusal(
        of call: NotifyCall, at now: ContinuousClock.Instant
    ) -> ErrorName? {
        switch script.failures {
        case .none: break
        case .all(let error): return error
        case .every(let count, let error):
            if calls.isMultiple(of: count) { return error }
        case .next(let count, let error):
            script.failures = count > 1 ? .next(count - 1, error) : .none
            return error
        }
        if let interval = script.repeatInterval, let previous, previous.call.looksLike(call),
            now - previous.at < interval
        {
            return "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
        }
        if let limit = script.limit, shown.count >= limit, shown[call.replacesID] == nil {
            return script.limitError
        }
        return nil
    }

    private mutating func nextID(replacing id: UInt32) -> UInt32 {
        if let fixed = script.fixedID { return fixed }
        if shown[id] != nil { return id }
        lastID += 1
        return lastID
    }
}

extension NotifyCall {
    /// The heading under which a desktop lists the notification.
    fileprivate var source: String { desktopEntry ?? appName }

    /// The desktop entry by which a desktop knows the app.
    var desktopEntry: String? { hints["desktop-entry"]?.stringValue }
}
