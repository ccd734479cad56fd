internal import Reactor

// Objects of ours that others call.
extension BusConnection {
    /// Makes an object callable, also after a loss of the bus; throws `alreadyExported` if there
    /// is one at the path.
    public func export(_ object: ExportedObject, at path: ObjectPath) throws(BusError) {
        guard exports[path] == nil else {
            throw BusError(
                .alreadyExported, "There is an object at \(path) already. Unexport it first.")
        }
        exports[path] = object
    }

    /// Ends an export; calls in work are still answered.
    public func unexport(at path: ObjectPath) {
        exports[path] = nil
    }

    /// Tells all who listen that properties have changed.
    public func emitPropertiesChanged(
        path: ObjectPath, interface: InterfaceName, changed: [(String, BusValue)],
        invalidated: [String] = []
    ) throws(BusError) {
        try emit(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: [
                .string(interface.rawValue), .vardict(changed), .strings(invalidated),
            ])
    }

    func receiveCall(_ message: IncomingMessage) {
        let serial = message.serial
        let expectsReply = message.expectsReply
        // The bus always tells the sender.
        guard let sender = message.sender else { return }
        let reply = Reply(serial: serial, caller: sender.rawValue, isExpected: expectsReply)
        do throws(BusError) {
            let (table, entry) = try find(message)
            guard message.signature == entry.inSignature else {
                throw .remote(
                    "org.freedesktop.DBus.Error.InvalidArgs",
                    "\(entry.name) takes \"\(entry.inSignature)\", not \"\(message.signature)\".")
            }
            if entry.isWait {
                invocations.endOldestWait(of: sender, within: options)?.cancel()
            }
            let number = try invocations.begin(
                sender, isWait: entry.isWait,
                InvocationSize(bytes: message.bodySize, descriptors: message.descriptorCount),
                within: options)
            start(entry, of: table, message, number, reply)
        } catch {
            answer(reply, with: .failure(error))
        }
    }

    /// Where an answer goes; it belongs to one socket, and is dropped on another.
    struct Reply {
        let serial: UInt32
        let caller: String
        let isExpected: Bool
    }

    /// Calls of one sender begin in the order in which they came.
    ///
    /// Those of which nothing has to be found out first begin at once, ahead of the others.
    /// The task has no executor preference: with one, Swift 6.3 suspends between a check on an actor and
    /// the body of `withCheckedContinuation` behind it, and what was checked may be over by then.
    private func start(
        _ entry: MethodEntry, of table: InterfaceTable, _ message: IncomingMessage,
        _ number: UInt64, _ reply: Reply
    ) {
        let origin = attempt
        if let sender = message.sender, entry.admission != nil || entry.approval != nil {
            callOrder.arrive(number, of: sender)
        }
        let task = Task { await perform(entry, of: table, message, number, reply, from: origin) }
        invocations.setTask(task, of: number)
        guard let sender = message.sender else { return }
        if entry.isWait { followCaller(sender) } else { followCallersLater() }
    }

    private func perform(
        _ entry: MethodEntry, of table: InterfaceTable, _ message: IncomingMessage,
        _ number: UInt64, _ reply: Reply, from origin: UInt64
    ) async {
        let result: Result<[BusValue], any Error>
        do {
            let invocation = try await approved(entry, of: table, message, number)
            result = .success(try await entry.handler(invocation))
        } catch {
            result = .failure(error)
        }
        invocations.end(number)
        releaseCaller(message.sender)
        guard attempt == origin else { return }
        answer(reply, with: result.flatMap { Self.check($0, entry) })
    }

    /// The call when it may be made and all earlier ones of its sender have begun.
    private func approved(
        _ entry: MethodEntry, of table: InterfaceTable, _ message: IncomingMessage,
        _ number: UInt64
    ) async throws -> MethodInvocation {
        let sender = message.sender ?? BusName(trusted: "")
        // Also where it is refused: the calls behind it go on.
        defer { callOrder.leave(number, of: sender) }
        let invocation = try await admitted(entry, of: table, message, number)
        guard entry.admission != nil || entry.approval != nil else { return invocation }
        try await entry.approval?(invocation)
        if !callOrder.isTurn(of: number, from: sender) {
            await withCheckedContinuation { callOrder.wait(number, of: sender, $0) }
        }
        return invocation
    }

    /// The call with its arguments, which are read only after its caller was admitted: a stranger
    /// costs no more than the look at who it is.
    private func admitted(
        _ entry: MethodEntry, of table: InterfaceTable, _ message: IncomingMessage,
        _ number: UInt64
    ) async throws -> MethodInvocation {
        let sender = message.sender ?? BusName(trusted: "")
        if let admission = entry.admission {
            let owner = try await admission(sender, entry.name)
            try invocations.charge(number, to: owner, within: options)
        }
        return MethodInvocation(
            sender: sender, path: ObjectPath(trusted: message.path), interface: table.name,
            member: entry.name,
            arguments: try message.arguments(budget: options.maximumCallSize))
    }

    // MARK: Callers that leave

    /// How long a call may take before its caller is followed: a short one is over by then, and
    /// costs the bus nothing.
    private static let followDelay: Duration = .seconds(1)

    private func followCallersLater() {
        guard followDeadline == nil else { return }
        followDeadline = reactor.deadline(after: Self.followDelay) { [weak self] in
            self?.assumeIsolated { connection in
                connection.followDeadline = nil
                connection.mustFollowAgain = false
                for sender in connection.invocations.senders { connection.followCaller(sender) }
            }
        }
    }

    /// Hears when a caller leaves the bus: its calls end with it.
    private func followCaller(_ sender: BusName) {
        guard callers[sender] == nil else { return }
        callers[sender] = FollowedCaller()
        Task {
            let presence = try? await watchOwner(of: sender) { [weak self] owner in
                guard owner == nil else { return }
                self?.assumeIsolated { $0.callerLeft(sender) }
            }
            guard let presence, invocations.isBusy(sender) else {
                callers[sender] = nil
                // A wait has no other end than that of its caller.
                if invocations.isBusy(sender) {
                    mustFollowAgain = true
                    followCallersLater()
                }
                return
            }
            callers[sender]?.presence = presence
        }
    }

    private func callerLeft(_ sender: BusName) {
        for task in invocations.tasks(of: sender) { task.cancel() }
    }

    /// A call has ended; a caller without others is not followed any more.
    private func releaseCaller(_ sender: BusName?) {
        if let sender, !invocations.isBusy(sender) { callers[sender] = nil }
        // Waits may take days, and nothing is to wake up for callers that are followed already.
        guard !invocations.hasCalls, !mustFollowAgain else { return }
        followDeadline?.cancel()
        followDeadline = nil
    }

    /// Who has calls in work that take long.
    struct FollowedCaller {
        /// Nil while the bus is asked.
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

    private func answer(_ reply: Reply, with result: Result<[BusValue], any Error>) {
        guard reply.isExpected else { return }
        do throws(BusError) {
            switch result {
            case .success(let results):
                try transmit(
                    OutgoingMessage(replyTo: reply.serial, of: reply.caller, results))
            case .failure(let error):
                try refuse(reply, error)
            }
        } catch {
            // What cannot be sent is said so, if even that can be: else the caller's deadline ends it.
            try? refuse(reply, error)
        }
    }

    private func refuse(_ reply: Reply, _ error: any Error) throws(BusError) {
        let known = error as? BusError
        let name = known?.remoteName ?? "org.freedesktop.DBus.Error.Failed"
        let text = known?.message ?? String(describing: error)
        try transmit(
            OutgoingMessage(
                errorTo: reply.serial, of: reply.caller, name: name, message: text,
                detail: known?.detail))
    }

    /// The entry a call means.
    ///
    /// Without an interface, the first one that has the member.
    private func find(
        _ message: IncomingMessage
    ) throws(BusError) -> (InterfaceTable, MethodEntry) {
        let (path, interface) = (message.path, message.interface)
        let object = exports.object(at: path)
        // The usual call first: an object's own interface, without building anything.
        if let table = object?.interface(interface), let entry = table.method(message.member) {
            return (table, entry)
        }
        let tables = try tables(object, path, interface)
        for table in tables {
            if let entry = table.method(message.member) { return (table, entry) }
        }
        guard !tables.isEmpty else {
            throw .remote(
                "org.freedesktop.DBus.Error.UnknownInterface",
                "There is no interface \(interface) at \(path.prefix(255)).")
        }
        throw .remote(
            "org.freedesktop.DBus.Error.UnknownMethod",
            "There is no method \(message.member) of \(interface) at \(path.prefix(255)).")
    }

    /// The tables that may have the member, of one interface or of all.
    private func tables(
        _ object: ExportedObject?, _ path: String, _ interface: String
    ) throws(BusError) -> [InterfaceTable] {
        // Peer asks for the program, not for an object: it answers at any path.
        if interface == StandardInterfaces.peer { return [StandardInterfaces.peerTable] }
        guard let children = exports.children(of: path) else {
            throw .remote(
                "org.freedesktop.DBus.Error.UnknownObject",
                "There is no object at \(path.prefix(255)).")
        }
        var tables = object?.interfaces ?? []
        let xml = IntrospectionXML.document(object, children: children)
        tables.append(StandardInterfaces.introspectableTable(xml))
        if let object, object.hasProperties {
            tables.append(StandardInterfaces.propertiesTable(object))
        }
        return interface.isEmpty ? tables : tables.filter { $0.name.rawValue == interface }
    }
}
