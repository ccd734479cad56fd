internal import Reactor

extension BusConnection {
    /// Makes an object callable; the export survives a loss of the bus.
    ///
    /// - Throws: `alreadyExported` if there is an object at the path.
    public func export(_ object: ExportedObject, at path: ObjectPath) throws(BusError) {
        guard exports[path.rawValue] == nil else {
            throw BusError(
                .alreadyExported, "There is an object at \(path) already. Unexport it first.")
        }
        exports[path.rawValue] = object
    }

    /// Ends an export; unfinished calls are still answered.
    public func unexport(at path: ObjectPath) {
        exports[path.rawValue] = nil
    }

    func receiveCall(_ message: IncomingMessage) {
        // The bus always names the sender.
        guard let sender = message.sender else { return }
        do throws(BusError) {
            let entry = try find(message)
            guard message.signature == entry.inSignature else {
                throw .remote(
                    "org.freedesktop.DBus.Error.InvalidArgs",
                    "\(entry.name) takes \"\(entry.inSignature)\", not \"\(message.signature)\".")
            }
            let load = InvocationLoad(
                calls: entry.isWait ? 0 : 1, waits: entry.isWait ? 1 : 0,
                bytes: message.bodySize, descriptors: try message.descriptorCount())
            let place = try invocations.acquirePlace(sender, load, within: options)
            place.endedWait?.cancel()
            start(entry, message, of: sender, place.number)
        } catch {
            answer(message, with: .failure(error))
        }
    }

    /// Starts a call.
    ///
    /// If methods have an `approval`, the calls of one sender begin in the order of arrival. Calls
    /// of other methods begin when their caller is admitted, so they may overtake calls that wait
    /// for approval.
    private func start(
        _ entry: MethodEntry, _ message: IncomingMessage, of sender: BusName, _ number: UInt64
    ) {
        let origin = attempt
        if entry.approval != nil { callOrder.callArrived(number, of: sender) }
        let task = Task { await perform(entry, message, of: sender, number, from: origin) }
        invocations.setTask(task, of: number)
        if entry.isWait { followCaller(sender) } else { followCallersLater() }
    }

    private func perform(
        _ entry: MethodEntry, _ message: IncomingMessage, of sender: BusName, _ number: UInt64,
        from origin: UInt64
    ) async {
        let result: Result<[BusValue], any Error>
        do {
            let invocation = try await approved(entry, message, of: sender, number)
            result = .success(try await entry.handler(invocation))
        } catch {
            result = .failure(error)
        }
        invocations.releasePlace(number)
        releaseCaller(sender)
        // The answer must go over the socket from which its call came, so drop the answer after a
        // reconnect.
        guard attempt == origin else { return }
        answer(message, with: result.flatMap { Self.check($0, entry) })
    }

    /// Returns a call when it is approved and each earlier call of its sender has begun or was
    /// refused.
    private func approved(
        _ entry: MethodEntry, _ message: IncomingMessage, of sender: BusName, _ number: UInt64
    ) async throws -> MethodInvocation {
        // A refused call leaves `callOrder`, too, so that later calls of the sender can begin.
        defer { callOrder.callStarted(number, of: sender) }
        let invocation = try await admitted(entry, message, of: sender, number)
        guard let approval = entry.approval else { return invocation }
        try await approval(invocation)
        if let turn = callOrder.promiseOfTurn(of: number, from: sender) { await turn.value() }
        return invocation
    }

    /// Checks the caller before reading the arguments, so a rejected caller costs only the check.
    private func admitted(
        _ entry: MethodEntry, _ message: IncomingMessage, of sender: BusName, _ number: UInt64
    ) async throws -> MethodInvocation {
        if let admission = entry.admission {
            let owner = try await admission(sender, entry.name)
            try invocations.charge(number, to: owner, within: options)
        }
        return MethodInvocation(
            sender: sender, member: entry.name,
            arguments: try message.arguments(budget: options.maximumCallSize))
    }

    // MARK: Callers that leave

    /// How long a call may be unfinished before the connection asks the bus to report when the
    /// caller leaves.
    ///
    /// For a shorter call, the connection does not ask the bus.
    private static let followDelay: Duration = .seconds(1)

    private func followCallersLater() {
        guard followDeadline == nil else { return }
        followDeadline = deadline(after: Self.followDelay) { connection in
            connection.followDeadline = nil
            connection.mustFollowAgain = false
            for sender in connection.invocations.senders { connection.followCaller(sender) }
        }
    }

    /// Cancels the calls of a caller when the caller leaves the bus.
    private func followCaller(_ sender: BusName) {
        guard callers[sender] == nil else { return }
        callers[sender] = FollowedCaller()
        Task {
            do throws(BusError) {
                let presence = try await watchOwner(of: sender) { [weak self] owner in
                    guard owner == nil else { return }
                    self?.assumeIsolated { $0.callerLeft(sender) }
                }
                callers[sender] =
                    invocations.isBusy(sender) ? FollowedCaller(presence: presence) : nil
            } catch {
                callers[sender] = nil
                guard invocations.isBusy(sender) else { return }
                // The connection was lost or closed, so the caller can get no answer.
                if error.code == .disconnected { return callerLeft(sender) }
                // Some long waits end only when their caller leaves, so ask the bus again later.
                mustFollowAgain = true
                followCallersLater()
            }
        }
    }

    private func callerLeft(_ sender: BusName) {
        for task in invocations.tasks(of: sender) { task.cancel() }
    }

    private func releaseCaller(_ sender: BusName) {
        if !invocations.isBusy(sender) { callers[sender] = nil }
        // If only long waits are unfinished, all callers are followed already, so stop the timer.
        guard !invocations.hasCalls, !mustFollowAgain else { return }
        followDeadline?.cancel()
        followDeadline = nil
    }

    struct FollowedCaller {
        /// The watch of the caller; nil until the bus has accepted it.
        var presence: BusSubscription?
    }

    private static func check(
        _ results: [BusValue], _ entry: MethodEntry
    ) -> Result<[BusValue], any Error> {
        guard TypeCheck.matches(results, entry.outSignature) else {
            let types = results.map(\.signature.rawValue).joined()
            let error = BusError(
                .unexpectedType,
                "\(entry.name) answered \"\(types)\" instead of \"\(entry.outSignature)\".")
            return .failure(error)
        }
        return .success(results)
    }

    private func answer(_ call: IncomingMessage, with result: Result<[BusValue], any Error>) {
        guard call.expectsReply else { return }
        do throws(BusError) {
            switch result {
            case .success(let results):
                try transmit(
                    OutgoingMessage(replyTo: call.serial, of: call.sender, results))
            case .failure(let error):
                try refuse(call, error)
            }
        } catch {
            // Answer with the error of the failed send. If this answer fails too, the caller's
            // timeout ends the call.
            try? refuse(call, error)
        }
    }

    private func refuse(_ call: IncomingMessage, _ error: any Error) throws(BusError) {
        let known = error as? BusError
        // A `limitsExceeded` error that this program has found has no D-Bus name yet.
        let unnamed: ErrorName =
            known?.code == .limitsExceeded
            ? "org.freedesktop.DBus.Error.LimitsExceeded" : "org.freedesktop.DBus.Error.Failed"
        let name = known?.remoteName ?? unnamed
        let text = known?.message ?? String(describing: error)
        try transmit(
            OutgoingMessage(
                errorTo: call.serial, of: call.sender, name: name, message: text,
                detail: known?.detail))
    }

    /// Finds the called method.
    ///
    /// If a call names no interface, the result is the first method with the called name.
    private func find(_ message: IncomingMessage) throws(BusError) -> MethodEntry {
        let (path, interface) = (message.path, message.interface)
        let object = exports[path]
        // Try the usual case first, because it needs no tables.
        if let entry = object?.interface(interface)?.method(message.member) { return entry }
        let tables = try tables(object, path, interface)
        for table in tables {
            if let entry = table.method(message.member) { return entry }
        }
        guard !tables.isEmpty else {
            throw .remote(
                "org.freedesktop.DBus.Error.UnknownInterface",
                "There is no interface \(interface) at \(path.prefix(255)).")
        }
        let owner = interface.isEmpty ? "" : " of \(interface)"
        throw .remote(
            "org.freedesktop.DBus.Error.UnknownMethod",
            "There is no method \(message.member)\(owner) at \(path.prefix(255)).")
    }

    /// The tables of one interface; if `interface` is empty, the tables of all interfaces.
    private func tables(
        _ object: ExportedObject?, _ path: String, _ interface: String
    ) throws(BusError) -> [InterfaceTable] {
        // Peer concerns the program, not an object, so every path has this interface.
        if interface == StandardInterfaces.peer.name.rawValue { return [StandardInterfaces.peer] }
        let children = children(of: path)
        guard object != nil || !children.isEmpty else {
            throw .remote(
                "org.freedesktop.DBus.Error.UnknownObject",
                "There is no object at \(path.prefix(255)).")
        }
        let tables =
            (object?.interfaces ?? []) + StandardInterfaces.tables(of: object, children: children)
        return interface.isEmpty ? tables : tables.filter { $0.name.rawValue == interface }
    }

    private func children(of path: String) -> [String] {
        let prefix = path == "/" ? "/" : path + "/"
        let below = exports.keys.filter { $0.hasPrefix(prefix) && $0 != prefix }
        return Set(below.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
    }
}
