internal import Reactor

extension BusConnection {
    /// Calls a method and waits for the answer.
    ///
    /// At most `maximumPendingCalls` calls may wait at once. An answer that arrives after its call
    /// has failed is dropped.
    ///
    /// - Throws: The other side's error, whose `remoteName` is set; `unexpectedType` if the answer is
    ///   larger than `maximumReceivedSize`; `timedOut` after `timeout`;
    ///   `disconnected` if the bus is lost or was never opened; `cancelled` if the task is
    ///   cancelled; `invalidValue`, `tooLarge` or `limitsExceeded` for a call that was not sent;
    ///   `limitsExceeded` also if the answer carries a descriptor and this process can open no more
    ///   files.
    public nonisolated(nonsending) func call(
        _ call: MethodCall, timeout: Duration? = nil
    ) async throws(BusError) -> BusReply {
        let message = try OutgoingMessage(call)
        let pending = PendingCall(call)
        guard !Task.isCancelled else { throw Self.cancelled(pending) }
        let answer = Promise<Result<BusReply, BusError>>()
        // Submit before the first suspension. After a suspension, a second call of the same actor
        // could overtake this call.
        onReactor { connection in
            pending.setCompletion { answer.fulfill($0) }
            connection.submit(message, pending, timeout: timeout)
        }
        let result = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            onReactor { $0.cancel(pending) }
        }
        return try result.get()
    }

    /// Calls a method and passes the answer to `done`.
    ///
    /// `done` runs on the reactor's thread, before any later message (for example a signal) is
    /// handled.
    public nonisolated func call(
        _ call: MethodCall, timeout: Duration? = nil,
        done: @escaping @Sendable (Result<BusReply, BusError>) -> Void
    ) {
        onReactor { $0.submit(call, timeout: timeout, done: done) }
    }

    /// Sends a call without asking for an answer.
    ///
    /// - Throws: `disconnected` if there is no bus; `invalidValue`, `tooLarge` or `limitsExceeded`
    ///   for a call that was not sent.
    public func send(_ call: MethodCall) throws(BusError) {
        var call = call
        call.flags.insert(.noReplyExpected)
        try transmit(OutgoingMessage(call))
    }

    /// Sends a signal to all its subscribers, or to one connection.
    ///
    /// - Throws: `disconnected` if there is no bus; `invalidValue`, `tooLarge` or `limitsExceeded`
    ///   for a signal that was not sent.
    public func emit(
        path: ObjectPath, interface: InterfaceName, member: MemberName,
        arguments: [BusValue] = [], destination: BusName? = nil
    ) throws(BusError) {
        let signal = BusSignal(
            sender: nil, path: path, interface: interface, member: member, arguments: arguments)
        try transmit(OutgoingMessage(signal, to: destination))
    }

    /// Sends a call; its answer, failure or timeout completes `pending`.
    func submit(_ message: OutgoingMessage, _ pending: PendingCall, timeout: Duration?) {
        guard !pending.isCompleted else { return }
        do throws(BusError) {
            guard calls.count < options.maximumPendingCalls else {
                throw BusError(
                    .limitsExceeded,
                    "\(calls.count) calls wait for answers already. Wait for some of them.")
            }
            askForAnswerer(of: pending)
            pending.serial = try transmit(message)
        } catch {
            return pending.complete(.failure(error))
        }
        calls[pending.serial] = pending
        let wait = timeout ?? options.callTimeout
        pending.deadline = reactor.deadline(after: wait) { [weak self] in
            self?.assumeIsolated { connection in
                connection.calls[pending.serial] = nil
                pending.complete(
                    .failure(
                        BusError(
                            .timedOut,
                            "\(pending.label) got no answer within \(wait). The call may "
                                + "have taken effect; check this before you repeat the call.")))
            }
        }
    }

    /// Makes a call; `done` runs on the reactor's thread, before any later message is handled.
    func submit(
        _ call: MethodCall, timeout: Duration? = nil, done: @escaping PendingCall.Completion
    ) {
        do throws(BusError) {
            let message = try OutgoingMessage(call)
            let pending = PendingCall(call)
            pending.setCompletion(done)
            submit(message, pending, timeout: timeout)
        } catch {
            done(.failure(error))
        }
    }

    @discardableResult
    func transmit(_ message: OutgoingMessage) throws(BusError) -> UInt32 {
        guard let wire, wire.isConnected else {
            throw BusError(
                .disconnected,
                "There is no connection to the bus at \(address) now. Open the connection, or wait "
                    + "until the bus is back.")
        }
        let queued = wire.queuedBytes
        guard queued == 0 || queued + message.size <= options.maximumQueuedBytes else {
            throw BusError(
                .limitsExceeded,
                "\(queued) bytes wait for the bus, which has not read them yet. Wait for flush().")
        }
        if message.descriptors > 0 {
            guard message.descriptors <= options.maximumDescriptors else {
                throw BusError(
                    .tooLarge,
                    "A message carries \(message.descriptors) descriptors; "
                        + "\(options.maximumDescriptors) are allowed. Send several messages.")
            }
            guard wire.carriesDescriptors else {
                throw BusError(
                    .invalidValue, "The bus at \(address) cannot carry descriptors.")
            }
        }
        guard let serial = wire.send(message) else { throw .outOfMemory }
        // If libdbus has closed a dead socket or written all unsent data, no event of the socket
        // follows.
        let isFlushed = !flushWaiters.isEmpty && !wire.hasUnsent
        if isFlushed || !wire.isConnected { takeMessagesLater() }
        return serial
    }

    private func cancel(_ pending: PendingCall) {
        if pending.serial != 0, calls[pending.serial] === pending { calls[pending.serial] = nil }
        pending.complete(.failure(Self.cancelled(pending)))
    }

    private static func cancelled(_ pending: PendingCall) -> BusError {
        BusError(.cancelled, "The task that called \(pending.label) was cancelled.")
    }
}

extension MethodCall {
    /// A call to the bus itself.
    package static func toBus(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: member, arguments: arguments)
    }
}
