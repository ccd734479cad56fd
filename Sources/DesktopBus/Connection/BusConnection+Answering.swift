// Answers to our calls: only the called peer may give them.
//
// A bus passes on a message that names the serial of a call from any sender. The session.conf of
// dbus-daemon lets unrequested replies pass. The sender in a message is true, because the bus sets
// it.
extension BusConnection {
    /// How many called names are followed; each call of another name costs one more message.
    private static let followedNameLimit = 64
    /// How many senders' answers wait for one question about the owner of a name.
    private static let unverifiedLimit = 16

    /// Makes sure that the owner of a called name is known when its answer comes.
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

    /// Before the bus has answered Hello, the question goes out right behind it, like the call.
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
                    // The bus is starting the owner: following the name tells when it comes.
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
        // The call no longer waits: the answer came after its deadline.
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
        // Only the bus itself names no sender.
        guard let sender = message.sender, sender != .bus else {
            return pending.destination == .bus || message.isError
        }
        guard pending.destination.isFollowed else { return sender == pending.destination }
        if sender == pending.owner { return true }
        // The name may have a new owner since the call; the bus says so before the answer.
        guard let tracked = owners[pending.destination], tracked.isKnown else { return nil }
        return sender == tracked.owner
    }

    /// The owner of the name is known: accept its waiting answer.
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
    /// The name of the bus itself.
    static let bus: BusName = "org.freedesktop.DBus"
}
