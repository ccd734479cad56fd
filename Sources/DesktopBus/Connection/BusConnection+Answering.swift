// Answers to calls of ours: only from the peer that was called.
//
// A bus hands on any message that names the serial of a call, from whoever sent it (session.conf of
// dbus-daemon lets unrequested replies pass). The bus itself says truly who the sender is.
extension BusConnection {
    /// How many called names are followed; calls of others cost one message more each.
    private static let followedNameLimit = 64
    /// How many senders' answers wait for one look at who owns a name.
    private static let unverifiedLimit = 16

    /// Sees to it that the owner of a called name is known when its answer comes.
    ///
    /// The question goes out ahead of the call, so it costs no round trip. A name that is called
    /// again, or that has no owner yet, is followed from then on.
    func askForAnswerer(of pending: PendingCall) {
        let name = pending.destination
        if let tracked = owners[name] {
            // Also if it hands the name over before it answers.
            pending.owner = tracked.owner
            return
        }
        guard name.isFollowed, case .open = phase else { return askForAnswererAhead(of: pending) }
        if calledNames.contains(name), followCalled(name) { return }
        calledNames.insert(name)
        askOwner(for: pending)
    }

    /// While the bus has not said Hello, the question goes right behind ours like the call.
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
                    // The bus is starting it: then it is known when it comes.
                    _ = connection.followCalled(name)
                }
                connection.verified(pending)
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
        // Not waited for any more: it came after its deadline.
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

    /// Whether a message answers a call; nil where the owner of the name has to be asked for.
    private func isAnswer(_ message: IncomingMessage, to pending: PendingCall) -> Bool? {
        // Only the bus itself names no sender.
        guard let sender = message.sender, sender != .bus else {
            return pending.destination == .bus || message.isError
        }
        guard pending.destination.isFollowed else { return sender == pending.destination }
        if sender == pending.owner { return true }
        // It may have been handed over, or started, since the call; the bus says so before the answer.
        guard let tracked = owners[pending.destination], tracked.isKnown else { return nil }
        return sender == tracked.owner
    }

    /// It is known who owns the name: the answer of that one counts.
    private func verified(_ pending: PendingCall) {
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
    /// The bus itself.
    static let bus: BusName = "org.freedesktop.DBus"
}
