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
            // Before its arguments are read: who floods us is refused at the least cost.
            if let refusal = invocations.begin(sender, within: options) {
                throw .remote("org.freedesktop.DBus.Error.LimitsExceeded", refusal)
            }
            let arguments: [BusValue]
            do throws(BusError) {
                arguments = try message.arguments()
            } catch {
                invocations.end(sender)
                throw error
            }
            let invocation = MethodInvocation(
                sender: sender, path: ObjectPath(trusted: message.path), interface: table.name,
                member: entry.name, arguments: arguments)
            start(entry, invocation, reply)
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

    /// The task begins on this executor, so calls begin in the order in which they came.
    ///
    /// It has no executor preference: with one, Swift 6.3 suspends between a check on an actor and
    /// the body of `withCheckedContinuation` behind it, and what was checked may be over by then.
    private func start(_ entry: MethodEntry, _ invocation: MethodInvocation, _ reply: Reply) {
        let origin = attempt
        Task { await perform(entry, invocation, reply, from: origin) }
    }

    private func perform(
        _ entry: MethodEntry, _ invocation: MethodInvocation, _ reply: Reply, from origin: UInt64
    ) async {
        let result: Result<[BusValue], any Error>
        do {
            result = .success(try await entry.handler(invocation))
        } catch {
            result = .failure(error)
        }
        invocations.end(invocation.sender)
        guard attempt == origin else { return }
        answer(reply, with: result.flatMap { Self.check($0, entry) })
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
                errorTo: reply.serial, of: reply.caller, name: name, message: text))
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
