internal import DesktopBus
internal import NotificationModel
internal import Reactor

extension ServiceExporter {
    func connect(
        _ introduction: ApplicationIntroduction, _ sender: BusName
    ) async throws(NotificationError) -> ServiceVersion {
        let identity = await verified(introduction.identity, of: sender)
        try await changing(sender) { () async throws(NotificationError) in
            // This runs after an error, too, and may then drop the sender that `track` adds.
            defer {
                self.senders[sender]?.isConnecting = false
                self.dropIfUnused(sender)
            }
            try await self.track(sender: sender)
            try self.countSession(of: identity.id, from: sender)
            try await self.connect(identity, introduction.sessionOptions, for: sender)
        }
        let status = try await service.status()
        return ServiceVersion(version: status.version, hosting: status.hosting)
    }

    private func connect(
        _ identity: ApplicationIdentity, _ sessionOptions: ApplicationIntroduction.SessionOptions,
        for sender: BusName
    ) async throws(NotificationError) {
        let app = identity.id
        if let known = senders[sender]?.sessions[app], known.identity == identity,
            known.sessionOptions != sessionOptions,
            known.sessionOptions.identifiers == sessionOptions.identifiers
        {
            senders[sender]?.sessions[app]?.sessionOptions = sessionOptions
            try await service.setAsksBeforePresenting(
                sessionOptions.asksBeforePresenting,
                handlesResponses: sessionOptions.handlesResponses, in: known.session)
            return try await service.setExtendsPushes(
                sessionOptions.extendsPushes, in: known.session)
        }
        let session = try await service.connect(
            identity, asksBeforePresenting: sessionOptions.asksBeforePresenting,
            handlesResponses: sessionOptions.handlesResponses,
            identifiers: sessionOptions.identifiers,
            listener: { [weak self] event in
                // On the reactor's thread, forward the event at once, because the reply to
                // `Acknowledge` could overtake a queued event. On any other thread, use the
                // reactor's queue, which keeps the order of the events.
                self?.onReactor { $0.forward(event, to: sender) }
            })
        if sessionOptions.extendsPushes { try await service.setExtendsPushes(true, in: session) }
        let entry = ConnectedApp(
            session: session, identity: identity, sessionOptions: sessionOptions)
        if let previous = senders[sender]?.sessions.updateValue(entry, forKey: app) {
            try await service.disconnect(previous.session)
        }
    }

    func disconnect(
        _ app: ApplicationID, _ sender: BusName
    ) async throws(NotificationError) {
        try await changing(sender) { () async throws(NotificationError) in
            if let entry = self.senders[sender]?.sessions.removeValue(forKey: app) {
                try await self.service.disconnect(entry.session)
            }
            self.dropIfUnused(sender)
        }
    }

    func dropIfUnused(_ sender: BusName) {
        guard let known = senders[sender], known.sessions.isEmpty, known.watch == nil else {
            return
        }
        senders[sender] = nil
    }

    /// Counts a session before the service makes it; throws if the sender's app or process has too
    /// many sessions.
    private func countSession(
        of app: ApplicationID, from sender: BusName
    ) throws(NotificationError) {
        guard let known = senders[sender], known.sessions[app] == nil else { return }
        // The first session of a sender adds nothing: `track` has counted the sender.
        if !known.sessions.isEmpty { try checkRoom(for: known.owner, sender) }
        senders[sender]?.isConnecting = true
    }

    /// Checks that an app or process may have one more session, or one more connection with a
    /// watch.
    ///
    /// A session may keep 2 MiB of identifiers, so more connections must not give a program more
    /// sessions.
    private func checkRoom(
        for owner: String, _ sender: BusName
    ) throws(NotificationError) {
        let count = senders.values.filter { $0.owner == owner }.reduce(1) { $0 + $1.count }
        try Limits.sessions.check(count, of: "the program of the connection \(sender)")
    }

    /// Adds a sender, and watches whether it leaves the bus; call this only within `changing`.
    func track(sender: BusName) async throws(NotificationError) {
        // While this call waited for the sender's earlier calls, the cache may have dropped the
        // sender's rights. `quotaOwner` needs these rights.
        if senders[sender] == nil { _ = await rights(of: sender) }
        guard !isStopped else {
            throw NotificationError(
                .noDaemon, "The notification centre is ending. Connect again in a moment.")
        }
        guard senders[sender] == nil else { return }
        let owner = quotaOwner(of: sender)
        try checkRoom(for: owner, sender)
        senders[sender] = ConnectedSender(owner: owner)
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
        Task { await self.forgetSender(sender) }
    }

    func forgetSender(_ sender: BusName) async {
        rightsCache.forget(sender)
        // Wait for a running call of the sender, because that call may still add a session.
        try? await changing(sender) { () async throws(NotificationError) in
            guard let gone = self.senders.removeValue(forKey: sender), let service = self.opened
            else { return }
            for entry in gone.sessions.values { await service.disconnect(entry.session) }
            if let watch = gone.watch { await service.unwatch(watch) }
        }
    }

    /// Sends an event to the connection of its session.
    ///
    /// A response or a question that cannot be sent is not lost. The store keeps the response until
    /// it is acknowledged, and a deadline decides the question.
    private func forward(_ event: ServiceEvent, to sender: BusName) {
        guard senders[sender] != nil else { return }
        switch event {
        case .response(let response):
            emit(Signals.response, response, to: sender, of: response.notification.key)
        case .willPresent(let token, let notification):
            recordQuestion(token, of: sender)
            emit(Signals.willPresent, (token, notification), to: sender, of: notification.key)
        case .extend(let token, let request, let app):
            emit(
                Signals.extend, (app, token, request), to: sender,
                of: NotificationKey(app: app, identifier: request.identifier))
        case .extensionWillExpire(let token):
            emit(Signals.extensionWillExpire, token, to: sender, of: nil)
        case .openSettings(let notification):
            emit(Signals.openSettings, notification, to: sender, of: notification.key)
        case .popupLeft(let key):
            emit(Signals.left, (key.app, key.identifier), to: sender, of: key)
        case .pushReceived(let payload, let app):
            emit(Signals.pushed, (app, payload), to: sender, of: nil)
        case .subscriptionChanged(let subscription, let app):
            emit(Signals.subscriptionChanged, (app, subscription ?? []), to: sender, of: nil)
        }
    }

    /// Records a question; if there are too many, drops the oldest unanswered question.
    private func recordQuestion(_ token: PresentationToken, of sender: BusName) {
        var questions = senders[sender]?.questions ?? []
        if questions.count >= Limits.openQuestions.most,
            let oldest = questions.min(by: { $0.rawValue < $1.rawValue })
        {
            questions.remove(oldest)
        }
        questions.insert(token)
        senders[sender]?.questions = questions
    }

    /// Sends a signal; if D-Bus cannot carry the signal, reports the failure for its notification.
    func emit<Payload>(
        _ signal: Signal<Payload>, _ payload: Payload, to sender: BusName,
        of key: NotificationKey?
    ) {
        do throws(NotificationError) {
            let arguments = try signal.payload.encode(payload)
            for argument in arguments { _ = try argument.checked() }
            connection.assumeIsolated { connection in
                // Without a bus no client can receive the signal.
                try? connection.emit(
                    path: CenterName.path, interface: CenterName.interface, member: signal.name,
                    arguments: arguments, destination: sender)
            }
        } catch {
            if let key { leaveOut(key, error) }
        }
    }

    // MARK: Starting an app again

    /// Checks the description that an app gives of itself.
    ///
    /// The start command is kept only if the caller itself runs the command's program and the
    /// command can be stored.
    ///
    /// A sandboxed app loses its paths, because outside of its sandbox they name other files or no
    /// files. The app always needs the user's permission, and gets no data stored under a former
    /// id. The app also loses its claim to have a desktop file. With this claim, the daemon would
    /// not read the installed desktop file, so the question for the permission could show the name
    /// of another app.
    private func verified(
        _ identity: ApplicationIdentity, of sender: BusName
    ) async -> ApplicationIdentity {
        let rights = await rights(of: sender) ?? .none
        var identity = identity
        if rights.scope != .user {
            identity.resources = nil
            identity.formerID = nil
            identity.hasDesktopEntry = false
            identity.needsPermission = true
            if identity.icon.isPath { identity.icon = "" }
        }
        if LaunchCommand(identity) != nil, rights.runs(identity.executable) { return identity }
        identity.executable = ""
        identity.arguments = []
        identity.directory = ""
        identity.startsInBackground = false
        return identity
    }

    // MARK: Watchers

    func watch(_ app: ApplicationID?, _ sender: BusName) async throws(NotificationError) {
        try await changing(sender) { () async throws(NotificationError) in
            defer { self.dropIfUnused(sender) }
            try await self.track(sender: sender)
            let session = try await self.service.watch(app) {
                [weak self, reactor = self.reactor] change in
                // Use the reactor's queue, which keeps the order of the events.
                reactor.perform { [weak self] in
                    self?.assumeIsolated { $0.reportChange(change, to: sender) }
                }
            }
            let former = self.senders[sender]?.watch
            self.senders[sender]?.watch = session
            if let former { try await self.service.unwatch(former) }
        }
    }

    private func reportChange(_ change: ServiceChange, to sender: BusName) {
        guard senders[sender] != nil else { return }
        switch change {
        case .lists(let app, let lists):
            emit(
                Signals.changed, (app, lists.contains(.pending), lists.contains(.delivered)),
                to: sender, of: nil)
        case .answer(let key, let action):
            let answer = AnsweredNotification(identifier: key.identifier, action: action)
            emit(Signals.responded, (key.app, answer), to: sender, of: key)
        }
    }

    func unwatch(_ sender: BusName) async throws(NotificationError) {
        try await changing(sender) { () async throws(NotificationError) in
            guard let session = self.senders[sender]?.watch else { return }
            self.senders[sender]?.watch = nil
            self.dropIfUnused(sender)
            try await self.service.unwatch(session)
        }
    }
}
