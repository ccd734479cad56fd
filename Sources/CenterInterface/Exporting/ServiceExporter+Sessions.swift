internal import DesktopBus
internal import NotificationModel
internal import Reactor

// Sessions: who hears of what.
extension ServiceExporter {
    private static let maximumAppsPerSender = 64
    private static let maximumQuestions = 1_024

    func connect(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        let sender = invocation.sender
        return try await serve(invocation) { arguments async throws(NotificationError) in
            let (identity, wishes) = try IdentityCoding.decode(arguments[0])
            try await self.attend(sender)
            let verified = await self.verified(identity, of: sender)
            try await self.connect(verified, wishes, for: sender)
            let status = try await self.service.status()
            return [
                .vardict([
                    ("version", .string(status.version)), ("hosting", .string(status.hosting)),
                ])
            ]
        }
    }

    private func connect(
        _ identity: ApplicationIdentity, _ wishes: IdentityCoding.Wishes, for sender: BusName
    ) async throws(NotificationError) {
        let app = identity.id
        if let known = senders[sender]?.sessions[app], known.identity == identity,
            known.wishes != wishes, known.wishes.identifiers == wishes.identifiers
        {
            senders[sender]?.sessions[app]?.wishes = wishes
            await service.setAsksBeforePresenting(wishes.asksBeforePresenting, in: known.session)
            return await service.setExtendsPushes(wishes.extendsPushes, in: known.session)
        }
        let session = try await service.connect(
            identity, asksBeforePresenting: wishes.asksBeforePresenting,
            identifiers: wishes.identifiers,
            listener: { [weak self, reactor] event in
                // At once where this is the thread: an answer that follows the event, as that to
                // the acknowledgement of a response, must not overtake it on the wire. Otherwise
                // through the reactor's queue, which keeps the order of the events.
                if reactor.isCurrent {
                    self?.assumeIsolated { $0.forward(event, to: sender) }
                } else {
                    reactor.perform { [weak self] in
                        self?.assumeIsolated { $0.forward(event, to: sender) }
                    }
                }
            })
        if wishes.extendsPushes { await service.setExtendsPushes(true, in: session) }
        guard senders[sender] != nil else { return await service.disconnect(session) }
        let entry = ConnectedApp(session: session, identity: identity, wishes: wishes)
        if let previous = senders[sender]?.sessions.updateValue(entry, forKey: app) {
            await service.disconnect(previous.session)
        }
    }

    func disconnect(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        let sender = invocation.sender
        return try await serve(invocation) { arguments async throws(NotificationError) in
            let app = try Self.app(arguments)
            if let entry = self.senders[sender]?.sessions.removeValue(forKey: app) {
                await self.service.disconnect(entry.session)
            }
            self.dropIfUnused(sender)
            return []
        }
    }

    /// Forgets a sender that neither speaks for an app nor watches.
    func dropIfUnused(_ sender: BusName) {
        guard let known = senders[sender], known.sessions.isEmpty, known.watch == nil else {
            return
        }
        senders[sender] = nil
    }

    /// Makes room for a sender's sessions, and hears when it leaves the bus.
    func attend(_ sender: BusName) async throws(NotificationError) {
        if let known = senders[sender] {
            guard known.sessions.count < Self.maximumAppsPerSender else {
                throw NotificationError(
                    .limitReached,
                    "This connection speaks for \(known.sessions.count) apps already. Disconnect "
                        + "some of them first.")
            }
            return
        }
        senders[sender] = ConnectedSender()
        do throws(BusError) {
            let presence = try await connection.watchOwner(of: sender) { [weak self] owner in
                guard owner == nil else { return }
                self?.assumeIsolated { exporter in exporter.hasLeft(sender) }
            }
            senders[sender]?.presence = presence
        } catch {
            senders[sender] = nil
            throw NotificationError(error)
        }
    }

    private func hasLeft(_ sender: BusName) {
        Task { await self.forget(sender) }
    }

    func forget(_ sender: BusName) async {
        admission.forget(sender)
        guard let gone = senders.removeValue(forKey: sender) else { return }
        for entry in gone.sessions.values { await service.disconnect(entry.session) }
        if let watch = gone.watch { await service.unwatch(watch) }
    }

    /// Sends an event to one sender.
    ///
    /// What cannot be sent is not lost: a response stays stored
    /// until it is acknowledged, and an unanswered question is answered by its deadline.
    private func forward(_ event: ServiceEvent, to sender: BusName) {
        guard senders[sender] != nil else { return }
        switch event {
        case .response(let response):
            guard let value = try? ResponseCoding.encode(response) else { return }
            emit("Response", [value], to: sender)
        case .willPresent(let token, let notification):
            guard let value = try? NotificationCoding.encode(notification) else { return }
            note(token, of: sender)
            emit("WillPresent", [.uint64(token.rawValue), value], to: sender)
        case .extend(let token, let request, let app):
            guard let value = try? RequestCoding.encode(request) else { return }
            emit("Extend", [.string(app.rawValue), .uint64(token.rawValue), value], to: sender)
        case .extensionWillExpire(let token):
            emit("ExtensionWillExpire", [.uint64(token.rawValue)], to: sender)
        case .openSettings(let notification):
            guard let value = try? NotificationCoding.encode(notification) else { return }
            emit("OpenSettings", [value], to: sender)
        case .left(let key):
            emit("Left", [.string(key.app.rawValue), .string(key.identifier)], to: sender)
        }
    }

    /// What is answered never or too late makes room for later questions.
    private func note(_ token: PresentationToken, of sender: BusName) {
        var questions = senders[sender]?.questions ?? []
        if questions.count >= Self.maximumQuestions,
            let oldest = questions.min(by: { $0.rawValue < $1.rawValue })
        {
            questions.remove(oldest)
        }
        questions.insert(token)
        senders[sender]?.questions = questions
    }

    func emit(_ member: MemberName, _ arguments: [BusValue], to sender: BusName) {
        connection.assumeIsolated { connection in
            try? connection.emit(
                path: CenterName.path, interface: CenterName.interface, member: member,
                arguments: arguments, destination: sender)
        }
    }
}
