internal import NotificationModel

/// Decides how apps stay registered with a distributor, which gets their push messages.
///
/// It owns the registrations, the choice of the distributor, and the calls under way.
///
/// - It keeps an app's token until the registration ends or the server's key changes.
/// - It stores the token before the distributor gets the token.
/// - It registers every app again at each start of the daemon and of the distributor, because
///   distributors report a changed endpoint only after a registration.
/// - It accepts an endpoint before or after the reply to `Register`: distributors use both orders.
///
/// It never calls the bus or the store.
struct ConnectorMachine {
    private struct Entry {
        var registration: PushRegistration
        var stage: Stage
        var failures = 0
        var waiters: [UInt64] = []
        /// Whether a change of the registration is being stored.
        var isSaving = false
        /// Whether a change must still be stored: no save has included it, or its save failed.
        var needsSaving = false
        /// Whether the present distributor has sent the endpoint.
        var isConfirmed = false
        /// Whether the present endpoint must still be reported to the running app.
        var isUnreported = false
    }

    private var entries: [String: Entry] = [:]
    private var tokens: [ApplicationID: String] = [:]
    private var queue: [String] = []
    private var callCount = 0
    private var run = 0
    private(set) var choice: DistributorChoice
    private(set) var current: Distributor?
    private var isInspecting = false
    /// How many inspections in a row have failed since the distributor was chosen or last started.
    private var inspectionFailures = 0
    private(set) var problem = ""

    /// `preset` is the distributor's name from the environment; the user's choice overrides it.
    init(preset: String?) {
        choice = DistributorChoice(preset: preset)
    }

    // MARK: The apps

    /// Loads the stored registrations at the start of the daemon.
    mutating func load(_ registrations: [PushRegistration], chosen: String?) -> [Effect] {
        choice.chosen = chosen
        for registration in registrations {
            entries[registration.token] = Entry(registration: registration, stage: .idle)
            tokens[registration.app] = registration.token
        }
        return select()
    }

    /// Updates the ids of the apps after an app has changed its id.
    ///
    /// Only ids change, because apps may have registered or unregistered since the list was read.
    mutating func reload(_ registrations: [PushRegistration]) {
        for registration in registrations {
            entries[registration.token]?.registration.app = registration.app
        }
        tokens = [:]
        for (token, entry) in entries { tokens[entry.registration.app] = token }
    }

    /// The registration that a message names; nil for an unknown token.
    func registration(of token: String) -> PushRegistration? { entries[token]?.registration }

    var registrations: [PushRegistration] { entries.values.map(\.registration) }

    func registration(of app: ApplicationID) -> PushRegistration? {
        tokens[app].flatMap { entries[$0]?.registration }
    }

    /// Registers an app; `waiter` is the number of the call that waits for the answer.
    mutating func register(
        _ app: ApplicationID, name: String, serverKey: String?, fresh: Credentials, waiter: UInt64
    ) -> [Effect] {
        guard let current else { return [.answer([waiter], .failure(noDistributor))] }
        var effects: [Effect] = []
        // The distributor binds the server's key to the token, so another key needs another token.
        if let known = registration(of: app), known.serverKey != serverKey {
            effects += unregister(app)
        }
        guard let token = tokens[app], let entry = entries[token] else {
            var registration = PushRegistration(
                app: app, token: fresh.token, privateKey: fresh.privateKey,
                authenticationSecret: fresh.authenticationSecret)
            (registration.name, registration.serverKey) = (name, serverKey)
            var entry = Entry(registration: registration, stage: .storing)
            (entry.waiters, entry.isSaving) = ([waiter], true)
            entries[fresh.token] = entry
            tokens[app] = fresh.token
            return effects + [.save(registration)]
        }
        if entry.registration.name != name { entries[token]?.needsSaving = true }
        entries[token]?.registration.name = name
        entries[token]?.waiters.append(waiter)
        let isKnown =
            entry.stage == .registered && entry.registration.distributor == current.name
            || entry.stage == .accepted && entry.isConfirmed
        return effects + (isKnown ? confirmStored(token) : enqueue(token))
    }

    /// Ends an app's registration; the caller removes it from the store.
    mutating func unregister(_ app: ApplicationID) -> [Effect] {
        guard let token = tokens.removeValue(forKey: app),
            let entry = entries.removeValue(forKey: token)
        else { return [] }
        let gone = refusal("the app has ended or replaced the registration. Register it again.")
        return answer(entry.waiters, .failure(gone))
            + unregistration(of: entry.registration, from: current)
    }

    private func unregistration(
        of registration: PushRegistration, from distributor: Distributor?
    ) -> [Effect] {
        guard let distributor, distributor.version != nil,
            registration.distributor == nil || registration.distributor == distributor.name
        else { return [] }
        return [.unregister(token: registration.token, from: distributor)]
    }

    mutating func waiterExpired(_ waiter: UInt64) -> [Effect] {
        for (token, entry) in entries where entry.waiters.contains(waiter) {
            entries[token]?.waiters.removeAll { $0 == waiter }
            let error = refusal(
                "it has sent no endpoint yet. Check its settings. A running app gets the endpoint "
                    + "when it arrives.")
            return answer([waiter], .failure(error))
        }
        return []
    }

    // MARK: The store

    mutating func saved(_ token: String) -> [Effect] {
        guard let entry = entries[token] else { return [] }
        entries[token]?.isSaving = false
        if entry.needsSaving { return save(token) }
        if entry.stage == .storing {
            entries[token]?.stage = .idle
            return enqueue(token)
        }
        return entry.isConfirmed ? confirm(token) : []
    }

    mutating func saveFailed(_ token: String, _ error: NotificationError) -> [Effect] {
        guard let entry = entries[token] else { return [] }
        entries[token]?.isSaving = false
        entries[token]?.needsSaving = true
        entries[token]?.waiters = []
        if entry.stage == .storing {
            entries[token] = nil
            tokens[entry.registration.app] = nil
        }
        return answer(entry.waiters, .failure(error))
    }

    private mutating func save(_ token: String) -> [Effect] {
        guard let entry = entries[token] else { return [] }
        entries[token]?.needsSaving = entry.isSaving
        guard !entry.isSaving else { return [] }
        entries[token]?.isSaving = true
        return [.save(entry.registration)]
    }
}

// MARK: - The distributor

extension ConnectorMachine {
    /// The sets of running and of activatable distributors have been read or have changed.
    mutating func servicesChanged(running: Set<String>, activatable: Set<String>) -> [Effect] {
        let before = choice.running
        choice.update(running: running, activatable: activatable)
        let former = current?.name
        let effects = select()
        guard let current, former == current.name, before != running else { return effects }
        if before.contains(current.name), !running.contains(current.name) {
            suspend()
        } else if running.contains(current.name), !before.contains(current.name) {
            // `restart` does not repeat calls under way, because such a call may have started the
            // distributor.
            return effects + restart()
        }
        return effects
    }

    /// The user has chosen a distributor; nil leaves the choice to the machine.
    mutating func choiceChanged(_ name: String?) -> [Effect] {
        choice.chosen = name
        let former = current
        let effects = select()
        guard let former, former.name != current?.name, choice.running.contains(former.name)
        else { return effects }
        let leaving = entries.values.map(\.registration).filter { $0.distributor == former.name }
        return leaving.sorted { $0.token < $1.token }
            .flatMap { unregistration(of: $0, from: former) } + effects
    }

    private mutating func select() -> [Effect] {
        let wanted = choice.preferred(
            present: current?.name,
            used: entries.values.compactMap(\.registration.distributor))
        guard wanted != current?.name else { return [] }
        current = wanted.map { Distributor(name: $0) }
        problem = ""
        suspend()
        guard current == nil else { return inspect() }
        return answer(takeWaiters(), .failure(noDistributor))
    }

    /// Forgets the calls under way, because their distributor has ended or is not used any more.
    private mutating func suspend() {
        run += 1
        (queue, callCount, isInspecting, inspectionFailures) = ([], 0, false, 0)
        current?.version = nil
        for token in entries.keys where entries[token]?.stage != .storing {
            entries[token]?.stage = .idle
            entries[token]?.isConfirmed = false
        }
    }

    private mutating func restart() -> [Effect] {
        let idle = entries.filter { $0.value.stage == .idle || $0.value.stage == .pausing }.keys
        return idle.sorted().flatMap { enqueue($0) }
    }

    private mutating func inspect() -> [Effect] {
        guard let current, !isInspecting, !entries.isEmpty else { return [] }
        isInspecting = true
        return [.inspect(current.name)]
    }

    /// The inspection has ended; `version` is nil if no known version was found.
    mutating func inspected(_ name: String, _ version: UnifiedPush.Version?) -> [Effect] {
        guard current?.name == name, isInspecting else { return [] }
        isInspecting = false
        current?.version = version
        guard version != nil else {
            let error = refusal(
                "it does not answer, or offers no known version of the interface. Choose another "
                    + "one with 'tocsin settings --push-distributor'.")
            problem = error.message
            let effects = answer(takeWaiters(), .failure(error))
            // A distributor that does not run is inspected when it starts.
            guard choice.running.contains(name) else { return effects }
            inspectionFailures += 1
            return effects + [.retryInspection(afterFailures: inspectionFailures - 1)]
        }
        inspectionFailures = 0
        return entries.keys.sorted().flatMap { enqueue($0) }
    }

    /// The pause after a failed inspection has ended; ignored if a later inspection has ended.
    mutating func inspectionDue(afterFailures failures: Int) -> [Effect] {
        failures + 1 == inspectionFailures ? inspect() : []
    }
}

// MARK: - Calls of Register, and their endpoints

extension ConnectorMachine {
    private mutating func enqueue(_ token: String) -> [Effect] {
        guard let current, let stage = entries[token]?.stage else { return [] }
        guard current.version != nil else { return inspect() }
        if [.idle, .pausing, .refused, .registered].contains(stage) {
            entries[token]?.stage = .queued
            queue.append(token)
        }
        return callNext()
    }

    private mutating func callNext() -> [Effect] {
        guard let current, current.version != nil else { return [] }
        var effects: [Effect] = []
        while callCount < Self.window, !queue.isEmpty {
            let token = queue.removeFirst()
            guard let entry = entries[token], entry.stage == .queued else { continue }
            entries[token]?.stage = .calling
            entries[token]?.isConfirmed = false
            callCount += 1
            effects.append(
                .register(
                    RegisterCall(
                        distributor: current, token: token,
                        description: UnifiedPush.description(of: entry.registration.name),
                        serverKey: entry.registration.serverKey, run: run)))
        }
        return effects
    }

    mutating func registerAnswered(
        _ call: RegisterCall, _ outcome: RegisterOutcome
    ) -> [Effect] {
        guard call.run == run else { return [] }
        callCount -= 1
        guard let entry = entries[call.token], entry.stage == .calling else { return callNext() }
        switch outcome {
        case .succeeded:
            problem = ""
            entries[call.token]?.failures = 0
            entries[call.token]?.stage = .accepted
            return completeCall(call, entry) + callNext()
        case .refused(let failure):
            let effects = fail(
                call.token, failure.explanation, isTemporary: failure.isTemporary)
            return effects + callNext()
        case .failed(let message):
            return fail(call.token, message, isTemporary: true) + callNext()
        }
    }

    /// Answers the calls that wait, if the endpoint is known when `Register` succeeds.
    private mutating func completeCall(_ call: RegisterCall, _ entry: Entry) -> [Effect] {
        // The distributor may have sent the endpoint before this reply. An endpoint from an earlier
        // run of this distributor is valid until the distributor sends another endpoint.
        let known = entry.registration
        let isKnown = known.endpoint != nil && known.distributor == call.distributor.name
        return entry.isConfirmed || isKnown ? confirmStored(call.token) : []
    }

    private mutating func fail(
        _ token: String, _ reason: String, isTemporary: Bool
    ) -> [Effect] {
        guard let entry = entries[token] else { return [] }
        let error = refusal(reason)
        problem = error.message
        entries[token]?.stage = isTemporary ? .pausing : .refused
        entries[token]?.waiters = []
        let effects = answer(entry.waiters, .failure(error))
        guard isTemporary else { return effects }
        entries[token]?.failures += 1
        return effects + [.retry(token: token, afterFailures: entry.failures)]
    }

    mutating func retryDue(_ token: String) -> [Effect] {
        guard entries[token]?.stage == .pausing else { return [] }
        return enqueue(token)
    }

    /// The distributor has sent an endpoint; an unknown token is ignored.
    mutating func endpointReported(_ endpoint: PushEndpoint) -> [Effect] {
        guard var entry = entries[endpoint.token], entry.stage != .storing, let current else {
            return []
        }
        let known = entry.registration
        let isNew = known.endpoint != endpoint.url || known.distributor != current.name
        guard isNew else { return confirmStored(endpoint.token) }
        (entry.isConfirmed, entry.isUnreported) = (true, true)
        (entry.registration.endpoint, entry.registration.distributor) = (endpoint.url, current.name)
        entries[endpoint.token] = entry
        return save(endpoint.token)
    }

    /// Confirms a known endpoint; if the last save failed, stores the registration first.
    private mutating func confirmStored(_ token: String) -> [Effect] {
        guard let entry = entries[token] else { return [] }
        entries[token]?.isConfirmed = true
        // If a save is under way, `saved` confirms the endpoint when the save ends.
        guard !entry.isSaving else { return [] }
        return entry.needsSaving ? save(token) : confirm(token)
    }

    /// Answers the calls that wait for an endpoint, and reports a new endpoint; it is on disk now.
    ///
    /// While a call of `Register` is queued or unanswered, the stage does not change.
    private mutating func confirm(_ token: String) -> [Effect] {
        guard let entry = entries[token] else { return [] }
        if ![.calling, .queued].contains(entry.stage) { entries[token]?.stage = .registered }
        entries[token]?.waiters = []
        entries[token]?.isUnreported = false
        return answer(entry.waiters, .success(entry.registration))
            + (entry.isUnreported ? [.report(entry.registration.app, entry.registration)] : [])
    }

    /// The distributor has ended a registration; an unknown token is ignored.
    ///
    /// The app's server cannot reach the old endpoint any more. The app registers again at its next
    /// start, with new keys.
    mutating func unregistrationReported(_ token: String) -> [Effect] {
        guard let entry = entries[token] else { return [] }
        // Ignore a former distributor: it reports an end after the app has moved to the new one.
        guard [nil, current?.name].contains(entry.registration.distributor) else { return [] }
        let app = entry.registration.app
        (entries[token], tokens[app]) = (nil, nil)
        return answer(
            entry.waiters, .failure(refusal("it has ended the registration. Register again.")))
            + [.remove(app), .report(app, nil)]
    }

    private mutating func takeWaiters() -> [UInt64] {
        defer { for token in entries.keys { entries[token]?.waiters = [] } }
        return entries.values.flatMap(\.waiters).sorted()
    }
}
