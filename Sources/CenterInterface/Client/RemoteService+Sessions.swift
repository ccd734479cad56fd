internal import DesktopBus
public import NotificationModel
internal import Reactor

extension RemoteService {
    /// Registers a listening app with the daemon, and again with each later daemon.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool, handlesResponses: Bool,
        identifiers: Set<String>?,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        try await listen()
        lastSession += 1
        let session = ServiceSession(rawValue: lastSession)
        // Add the session before the call, because stored responses arrive before the answer to
        // `Connect`.
        sessions[session] = RemoteSession(
            identity: application,
            sessionOptions: .init(
                asksBeforePresenting: asksBeforePresenting, handlesResponses: handlesResponses,
                identifiers: identifiers),
            listener: listener)
        let formerDepartures = departures
        do throws(NotificationError) {
            try await introduce(application)
        } catch {
            sessions[session] = nil
            throw error
        }
        sessions[session]?.isConnecting = false
        // The answer may come from a daemon that has left the bus since. The registration with the
        // next daemon skipped this session, so register again.
        if departures != formerDepartures { Task { await registerAgain() } }
        return session
    }

    /// Changes the options of a session, in this client and in the daemon.
    package func updateSessionOptions(
        _ session: ServiceSession, _ change: (inout ApplicationIntroduction.SessionOptions) -> Void
    ) async {
        guard let known = sessions[session] else { return }
        var sessionOptions = known.sessionOptions
        change(&sessionOptions)
        guard sessionOptions != known.sessionOptions else { return }
        sessions[session]?.sessionOptions = sessionOptions
        do throws(NotificationError) {
            try await introduce(known.identity)
        } catch {
            // A daemon that runs must get the options, too. For example, it may have refused the
            // call because the app made too many calls at once.
            if error.mayPass { Task { await registerAgain() } }
        }
    }

    /// Ends a session; the daemon keeps the responses that the app has not acknowledged.
    public func disconnect(_ session: ServiceSession) async {
        guard let app = sessions[session]?.identity.id else { return }
        let former = sessionOptions(of: app)
        sessions[session] = nil
        let options = sessionOptions(of: app)
        // The end of a session must not start a daemon.
        guard let other = sessions.values.first(where: { $0.identity.id == app }) else {
            return await callIfThere(Members.disconnect, app)
        }
        guard options != former else { return }
        await callIfThere(Members.connect, ApplicationIntroduction(other.identity, options))
    }

    /// Reports that the app has processed a response; the daemon then forgets the response.
    ///
    /// - Throws: An error of `call(_:_:)`.
    public func acknowledge(
        _ response: Int64, of app: ApplicationID
    ) async throws(NotificationError) {
        let ours = sessions.values.filter { $0.identity.id == app }
        let dates = ours.compactMap { $0.open[response] }
        try await acknowledge(response, of: app, from: dates.max())
    }

    /// Acknowledges the response whose notification has this date.
    ///
    /// During the call, a response of another store may get the same number. That response stays
    /// open.
    private func acknowledge(
        _ response: Int64, of app: ApplicationID, from date: Instant?, startingDaemon: Bool = true
    ) async throws(NotificationError) {
        if let date { handled[response] = date }
        try await call(Members.acknowledge, (app, response), startingDaemon: startingDaemon)
        if handled[response] == date { handled[response] = nil }
        for (session, known) in sessions
        where known.identity.id == app && known.open[response] == date {
            sessions[session]?.open[response] = nil
        }
    }

    /// Answers the question whether a notification may be shown.
    public func answer(_ token: PresentationToken, with options: PresentationOptions) async {
        // If this fails, the daemon that asked is gone.
        await callIfThere(Members.decidePresentation, (token, options))
    }

    /// Passes on the content that the app's service extension made of a pushed notification.
    ///
    /// - Throws: `attachmentNotStored` if a file cannot be passed on, or an error of `call(_:_:)`.
    public func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError) {
        let asked = sessions.keys.filter { sessions[$0]?.extending.contains(token) == true }
        // Ignore a token of an earlier daemon. No other daemon knows the token, and the call could
        // start a daemon.
        guard !asked.isEmpty else { return }
        for session in asked { sessions[session]?.extending.remove(token) }
        let files = try Self.descriptors(of: content?.attachments ?? [])
        try await call(Members.finishExtension, (app, token, content?.content, files))
    }

    func extend(_ token: ExtensionToken, _ request: NotificationRequest, of app: ApplicationID) {
        let session = sessions.first {
            $0.value.identity.id == app && $0.value.sessionOptions.extendsPushes
        }
        guard let session else { return }
        sessions[session.key]?.extending.insert(token)
        session.value.listener(.extend(token, request, of: app))
    }

    func expire(_ token: ExtensionToken) {
        for session in sessions.values where session.extending.contains(token) {
            session.listener(.extensionWillExpire(token))
        }
    }

    private func introduce(
        _ application: ApplicationIdentity, startingDaemon: Bool = true
    ) async throws(NotificationError) {
        let options = sessionOptions(of: application.id)
        _ = try await call(
            Members.connect, ApplicationIntroduction(application, options),
            startingDaemon: startingDaemon)
    }

    /// The combined options of the app's sessions in this program.
    ///
    /// The daemon has only one session of each app for this connection.
    private func sessionOptions(of app: ApplicationID) -> ApplicationIntroduction.SessionOptions {
        let known = sessions.values.filter { $0.identity.id == app }
        let sets = known.map(\.sessionOptions.identifiers)
        let all = sets.compactMap { $0 }.reduce(into: Set<String>()) { $0.formUnion($1) }
        return ApplicationIntroduction.SessionOptions(
            asksBeforePresenting: known.contains(where: \.sessionOptions.asksBeforePresenting),
            handlesResponses: known.contains(where: \.sessionOptions.handlesResponses),
            extendsPushes: known.contains(where: \.sessionOptions.extendsPushes),
            identifiers: sets.contains(nil) ? nil : all)
    }

    // MARK: Signals

    /// Subscribes to the daemon's signals on the bus that calls go to.
    func listen() async throws(NotificationError) {
        while true {
            let task = listening ?? Task { await subscribe() }
            listening = task
            let result = await task.value
            // If calls moved to another bus during the wait, subscribe on that bus.
            guard listening == task else { continue }
            guard case .failure(let error) = result else { return }
            listening = nil
            throw NotificationError(error)
        }
    }

    private func subscribe() async -> Result<Void, BusError> {
        let connection = connection
        hasDaemon = false
        if !followsHome {
            followsHome = true
            await home.onStateChange { [weak self] state in
                guard case .connected = state else { return }
                self?.assumeIsolated { $0.homeReturned() }
            }
        }
        do throws(BusError) {
            let rule = MatchRule(
                sender: CenterName.bus, path: CenterName.path, interface: CenterName.interface)
            let signals = try await connection.subscribe(rule) { [weak self] signal in
                self?.assumeIsolated { $0.receive(signal) }
            }
            let owner = try await connection.watchOwner(of: CenterName.bus) { [weak self] owner in
                self?.assumeIsolated { $0.ownerChanged(isThere: owner != nil, on: connection) }
            }
            // If calls have moved to another bus, this late subscription must not replace the
            // subscription on that bus.
            if connection === self.connection { subscriptions = [signals, owner] }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func receive(_ signal: BusSignal) {
        if let response = Signals.response.payload(of: signal) {
            deliver(response)
        } else if let (token, notification) = Signals.willPresent.payload(of: signal) {
            askWhetherToPresent(token, notification)
        } else if let (app, token, request) = Signals.extend.payload(of: signal) {
            extend(token, request, of: app)
        } else if let token = Signals.extensionWillExpire.payload(of: signal) {
            expire(token)
        } else if let notification = Signals.openSettings.payload(of: signal) {
            let ours = sessions.values.first { $0.identity.id == notification.app }
            ours?.listener(.openSettings(notification))
        } else if let (app, identifier) = Signals.left.payload(of: signal) {
            reportPopupLeft(NotificationKey(app: app, identifier: identifier))
        } else if let (app, payload) = Signals.pushed.payload(of: signal) {
            passEvent(.pushReceived(payload, of: app), to: app)
        } else if let (app, bytes) = Signals.subscriptionChanged.payload(of: signal) {
            passEvent(.subscriptionChanged(bytes.isEmpty ? nil : bytes, of: app), to: app)
        } else if let (app, pending, delivered) = Signals.changed.payload(of: signal) {
            var lists: ChangedLists = []
            if pending { lists.insert(.pending) }
            if delivered { lists.insert(.delivered) }
            reportChange(.lists(app, lists))
        } else if let (app, answer) = Signals.responded.payload(of: signal) {
            let key = NotificationKey(app: app, identifier: answer.identifier)
            reportChange(.answer(key, answer.action))
        }
    }

    private func deliver(_ response: NotificationResponse) {
        let notification = response.notification
        let ours = sessions.filter { $0.value.identity.id == notification.app }
        guard handled[response.id] != notification.date else {
            // If this fails, too, the next daemon sends the response once more. The call starts no
            // daemon: if the call makes daemons crash, they would be started without end.
            Task {
                try? await acknowledge(
                    response.id, of: notification.app, from: notification.date,
                    startingDaemon: false)
            }
            return
        }
        // The app may have processed another response with this number, from another store.
        handled[response.id] = nil
        let waiting = ours.filter {
            $0.value.sessionOptions.identifiers?.contains(notification.request.identifier) ?? false
        }
        let listening =
            waiting.isEmpty ? ours.filter { $0.value.sessionOptions.identifiers == nil } : waiting
        for (session, known) in listening.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let open = sessions[session]?.open, open[response.id] != notification.date
            else { continue }
            sessions[session]?.open[response.id] = notification.date
            known.listener(.response(response))
        }
    }

    private func reportPopupLeft(_ key: NotificationKey) {
        for known in sessions.values
        where known.identity.id == key.app
            && known.sessionOptions.identifiers?.contains(key.identifier) == true
        {
            known.listener(.popupLeft(key))
        }
    }

    private func passEvent(_ event: ServiceEvent, to app: ApplicationID) {
        for known in sessions.values where known.identity.id == app { known.listener(event) }
    }

    private func askWhetherToPresent(
        _ token: PresentationToken, _ notification: DeliveredNotification
    ) {
        let asked = sessions.values.first {
            $0.identity.id == notification.app && $0.sessionOptions.asksBeforePresenting
        }
        guard let asked else {
            // The daemon sent the question before it learned that no session asks any more.
            // Without an answer, it would show no banner after its deadline.
            Task { await answer(token, with: .all) }
            return
        }
        asked.listener(.willPresent(token, notification))
    }

    // MARK: A new daemon

    private func ownerChanged(isThere: Bool, on connection: BusConnection) {
        guard connection === self.connection else { return }
        if hasDaemon { departures += 1 }
        hasDaemon = isThere
        guard !sessions.isEmpty || !watches.isEmpty else { return }
        for session in sessions.keys { sessions[session]?.extending = [] }
        // Stop registering with the former daemon.
        registrations += 1
        Task { [departures] in
            if isThere {
                await registerAgain()
            } else if connection !== home {
                await moveHome(from: connection)
            } else {
                await restartDaemon(afterDeparture: departures)
            }
        }
    }

    /// Starts a daemon after one has left; if that fails, tries again after growing pauses.
    ///
    /// An app that only listens makes no call that would start a daemon. Without this method, no
    /// request would fire where systemd does not restart the daemon.
    private func restartDaemon(afterDeparture number: Int) async {
        guard number == departures, !hasDaemon, elsewhere == nil,
            !sessions.isEmpty || !watches.isEmpty
        else { return }
        // The subscription to the name's owner reports the arrival of the daemon.
        if restarts.takeRestart(at: .now), (try? await launch()) != nil { return }
        let pause = restarts.pause(at: .now, fraction: Double.random(in: 0...1))
        deadline(after: pause) { service in
            Task { await service.restartDaemon(afterDeparture: number) }
        }
    }

    /// Starts a daemon after the bus has returned.
    ///
    /// The former daemon ended with the former bus. The new bus can start an installed daemon;
    /// without an installed daemon, this program starts one.
    private func homeReturned() {
        guard let launcher, elsewhere == nil, !sessions.isEmpty || !watches.isEmpty else { return }
        Task {
            guard (try? await home.availability(of: CenterName.bus)) == .absent,
                restarts.takeRestart(at: .now)
            else { return }
            // If the start fails, the app's next call reports why.
            try? await launcher.ensure(on: home)
        }
    }

    /// Registers the sessions and watches with a new daemon.
    ///
    /// A daemon may refuse a registration: it is still opening its store, another session has the
    /// store, or the disk is full. So the registration is repeated until the daemon accepts it,
    /// until the daemon ends, or until another daemon comes.
    ///
    /// The registration starts no daemon: if it makes daemons crash, they would be started without
    /// end.
    func registerAgain() async {
        registrations += 1
        let current = registrations
        var failures = 0
        while current == registrations, hasDaemon || elsewhere != nil,
            !sessions.isEmpty || !watches.isEmpty
        {
            let isIntroduced = await introduceAll()
            let isWatched = await watchAgain()
            if isIntroduced, isWatched { return }
            await pause(
                Backoff().pause(afterFailures: failures, fraction: Double.random(in: 0...1)))
            failures += 1
        }
    }

    /// Registers each app once; returns false only if an app's registration failed and may succeed
    /// later.
    private func introduceAll() async -> Bool {
        var isComplete = true
        var seen: Set<ApplicationID> = []
        for (session, known) in sessions
        where sessions[session] != nil && !known.isConnecting
            && seen.insert(known.identity.id).inserted
        {
            do throws(NotificationError) {
                try await introduce(known.identity, startingDaemon: false)
            } catch {
                if error.mayPass { isComplete = false }
            }
        }
        return isComplete
    }
}
