extension BusConnection {
    /// Returns the owner of a name; nil if the name has no owner.
    ///
    /// - Throws: The error of the call to the bus, such as `disconnected`.
    public func owner(of name: BusName) async throws(BusError) -> BusName? {
        do {
            let reply = try await call(.toBus("GetNameOwner", [.string(name.rawValue)]))
            return reply.owner
        } catch  where error.remoteName == "org.freedesktop.DBus.Error.NameHasNoOwner" {
            return nil
        }
    }

    /// Whether the bus can start an owner for a name.
    ///
    /// - Throws: The error of the call to the bus, such as `disconnected`.
    public func isActivatable(_ name: BusName) async throws(BusError) -> Bool {
        let reply = try await call(.toBus("ListActivatableNames"))
        return reply.arguments.first?.stringsValue?.contains(name.rawValue) ?? false
    }

    /// The names that have an owner, and the names whose owner the bus can start.
    ///
    /// With a `namespace`, the result has only the names below it.
    ///
    /// - Throws: The error of the calls to the bus, such as `disconnected`.
    public func services(
        in namespace: String? = nil
    ) async throws(BusError) -> (running: Set<String>, activatable: Set<String>) {
        let running = try await call(.toBus("ListNames"))
        let activatable = try await call(.toBus("ListActivatableNames"))
        func names(_ reply: BusReply) -> Set<String> {
            let all = reply.arguments.first?.stringsValue ?? []
            guard let namespace else { return Set(all) }
            return Set(all.filter { $0.hasPrefix(namespace + ".") })
        }
        return (names(running), names(activatable))
    }

    /// Makes the bus start the owner of a name, and returns when the name has an owner.
    ///
    /// - Throws: The error of the call to the bus, such as `serviceUnknown` or `timedOut`.
    public func startService(
        _ name: BusName, timeout: Duration? = nil
    ) async throws(BusError) {
        let start = MethodCall.toBus("StartServiceByName", [.string(name.rawValue), .uint32(0)])
        _ = try await call(start, timeout: timeout)
    }

    /// Returns the credentials of a name's owner.
    ///
    /// - Throws: The error of the call to the bus, or `unexpectedType` if the answer has unexpected
    ///   types.
    public func credentials(of name: BusName) async throws(BusError) -> BusCredentials {
        let call = MethodCall.toBus("GetConnectionCredentials", [.string(name.rawValue)])
        let reply = try await self.call(call)
        guard let entries = reply.arguments.first?.vardictValue else {
            throw BusError(
                .unexpectedType, "The bus answered GetConnectionCredentials with other types.")
        }
        var label = entries["LinuxSecurityLabel"]?.bytesValue
        if label?.last == 0 { label?.removeLast() }
        return BusCredentials(
            uid: entries["UnixUserID"]?.uint32Value, pid: entries["ProcessID"]?.uint32Value,
            securityLabel: label, process: entries["ProcessFD"]?.descriptorValue)
    }

    /// Requests a name, and requests the name again after each reconnect.
    ///
    /// `lost` is called on the reactor's thread when another connection takes the name, or when the
    /// request fails after a reconnect. After a call of `lost`, the name is not requested again.
    ///
    /// - Throws: `nameUnavailable` if another connection has the name, or the error of the call to
    ///   the bus.
    public func requestName(
        _ name: BusName, flags: NameFlags = [], lost: @escaping @Sendable () -> Void = {}
    ) async throws(BusError) {
        try await waiting { done in
            request(name, flags) { [weak self] result in
                // Store the name at once, because the next message may be NameLost.
                if case .success = result {
                    self?.assumeIsolated { $0.names[name] = OwnedName(flags: flags, lost: lost) }
                }
                done(result)
            }
        }
    }

    /// Releases a name that this connection owns.
    ///
    /// - Throws: The error of the call to the bus, such as `disconnected`.
    public func releaseName(
        _ name: BusName, timeout: Duration? = nil
    ) async throws(BusError) {
        names[name] = nil
        _ = try await call(.toBus("ReleaseName", [.string(name.rawValue)]), timeout: timeout)
    }

    private func request(
        _ name: BusName, _ flags: NameFlags, done: @escaping (Result<Void, BusError>) -> Void
    ) {
        let flags = flags.union(.doNotQueue).rawValue
        let call = MethodCall.toBus("RequestName", [.string(name.rawValue), .uint32(flags)])
        submit(call) { result in done(result.flatMap { Self.checkIsOurs(name, $0) }) }
    }

    private static func checkIsOurs(_ name: BusName, _ reply: BusReply) -> Result<Void, BusError> {
        // 1: the name is ours now; 4: the name was ours already; 3: another connection owns it.
        switch reply.arguments.first?.uint32Value {
        case 1, 4: .success(())
        default:
            .failure(
                BusError(
                    .nameUnavailable,
                    "Another program owns the name \(name). Stop that program, or use it instead."))
        }
    }

    /// Requests a name again.
    ///
    /// After a success there is nothing to store: `names` has the name, or the program has released
    /// the name.
    func regain(_ name: BusName, _ owned: OwnedName) {
        request(name, owned.flags) { [weak self] result in
            guard case .failure(let error) = result, error.code != .disconnected else { return }
            self?.assumeIsolated { $0.nameWasLost(name) }
        }
    }

    func nameWasLost(_ name: BusName) {
        names.removeValue(forKey: name)?.lost()
    }
}
