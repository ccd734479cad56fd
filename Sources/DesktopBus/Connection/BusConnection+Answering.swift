// Checks that the answer to a call comes from the called peer.
//
// Any connection can send a reply with the serial of our call. The session.conf of dbus-daemon lets
// such unrequested replies pass. The sender in a message can be trusted, because the bus sets it.
extension BusConnection {
    /// The connection follows the owners of at most this many called names.
    ///
    /// Before each call to any other name, the connection sends GetNameOwner.
    private static let followedNameLimit = 64
    /// While the owner of a called name is unknown, a call keeps at most this many answers, one
    /// from each sender.
    private static let unverifiedLimit = 16

    /// Makes sure that the owner of a called name is known when the answer arrives.
    ///
    /// At the first call to a name, the connection sends GetNameOwner just before the call. It does
    /// not wait for the answer, so the call takes no additional time. At the second call, or if the
    /// name has no owner, the connection asks the bus to report each change of the owner.
    func askForAnswerer(of pending: PendingCall) {
        let name = pending.destination
        if let tracked = owners[name] {
            // Accept the answer of the present owner even if that owner gives up the name before it
            // answers.
            pending.owner = tracked.owner
            return
        }
        guard name.isFollowed, case .open = phase else { return askForAnswererAhead(of: pending) }
        if calledNames.contains(name), followCalled(name) { return }
        calledNames.insert(name)
        askOwner(for: pending)
    }

    /// Asks the bus for the owner of the called name while the bus has not answered Hello yet.
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
                    // The bus may be starting the owner. Follow the name, so that the bus reports
                    // the new owner.
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
        // A call without an entry has failed already: its deadline has passed, or its task was
        // cancelled.
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

    /// Whether a message answers a call.
    ///
    /// The result is nil if the bus must first be asked for the owner of the name.
    private func isAnswer(_ message: IncomingMessage, to pending: PendingCall) -> Bool? {
        // A message without a sender is from the bus. If another connection was called, the bus can
        // only answer with an error.
        guard let sender = message.sender, sender != .bus else {
            return pending.destination == .bus || message.isError
        }
        guard pending.destination.isFollowed else { return sender == pending.destination }
        if sender == pending.owner { return true }
        // The name may have got a new owner since the call. The bus reports a new owner before it
        // delivers that owner's answer. But after a reconnect, the answer to a call may come before
        // the answer to GetNameOwner.
        guard let owner = owners[pending.destination]?.owner else { return nil }
        return sender == owner
    }

    /// Accepts the kept answer of the name's owner, and drops the answers of all other senders.
    ///
    /// The connection calls this when the bus has answered GetNameOwner, even with an error.
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
            let arguments = try message.arguments(budget: options.maximumReceivedSize)
            pending.complete(.success(BusReply(sender: message.sender, arguments: arguments)))
        } catch {
            // Remove the D-Bus name of the reader's error. With a name, the error would look like
            // an answer of the other side, and some callers would repeat the call.
            let isNamed = error.remoteName != nil
            pending.complete(
                .failure(isNamed ? BusError(.unexpectedType, error.message) : error))
        }
    }
}

extension BusName {
    static let bus: BusName = "org.freedesktop.DBus"
}
