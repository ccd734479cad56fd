// Answers to our calls: only the called peer may give them.
//
// Any connection can send a reply with the serial of our call. The session.conf of dbus-daemon lets
// such unrequested replies pass. The sender in a message is true, because the bus sets it.
extension BusConnection {
    /// The largest number of called names whose owners are followed; a call of any other name costs
    /// one more message.
    private static let followedNameLimit = 64
    /// The most answers, one of each sender, that wait while the bus is asked for an owner.
    private static let unverifiedLimit = 16

    /// Makes sure that the owner of a called name is known when the answer comes.
    ///
    /// The question goes out ahead of the call, so it costs no round trip. A name that is called
    /// again, or that has no owner yet, is followed from then on.
    func askForAnswerer(of pending: PendingCall) {
        let name = pending.destination
        if let tracked = owners[name] {
            // This owner counts even if it hands the name over before it answers.
            pending.owner = tracked.owner
            return
        }
        guard name.isFollowed, case .open = phase else { return askForAnswererAhead(of: pending) }
        if calledNames.contains(name), followCalled(name) { return }
        calledNames.insert(name)
        askOwner(for: pending)
    }

    /// Sends the question right behind Hello, without waiting for the answer to Hello.
    private func askForAnswererAhead(of pending: PendingCall) {
        guard case .connecting = phase, pending.destination.isFollowed, wire != nil else { return }
        askOwner(for: pending)
    }

    private func askOwner(for pending: PendingCall) {
        let name = pending.destination
        submit(.toBus("GetNameOwner", [.string(name.rawValue)])) { [weak self] result in
            self?.assumeIsolated { connection in
                if case .success(let reply) = result {
                    pending.owner = reply.owner
                } else if !pending.isCompleted, connection.owners[name] == nil {
                    // The bus may be starting the owner: a followed name shows when the owner
                    // comes.
                    _ = connection.followCalled(name)
                }
                connection.acceptAnswerOfOwner(to: pending)
            }
        }
    }

    private func followCalled(_ name: BusName) -> Bool {
        guard case .open = phase, followedNames.count < Self.followedNameLimit else { return false }
        followedNames.insert(name)
        follow(name) { [weak self] result in
            guard case .failure = result else { return }
            self?.assumeIsolated { _ = $0.followedNames.remove(name) }
        }
        return true
    }

    func receiveReply(_ message: IncomingMessage) {
        // The call no longer waits: its deadline has passed, or its task was cancelled.
        guard let pending = calls[message.replySerial] else { return }
        switch isAnswer(message, to: pending) {
        case true?: finish(pending, with: message)
        case false?: return
        case nil:
            guard let sender = message.sender, pending.unverified[sender] == nil,
                pending.unverified.count < Self.unverifiedLimit
            else { return }
            pending.unverified[sender] = message
            guard !pending.isVerifying else { return }
            pending.isVerifying = true
            askOwner(for: pending)
        }
    }

    /// Whether a message answers a call; nil if the owner of the name must be asked for.
    private func isAnswer(_ message: IncomingMessage, to pending: PendingCall) -> Bool? {
        // A message without a sender is from the bus, too. For another connection the bus answers
        // only with an error.
        guard let sender = message.sender, sender != .bus else {
            return pending.destination == .bus || message.isError
        }
        guard pending.destination.isFollowed else { return sender == pending.destination }
        if sender == pending.owner { return true }
        // The name may have a new owner since the call; the bus reports it before the answer.
        guard let tracked = owners[pending.destination], tracked.isKnown else { return nil }
        return sender == tracked.owner
    }

    /// Accepts the waiting answer of the name's owner, and drops all others.
    ///
    /// It is called when the bus has answered who the owner is, also if nobody is.
    private func acceptAnswerOfOwner(to pending: PendingCall) {
        guard pending.isVerifying else { return }
        pending.isVerifying = false
        let waiting = pending.unverified
        pending.unverified = [:]
        guard let owner = pending.owner, let message = waiting[owner] else { return }
        finish(pending, with: message)
    }

    private func finish(_ pending: PendingCall, with message: IncomingMessage) {
        calls[message.replySerial] = nil
        if message.isError { return pending.complete(.failure(message.error())) }
        do throws(BusError) {
            let reply = BusReply(sender: message.sender, arguments: try message.arguments())
            pending.complete(.success(reply))
        } catch {
            pending.complete(.failure(error))
        }
    }
}

extension BusName {
    /// The name of the bus itself.
    static let bus: BusName = "org.freedesktop.DBus"
}
