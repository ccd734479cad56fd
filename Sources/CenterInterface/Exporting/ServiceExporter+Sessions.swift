internal import DesktopBus
internal import NotificationModel
internal import Reactor

// Sessions: who hears of what.
extension ServiceExporter {
    private static let maximumQuestions = 1_024

    func connect(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        let sender = invocation.sender
        return try await serve(invocation) { arguments async throws(NotificationError) in
            let introduction = try ApplicationIntroduction.record.value(
                of: arguments[0], "the application")
            let (identity, wishes) = (introduction.identity, introduction.wishes)
            let verified = await self.verified(identity, of: sender)
            try await self.changing(sender) { () async throws(NotificationError) in
                // Also where it fails: nothing is kept for a sender that has nothing.
                defer { self.dropIfUnused(sender) }
                try await self.attend(sender)
                try self.checkAppCount(of: sender, connecting: verified.id)
                try await self.connect(verified, wishes, for: sender)
            }
            let status = try await self.service.status()
            return [
                .vardict([
                    ("version", .string(status.version)), ("hosting", .string(status.hosting)),
                ])
            ]
        }
    }

    private func connect(
        _ identity: ApplicationIdentity, _ wishes: ApplicationIntroduction.Wishes,
        for sender: BusName
    ) async throws(NotificationError) {
        let app = identity.id
        if let known = senders[sender]?.sessions[app], known.identity == identity,
            known.wishes != wishes, known.wishes.identifiers == wishes.identifiers
        {
            senders[sender]?.sessions[app]?.wishes = wishes
            try await service.setAsksBeforePresenting(
                wishes.asksBeforePresenting, in: known.session)
            return try await service.setExtendsPushes(wishes.extendsPushes, in: known.session)
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
        if wishes.extendsPushes { try await service.setExtendsPushes(true, in: session) }
        let entry = ConnectedApp(session: session, identity: identity, wishes: wishes)
        if let previous = senders[sender]?.sessions.updateValue(entry, forKey: app) {
            try await service.disconnect(previous.session)
        }
    }

    func disconnect(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        let sender = invocation.sender
        return try await serve(invocation) { arguments async throws(NotificationError) in
            let app = try Self.app(arguments)
            return try await self.changing(sender) { () async throws(NotificationError) in
                if let entry = self.senders[sender]?.sessions.removeValue(forKey: app) {
                    try await self.service.disconnect(entry.session)
                }
                self.dropIfUnused(sender)
                return []
            }
        }
    }

    /// Forgets a sender that neither speaks for an app nor watches.
    func dropIfUnused(_ sender: BusName) {
        guard let known = senders[sender], known.sessions.isEmpty, known.watch == nil else {
            return
        }
        senders[sender] = nil
    }

    /// Refuses one app more than a connection may speak for.
    private func checkAppCount(
        of sender: BusName, connecting app: ApplicationID
    ) throws(NotificationError) {
        guard let known = senders[sender], known.sessions[app] == nil else { return }
        try Limits.sessions.check(known.sessions.count + 1, of: "the connection \(sender)")
    }

    /// Makes room for what a sender connects, and hears when it leaves the bus; only while nothing
    /// else changes it.
    func attend(_ sender: BusName) async throws(NotificationError) {
        guard !isStopped else {
            throw NotificationError(
                .noDaemon, "The notification centre is ending. Connect again to the next one.")
        }
        guard senders[sender] == nil else { return }
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
        // After a call that is being made for it, which may connect something yet.
        try? await changing(sender) { () async throws(NotificationError) in
            guard let gone = self.senders.removeValue(forKey: sender), let service = self.opened
            else { return }
            for entry in gone.sessions.values { await service.disconnect(entry.session) }
            if let watch = gone.watch { await service.unwatch(watch) }
        }
    }

    /// Sends an event to one sender.
    ///
    /// What cannot be sent is not lost: a response stays stored
    /// until it is acknowledged, and an unanswered question is answered by its deadline.
    private func forward(_ event: ServiceEvent, to sender: BusName) {
        guard senders[sender] != nil else { return }
        switch event {
        case .response(let response):
            forward("Response", of: response.notification.key, to: sender) {
                () throws(NotificationError) in [try ResponseCoding.encode(response)]
            }
        case .willPresent(let token, let notification):
            note(token, of: sender)
            forward("WillPresent", of: notification.key, to: sender) {
                () throws(NotificationError) in
                [.uint64(token.rawValue), DeliveredNotification.record.busValue(of: notification)]
            }
        case .extend(let token, let request, let app):
            let key = NotificationKey(app: app, identifier: request.identifier)
            forward("Extend", of: key, to: sender) { () throws(NotificationError) in
                [
                    .string(app.rawValue), .uint64(token.rawValue),
                    try RequestCoding.encode(request),
                ]
            }
        case .extensionWillExpire(let token):
            emit("ExtensionWillExpire", [.uint64(token.rawValue)], to: sender)
        case .openSettings(let notification):
            forward("OpenSettings", of: notification.key, to: sender) {
                () throws(NotificationError) in
                [DeliveredNotification.record.busValue(of: notification)]
            }
        case .left(let key):
            emit("Left", [.string(key.app.rawValue), .string(key.identifier)], to: sender)
        }
    }

    /// Sends an event about a notification; one that D-Bus cannot carry is reported.
    private func forward(
        _ member: MemberName, of key: NotificationKey, to sender: BusName,
        _ arguments: () throws(NotificationError) -> [BusValue]
    ) {
        do throws(NotificationError) {
            let arguments = try arguments()
            for argument in arguments { _ = try argument.checked() }
            emit(member, arguments, to: sender)
        } catch {
            leaveOut(key, error)
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
