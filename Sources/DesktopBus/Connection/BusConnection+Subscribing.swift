internal import Reactor

// Subscriptions to signals and to owners of names. Several subscriptions may share one match rule.
extension BusConnection {
    /// Calls `handler` for every signal that matches the rule, until the subscription ends.
    ///
    /// The handler runs on the reactor's thread, in the order of arrival, before any later message
    /// is handled. The subscription outlives a loss of the bus.
    ///
    /// - Throws: `disconnected` if the connection is neither open nor reconnecting, or the bus's
    ///   error.
    public func subscribe(
        _ rule: MatchRule, handler: @escaping @Sendable (BusSignal) -> Void
    ) async throws(BusError) -> BusSubscription {
        try checkMayRegister()
        let liveness = BusSubscription.Liveness()
        // Signals carry the unique name of their sender. So a rule with a well-known name needs the
        // owner of that name first.
        let tracked = rule.sender.flatMap { $0.isFollowed ? $0 : nil }
        if let tracked { try await waiting { follow(tracked, done: $0) } }
        subscriptions.append(Subscription(rule: rule, liveness: liveness, handler: handler))
        do throws(BusError) {
            try await waiting { addMatch(rule.text, done: $0) }
        } catch {
            removeSubscription(liveness)
            if let tracked { dropOwner(of: tracked) }
            throw error
        }
        return try subscription(liveness) { connection in
            connection.removeSubscription(liveness)
            connection.dropMatch(rule.text)
            if let tracked { connection.dropOwner(of: tracked) }
        }
    }

    /// Reports the owner of a name, now and at every change.
    ///
    /// The reported owner is nil while the name has no owner, or while there is no bus.
    ///
    /// - Throws: `disconnected` if the connection is neither open nor reconnecting, or the bus's
    ///   error.
    public func watchOwner(
        of name: BusName, handler: @escaping @Sendable (BusName?) -> Void
    ) async throws(BusError) -> BusSubscription {
        try checkMayRegister()
        let liveness = BusSubscription.Liveness()
        try await waiting { follow(name, done: $0) }
        let watch = try subscription(liveness) { connection in
            connection.removeWatcher(liveness, of: name)
            connection.dropOwner(of: name)
        }
        owners[name]?.watchers.append(TrackedOwner.Watcher(liveness: liveness, handler: handler))
        handler(owners[name]?.owner)
        return watch
    }

    // The release of a handler may end other subscriptions, and that changes the lists. So release
    // the removed entries only after the list has changed.

    private func removeSubscription(_ liveness: BusSubscription.Liveness) {
        let former = subscriptions
        subscriptions = former.filter { $0.liveness !== liveness }
        withExtendedLifetime(former) {}
    }

    private func removeWatcher(_ liveness: BusSubscription.Liveness, of name: BusName) {
        guard let former = owners[name]?.watchers else { return }
        owners[name]?.watchers = former.filter { $0.liveness !== liveness }
        withExtendedLifetime(former) {}
    }

    /// Makes a subscription after the bus has answered.
    ///
    /// If the connection has closed before the answer, the subscription would report nothing. In
    /// that case the method throws, and the release of the subscription undoes its registration.
    private func subscription(
        _ liveness: BusSubscription.Liveness,
        end: @escaping @Sendable (isolated BusConnection) -> Void
    ) throws(BusError) -> BusSubscription {
        let subscription = BusSubscription(liveness) { [weak self] in self?.onReactor(end) }
        try checkMayRegister()
        return subscription
    }

    /// Checks that the connection accepts subscriptions now.
    ///
    /// A connection that waits to reconnect accepts subscriptions, too: `restore` sends their match
    /// rules later.
    private func checkMayRegister() throws(BusError) {
        switch phase {
        case .open, .waiting: return
        case .connecting where failures > 0: return
        default:
            throw BusError(.disconnected, "The connection is not open. Call open() first.")
        }
    }

    // MARK: Match rules

    private func addMatch(_ rule: String, done: @escaping (Result<Void, BusError>) -> Void) {
        if matches[rule] != nil {
            matches[rule]?.uses += 1
            if matches[rule]?.waiters == nil { return done(.success(())) }
            matches[rule]?.waiters?.append(done)
            return
        }
        matches[rule] = Match(waiters: [done])
        guard case .open = phase else { return matchAnswered(rule, .success(())) }
        sendMatch(rule)
    }

    private func sendMatch(_ rule: String) {
        submit(.toBus("AddMatch", [.string(rule)])) { [weak self] result in
            self?.assumeIsolated { $0.matchAnswered(rule, result.map { _ in }) }
        }
    }

    private func matchAnswered(_ rule: String, _ result: Result<Void, BusError>) {
        guard let match = matches[rule] else { return }
        guard let waiters = match.waiters else {
            if case .failure(let error) = result, error.code != .disconnected { repeatMatch(rule) }
            return
        }
        // If the bus was lost, it has not refused the rule: `restore` sends the rule after the
        // reconnect.
        var result = result
        if case .failure(let error) = result {
            if error.code == .disconnected, options.reconnect != nil, phase != .closed {
                result = .success(())
            } else {
                matches[rule] = nil
            }
        }
        matches[rule]?.waiters = nil
        for waiter in waiters { waiter(result) }
    }

    /// Sends a rule again after a pause.
    ///
    /// The bus refused the rule after a reconnect, so the rule's subscriptions get no signals.
    private func repeatMatch(_ rule: String) {
        retryLater { connection in
            guard connection.matches[rule] != nil else { return }
            connection.sendMatch(rule)
            // A followed name may have got another owner, which the bus did not report.
            for name in connection.owners.keys where TrackedOwner.rule(for: name) == rule {
                connection.askOwner(of: name)
            }
        }
    }

    /// Performs `work` after a pause.
    ///
    /// If the bus is lost during the pause, `restore` does the same work at the next reconnect.
    private func retryLater(_ work: @escaping @Sendable (isolated BusConnection) -> Void) {
        let current = attempt
        deadline(after: (options.reconnect ?? Backoff()).longest) { connection in
            guard case .open = connection.phase, connection.attempt == current else { return }
            work(connection)
        }
    }

    private func dropMatch(_ rule: String) {
        guard let match = matches[rule] else { return }
        guard match.uses == 1 else {
            matches[rule]?.uses -= 1
            return
        }
        matches[rule] = nil
        guard case .open = phase else { return }
        var call = MethodCall.toBus("RemoveMatch", [.string(rule)])
        call.flags = .noReplyExpected
        // If the call cannot be sent, the bus continues to send unwanted signals, which do no harm.
        _ = try? transmit(OutgoingMessage(call))
    }

    // MARK: Owners

    func follow(_ name: BusName, done: @escaping (Result<Void, BusError>) -> Void) {
        if let tracked = owners[name] {
            owners[name]?.uses += 1
            if tracked.isKnown { return done(.success(())) }
            owners[name]?.waiters.append(done)
            return
        }
        owners[name] = TrackedOwner(waiters: [done])
        addMatch(TrackedOwner.rule(for: name)) { [weak self] result in
            guard case .failure(let error) = result else { return }
            self?.assumeIsolated { $0.followFailed(name, error) }
        }
        guard case .open = phase else { return ownerIsKnown(name, nil) }
        askOwner(of: name)
    }

    /// Asks the bus for the owner of a name.
    ///
    /// Messages are handled in the order of arrival, so the answer cannot undo a later
    /// NameOwnerChanged.
    private func askOwner(of name: BusName) {
        submit(.toBus("GetNameOwner", [.string(name.rawValue)])) { [weak self] result in
            self?.assumeIsolated { connection in
                switch result {
                case .success(let reply):
                    connection.ownerIsKnown(name, reply.owner)
                case .failure(let error)
                where error.remoteName != nil || error.code == .disconnected:
                    connection.ownerIsKnown(name, nil)
                case .failure where connection.owners[name]?.isKnown == true:
                    // The bus did not answer after a reconnect. Ask again, because the name would
                    // count as unowned until its owner changes.
                    connection.retryLater { connection in
                        if connection.owners[name] != nil { connection.askOwner(of: name) }
                    }
                case .failure(let error):
                    connection.followFailed(name, error)
                }
            }
        }
    }

    private func ownerIsKnown(_ name: BusName, _ owner: BusName?) {
        guard let tracked = owners[name] else { return }
        owners[name]?.isKnown = true
        owners[name]?.waiters = []
        setOwner(of: name, owner)
        for waiter in tracked.waiters { waiter(.success(())) }
    }

    private func followFailed(_ name: BusName, _ error: BusError) {
        guard let tracked = owners[name], !tracked.isKnown else { return }
        owners[name] = nil
        dropMatch(TrackedOwner.rule(for: name))
        for waiter in tracked.waiters { waiter(.failure(error)) }
    }

    private func dropOwner(of name: BusName) {
        guard let tracked = owners[name] else { return }
        guard tracked.uses == 1 else {
            owners[name]?.uses -= 1
            return
        }
        owners[name] = nil
        dropMatch(TrackedOwner.rule(for: name))
    }

    func setOwner(of name: BusName, _ owner: BusName?) {
        guard let tracked = owners[name], tracked.owner != owner else { return }
        owners[name]?.owner = owner
        for watcher in tracked.watchers where watcher.liveness.stands { watcher.handler(owner) }
    }

    // MARK: After a reconnect

    /// Sends all match rules again, asks again who owns each followed name, and requests each name
    /// of this connection again.
    ///
    /// The method returns before the state handlers run and the callers of `open()` resume.
    func restore() {
        for rule in matches.keys { sendMatch(rule) }
        for name in owners.keys { askOwner(of: name) }
        for (name, owned) in names { regain(name, owned) }
    }
}

extension BusName {
    /// Whether this is a well-known name of another connection.
    ///
    /// The messages of that connection carry its unique name, not this name.
    var isFollowed: Bool {
        !rawValue.hasPrefix(":") && rawValue != "org.freedesktop.DBus"
    }
}
