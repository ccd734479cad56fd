internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// The server's identity, its capabilities, and when it has to be started.
extension FreedesktopPresenter {
    /// Before the first post, or the answer to it might be missed.
    func listen() async {
        do {
            let signals = MatchRule(
                path: NotificationServer.path, interface: NotificationServer.interface)
            subscriptions = [
                try await connection.subscribe(signals) { [weak self] signal in
                    self?.assumeIsolated { $0.received(signal) }
                },
                try await connection.watchOwner(of: LauncherEntry.dock) { [weak self] owner in
                    self?.assumeIsolated { $0.dockChanged(to: owner) }
                },
            ]
            try await service.follow { [weak self] availability in
                self?.assumeIsolated { $0.availabilityChanged(to: availability) }
            }
        } catch {
            // There is no bus; `busReturned` tries again.
            subscriptions = []
            becomeIdle(.absent)
        }
    }

    func busReturned() {
        if subscriptions.isEmpty {
            Task { await listen() }
        } else {
            service.assumeIsolated { $0.look() }
        }
    }

    private func availabilityChanged(to availability: ServiceAvailability?) {
        let isUnknown = owner != nil && isLearning
        if owner != nil { serverGone() }
        owner = nil
        switch availability {
        case .running(let server):
            owner = server
            // The user may answer popups of an earlier run before we know the server.
            router.posting()
            becomeUnknown()
            Task { [step] in await meet(step) }
        case nil where isUnknown:
            // It died before it could say a word: starting it again at once would go on for ever.
            service.assumeIsolated { $0.startFailed() }
        case nil: becomeUnknown()
        case .startable: becomeIdle(.startable)
        case .absent: becomeIdle(.absent)
        }
    }

    /// Invalidates every open question to the former server.
    private func becomeUnknown() {
        step += 1
        phase = .learning
        isRefreshing = false
    }

    /// No server runs.
    private func becomeIdle(_ phase: Phase) {
        step += 1
        self.phase = phase
        if case .startable = phase { announce(true) } else { announce(false) }
        becomeReady()
    }

    func startServer() {
        service.assumeIsolated { $0.start(timeout: pauses.serverStart) }
    }

    // MARK: A server is there

    /// Asks a new server what it can do; what it cannot answer in time is taken as nothing.
    private func meet(_ step: Int) async {
        async let bus = connection.call(
            MethodCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "GetId"))
        async let environment = session()
        let answer = await introduction(patience: pauses.introduction)
        let found = answer ?? ServerInformation()
        let id = (try? await bus)?.arguments.first?.stringValue ?? ""
        let isOnX = StartupIDs.areUsable(in: await environment)
        guard step == self.step else { return }
        busID = id
        givesStartupIDs = isOnX
        isSilent = answer == nil
        let isCareful = found.has(.refusesBursts) || diedWithPosts
        diedWithPosts = false
        know(found)
        adoptPopups(of: found)
        router.postEnded()
        isAwaited = isAwaited || isCareful
        becomeReady(isCareful: isCareful)
        announce(true)
        tellMeeting(with: found)
    }

    /// Asks again; a server that does not answer is taken to be as it was.
    private func refresh() {
        isRefreshing = true
        Task { [step] in
            let found = await introduction(patience: .zero)
            guard step == self.step else { return }
            isRefreshing = false
            know(found ?? lastKnown ?? ServerInformation())
            becomeReady()
        }
    }

    private func know(_ server: ServerInformation) {
        phase = .known(server)
        lastKnown = server
        learnedAt = .now
    }

    /// The server's identity and its capabilities, or nil if it reported neither.
    ///
    /// GNOME's relay owns the name before its object is there: one that does not know a method is
    /// asked again (https://gitlab.gnome.org/GNOME/gnome-shell js/dbusServices/dbusService.js).
    private func introduction(patience: Duration) async -> ServerInformation? {
        guard let server else { return nil }
        let end = ContinuousClock.now + patience
        let timeout = pauses.introduction
        while true {
            async let information = Self.result { () async throws(BusError) in
                try await server.information(timeout: timeout)
            }
            async let capabilities = Self.result { () async throws(BusError) in
                try await server.capabilities(timeout: timeout)
            }
            let (words, abilities) = await (information, capabilities)
            if words.isUnknownMethod || abilities.isUnknownMethod, .now < end {
                await pause(pauses.export)
                continue
            }
            let found = (try? words.get(), try? abilities.get())
            guard found.0 != nil || found.1 != nil else { return nil }
            return await configured(
                ServerInformation(information: found.0 ?? [], capabilities: found.1 ?? []))
        }
    }

    /// The server's capabilities under the configuration that the session has for it.
    private func configured(_ server: ServerInformation) async -> ServerInformation {
        guard let configuration = server.traits.configuration else { return server }
        let environment = await session()
        let isOn = await files.result(for: server.name, within: pauses.introduction) {
            configuration.isOn(in: environment)
        }
        return server.configured(isOn ?? false)
    }

    private static func result<Reply: Sendable>(
        _ question: @Sendable () async throws(BusError) -> Reply
    ) async -> Result<Reply, BusError> {
        do throws(BusError) {
            return .success(try await question())
        } catch {
            return .failure(error)
        }
    }

    /// Whether Do Not Disturb is on, where the server says that it tells.
    func isInhibited(_ status: PresenterStatus) async -> Bool? {
        guard let server, status.capabilities.contains("inhibitions") else { return nil }
        return await server.isInhibited(timeout: pauses.introduction)
    }

    /// Listens to an earlier run's popups on this server, and reports those to be shown again.
    ///
    /// A popup that the server removes when its sender leaves keeps its id. If it is still there
    /// after all, the same popup is shown again and no second one.
    func adoptPopups(of server: ServerInformation) {
        var lost: [NotificationKey] = []
        var unheard: [NotificationKey] = []
        for (key, popup) in adopted {
            let isHere = popup.server == serverName
            let isInherited = server.has(.forgetsSenders)
            if isHere {
                let offer = SignalRouter.Offer(isInherited: isInherited)
                perform(router.posted(key, id: popup.id, offer: offer))
            }
            if !isHere || isInherited { lost.append(key) } else { unheard.append(key) }
        }
        adopted = [:]
        for popup in leaving where popup.server == serverName { close(popup.id) }
        leaving = []
        if !lost.isEmpty { listener?(.lost(lost)) }
        guard server.has(.tellsSenderAlone) || server.has(.tellsSenderAloneOfReplies),
            !unheard.isEmpty
        else {
            return
        }
        listener?(.unheard(unheard, repliesAlone: !server.has(.tellsSenderAlone)))
    }

    /// Tells what a server can do about what is lost.
    func tellMeeting(with server: ServerInformation) {
        listener?(
            .met(
                keepsList: server.capabilities.contains("persistence"), server: serverName,
                isSilent: isSilent))
    }

    /// Unique only together with the bus: another bus has its own `:1.5`.
    var serverName: String { "\(busID)/\(owner?.rawValue ?? "")" }

    // MARK: No server is there

    private func serverGone() {
        step += 1
        phase = .learning
        diedWithPosts = diedWithPosts || !pendingPosts.isEmpty
        router.serverGone()
        let interrupted = pendingPosts.sorted { $0.key < $1.key }.map(\.value)
        pendingPosts = [:]
        announce(false)
        for post in interrupted {
            // One whose timeout has ended was reported then.
            guard let timeout = post.timeout else { continue }
            timeout.cancel()
            reportInterrupted(post)
        }
    }

    /// Returns when the server is known or cannot be had, and no later than the limit.
    func untilLearned() async {
        guard isLearning else { return }
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        learners.append(end)
        let deadline = reactor.deadline(after: pauses.serverStart) { end.finish() }
        for await _ in ends {}
        deadline.cancel()
    }

    var isLearning: Bool {
        if case .learning = phase { true } else { false }
    }

    func announce(_ isAvailable: Bool) {
        guard isAnnounced != isAvailable else { return }
        isAnnounced = isAvailable
        listener?(isAvailable ? .available : .unavailable)
    }

    // MARK: Posts that come before the server is known

    /// Posts, or does what has to be done first and wants the post later.
    func postOrDelay(_ presentation: Presentation) {
        switch phase {
        case .known where isKnownWell: return post(presentation)
        case .known: if !isRefreshing { refresh() }
        case .learning: break
        case .startable: startServer()
        case .absent: return report(presentation, .unavailable)
        }
        isAwaited = true
        report(presentation, .later(.identifying))
    }

    private func becomeReady(isCareful: Bool = false) {
        guard isAwaited else { return }
        isAwaited = false
        // The listener posts deferred requests within this call; it must not ask once more.
        isResuming = true
        listener?(.ready(isCareful: isCareful))
        isResuming = false
    }

    private var isKnownWell: Bool {
        isResuming || !isRefreshing && learnedAt.duration(to: .now) < pauses.knowledge
    }
}

extension Result where Failure == BusError {
    /// Whether the other side does not have what was called, or not yet.
    fileprivate var isUnknownMethod: Bool {
        guard case .failure(let error) = self else { return false }
        let names = ["UnknownMethod", "UnknownObject", "UnknownInterface"]
        return names.contains { error.remoteName?.rawValue == "org.freedesktop.DBus.Error.\($0)" }
    }
}
