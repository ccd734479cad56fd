internal import Glibc
internal import Reactor

extension BusConnection {
    func beginOpening(_ done: @escaping (Result<Void, BusError>) -> Void) {
        switch phase {
        case .open:
            done(.success(()))
        case .closed:
            done(.failure(BusError(.disconnected, "The connection was closed. Make a new one.")))
        case .connecting:
            openWaiters.append(OpenWaiter(tell: done))
        case .idle, .waiting:
            openWaiters.append(OpenWaiter(tell: done))
            connect()
        }
    }

    private func connect() {
        phase = .connecting
        attempt += 1
        let current = attempt
        attemptDeadline?.cancel()
        attemptDeadline = deadline(after: options.openTimeout) { $0.openTimedOut() }
        if options.connectsOnReactor {
            return connectAttemptEnded(Wire.connected(to: address), attempt: current)
        }
        let connecting = ConnectAttempt { [weak self, reactor] result in
            reactor.perform { [weak self] in
                self?.assumeIsolated { $0.connectAttemptEnded(result, attempt: current) }
            }
        }
        guard ConnectThread.beginAttempt(connecting, to: address) else {
            return connectionLost(
                BusError(
                    .system(errno),
                    "No thread could be started to connect to the bus. Close other programs."))
        }
        connectAttempt = connecting
    }

    /// Says Hello over the new socket, or handles the failure of the attempt.
    ///
    /// The result of an outdated attempt is dropped: its `Wire` closes the socket when the last
    /// reference to the `Wire` is released.
    private func connectAttemptEnded(_ result: Result<Wire, BusError>, attempt current: UInt64) {
        guard case .connecting = phase, current == attempt else { return }
        connectAttempt = nil
        switch result {
        case .failure(let error):
            connectionLost(error)
        case .success(let wire):
            self.wire = wire
            peerUserID = wire.peerUserID
            wire.start(on: reactor) { [weak self] events in
                self?.assumeIsolated { $0.socketIsReady(events) }
            }
            submit(.toBus("Hello"), timeout: options.openTimeout) { [weak self] result in
                self?.assumeIsolated { $0.finishOpening(result) }
            }
        }
    }

    private func finishOpening(_ result: Result<BusReply, BusError>) {
        guard case .connecting = phase else { return }
        switch result {
        case .failure(let error):
            connectionLost(error)
        case .success(let reply):
            guard let text = reply.arguments.first?.stringValue, let name = try? BusName(text)
            else {
                let error = BusError(
                    .unexpectedType,
                    "The program at \(address) gave this connection no name, so it is no message "
                        + "bus.")
                return connectionLost(error)
            }
            attemptDeadline?.cancel()
            attemptDeadline = nil
            failures = 0
            phase = .open(name)
            restore()
            let waiters = openWaiters
            openWaiters = []
            report(.connected(name))
            for waiter in waiters { waiter.tell(.success(())) }
        }
    }

    private func openTimedOut() {
        guard case .connecting = phase else { return }
        connectionLost(
            BusError(
                .connectionFailed,
                "The bus at \(address) did not answer within \(options.openTimeout). "
                    + "Check that a message bus listens there."))
    }

    func connectionLost(_ error: BusError) {
        let wasOpen = uniqueName != nil
        // The connection retries only if it has been open before. If the first attempt fails, the
        // caller of `open()` must retry.
        let mayReturn = options.reconnect != nil && (wasOpen || failures > 0)
        phase = mayReturn ? .waiting : .idle
        failures += mayReturn ? 1 : 0
        release(error, wasOpen: wasOpen)
        if wasOpen { report(.disconnected(error)) }
        guard mayReturn, case .waiting = phase, let backoff = options.reconnect else { return }
        let pause = backoff.pause(
            afterFailures: failures - 1, fraction: Double.random(in: 0...1))
        attemptDeadline = deadline(after: pause) { connection in
            guard case .waiting = connection.phase else { return }
            connection.connect()
        }
    }

    /// Closes the socket, fails the waiting calls, and resumes the callers of `open()` and
    /// `flush()`.
    ///
    /// If the connection was not open yet, its calls fail with `error`, as `open()` does.
    func release(_ error: BusError, wasOpen: Bool = true) {
        attemptDeadline?.cancel()
        attemptDeadline = nil
        connectAttempt = nil
        wire?.close()
        wire = nil
        let waiting = calls.values.sorted { $0.serial < $1.serial }
        calls = [:]
        let opening = openWaiters
        openWaiters = []
        let flushing = flushWaiters
        flushWaiters = []
        for call in waiting {
            let message = "\(call.label) got no answer. \(error.message)"
            call.complete(.failure(wasOpen ? BusError(.disconnected, message) : error))
        }
        for waiter in opening { waiter.tell(.failure(error)) }
        for waiter in flushing { waiter() }
        // Without a bus no name has an owner.
        for name in owners.keys { setOwner(of: name, nil) }
    }

    /// Calls `takeMessages()` after the reactor has finished its current work.
    ///
    /// `takeMessages()` also detects a lost connection and a finished flush.
    func takeMessagesLater() {
        reactor.perform { [weak self] in self?.assumeIsolated { $0.takeMessages() } }
    }

    private func socketIsReady(_ events: DescriptorEvents) {
        wire?.handle(events)
        takeMessages()
    }

    /// Handles at most 256 received messages in a row, so that the reactor can do other work before
    /// the next messages.
    private func takeMessages() {
        guard let wire else { return }
        var budget = 256
        while let message = wire.next() {
            receive(message)
            // A handler may have closed this wire, and may even have opened a new one.
            guard self.wire === wire else { return }
            budget -= 1
            if budget == 0 {
                takeMessagesLater()
                break
            }
        }
        guard wire.isConnected else {
            return connectionLost(
                phase == .connecting
                    ? BusError(
                        .connectionFailed,
                        "The bus at \(address) closed the connection before it answered Hello. "
                            + "It may belong to another user.")
                    : BusError(.disconnected, "The bus at \(address) closed the connection."))
        }
        wire.updateEvents()
        if !flushWaiters.isEmpty, !wire.hasUnsent {
            let waiters = flushWaiters
            flushWaiters = []
            for waiter in waiters { waiter() }
        }
    }
}
