internal import DesktopBus
internal import NotificationModel
internal import Reactor

extension FreedesktopPresenter {
    static let signals = MatchRule(
        sender: NotificationServer.busName, path: NotificationServer.path,
        interface: NotificationServer.interface)

    func availabilityChanged(to availability: ServiceAvailability?) {
        let wasUnidentified = owner != nil && isIdentifying
        // Late answers of the former server have an older step, and are ignored.
        step += 1
        phase = .identifying
        isRefreshing = false
        if owner != nil { serverGone() }
        owner = nil
        switch availability {
        case .running(let server):
            owner = server
            // Let the router keep early signals, because the user may respond to a popup of an
            // earlier run before the server is identified.
            router.postStarted()
            Task { [step] in await identifyServer(step) }
        case nil where wasUnidentified:
            // If the server dies before it is identified, the next start is delayed: immediate
            // restarts could go on for ever.
            service.assumeIsolated { $0.startFailed() }
        case nil: break
        case .startable: becomeIdle(.startable)
        case .absent: becomeIdle(.absent)
        }
    }

    private func becomeIdle(_ phase: Phase) {
        self.phase = phase
        if phase == .startable { listener?(.serverMissing) }
        announce(phase == .startable)
        becomeReady()
    }

    func startServer() {
        service.assumeIsolated { $0.start(timeout: timeouts.serverStart) }
    }

    // MARK: A server is there

    /// Identifies a new server.
    ///
    /// A server that does not answer in time counts as a server without capabilities.
    private func identifyServer(_ step: Int) async {
        async let bus = connection.call(.toBus("GetId"))
        async let environment = session()
        let answer = await introduction(retryTimeout: timeouts.introduction)
        let found = answer ?? ServerInformation()
        let id = (try? await bus)?.arguments.first?.stringValue ?? ""
        let isOnX = StartupIDs.areUsable(in: await environment)
        guard step == self.step else { return }
        busID = id
        givesStartupIDs = isOnX
        isSilent = answer == nil
        let isCareful = found.has(.refusesBursts) || diedWithPosts
        diedWithPosts = false
        recordServer(found)
        adoptPopups(of: found)
        router.postEnded()
        becomeReady(isCareful: isCareful)
        announce(true)
        announceServer(with: found)
    }

    /// Identifies the server again; a server that does not answer counts as unchanged.
    ///
    /// A server that answers for the first time is announced, because until now it counted as a
    /// server without capabilities.
    private func refresh() {
        isRefreshing = true
        Task { [step] in
            let found = await introduction(retryTimeout: .zero)
            guard step == self.step else { return }
            isRefreshing = false
            let server = found ?? lastKnown ?? ServerInformation()
            recordServer(server)
            becomeReady()
            guard isSilent, found != nil else { return }
            isSilent = false
            announceServer(with: server)
        }
    }

    private func recordServer(_ server: ServerInformation) {
        phase = .known(server)
        lastKnown = server
        identifiedAt = .now
    }

    /// The server's identity and its capabilities; nil if the server reported neither.
    ///
    /// GNOME's server owns its name before its object exists. So a server that lacks the method is
    /// asked again until `retryTimeout` has passed. Source:
    /// https://gitlab.gnome.org/GNOME/gnome-shell js/dbusServices/dbusService.js.
    private func introduction(retryTimeout: Duration) async -> ServerInformation? {
        guard let server else { return nil }
        let end = ContinuousClock.now + retryTimeout
        let timeout = timeouts.introduction
        while true {
            async let information = Self.result { () async throws(BusError) in
                try await server.information(timeout: timeout)
            }
            async let capabilities = Self.result { () async throws(BusError) in
                try await server.capabilities(timeout: timeout)
            }
            let (words, abilities) = await (information, capabilities)
            if words.isUnknownMethod || abilities.isUnknownMethod, .now < end {
                await pause(timeouts.export)
                continue
            }
            let found = (try? words.get(), try? abilities.get())
            guard found.0 != nil || found.1 != nil else { return nil }
            return await configured(
                ServerInformation(information: found.0 ?? [], capabilities: found.1 ?? []))
        }
    }

    /// The server's information, without the capability that the server's configuration turns off.
    ///
    /// If the configuration cannot be read in time, the capability counts as turned off.
    private func configured(_ server: ServerInformation) async -> ServerInformation {
        guard let configuration = server.traits.configuration else { return server }
        let environment = await session()
        let isOn = await files.result(for: server.name, within: timeouts.introduction) {
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

    /// Whether Do Not Disturb is on; nil if the server does not report it.
    func isInhibited(_ status: PresenterStatus) async -> Bool? {
        guard let server, status.capabilities.contains("inhibitions") else { return nil }
        return await server.isInhibited(timeout: timeouts.introduction)
    }

    /// Follows the popups of an earlier run on this server, and reports which of them must be shown
    /// again.
    ///
    /// A popup of another server is lost. A server with the quirk `forgetsSenders` may have removed
    /// its popups when the former daemon left the bus, so all its popups are posted again. The
    /// router still gets their ids: if the server kept a popup, the new post replaces it.
    func adoptPopups(of server: ServerInformation) {
        var lost: [NotificationKey] = []
        var unheard: [NotificationKey] = []
        for (key, popup) in adopted {
            let isHere = popup.server == serverName
            let isInherited = server.has(.forgetsSenders)
            if isHere {
                let offer = SignalRouter.Offer(isInherited: isInherited)
                perform(router.popupPosted(key, id: popup.id, offer: offer))
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
        listener?(.unheard(unheard, onlyTypedReplies: !server.has(.tellsSenderAlone)))
    }

    func announceServer(with server: ServerInformation) {
        listener?(
            .serverIdentified(
                isPersistent: server.capabilities.contains("persistence"), server: serverName,
                isSilent: isSilent))
    }

    /// The bus id and the server's unique name, because `:1.5` is another program on another bus.
    var serverName: String { "\(busID)/\(owner?.rawValue ?? "")" }

    // MARK: No server is there

    private func serverGone() {
        diedWithPosts = diedWithPosts || !pendingPosts.isEmpty
        router.serverGone()
        let interrupted = pendingPosts.sorted { $0.key < $1.key }.map(\.value)
        pendingPosts = [:]
        announce(false)
        for post in interrupted {
            // A post whose timeout has passed was reported at that time.
            guard let timeout = post.timeout else { continue }
            timeout.cancel()
            report(
                post.presentation,
                post.isWithdrawn ? Self.withdrawn : crashes.outcome(of: post.key))
        }
    }

    /// Returns when the server is identified or known to be missing, or when the timeout
    /// `timeouts.serverStart` has passed.
    func untilIdentified() async {
        guard isIdentifying else { return }
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        identificationWaiters.append(end)
        let deadline = reactor.deadline(after: timeouts.serverStart) { end.finish() }
        for await _ in ends {}
        deadline.cancel()
    }

    var isIdentifying: Bool { phase == .identifying }

    func announce(_ isAvailable: Bool) {
        guard isAnnounced != isAvailable else { return }
        isAnnounced = isAvailable
        listener?(isAvailable ? .available : .unavailable)
    }

    // MARK: Posts that come before the server is known

    /// Posts now if the server is known; otherwise starts or identifies it and reports `later`.
    ///
    /// If no server runs and none can be started, the outcome is `unavailable`.
    func postOrDelay(_ presentation: Presentation) {
        switch phase {
        case .known where isKnownWell: return post(presentation)
        case .known: if !isRefreshing { refresh() }
        case .identifying: break
        case .startable: startServer()
        case .absent: return report(presentation, .unavailable)
        }
        report(presentation, .later(.identifying))
    }

    private func becomeReady(isCareful: Bool = false) {
        // The listener makes its delayed posts within this call; these posts must not query the
        // server again.
        isResuming = true
        listener?(.ready(isCareful: isCareful))
        isResuming = false
    }

    private var isKnownWell: Bool {
        isResuming || !isRefreshing && identifiedAt.duration(to: .now) < timeouts.knowledge
    }
}

extension Result where Failure == BusError {
    /// Whether the callee lacks the called method, perhaps only for the moment.
    fileprivate var isUnknownMethod: Bool {
        guard case .failure(let error) = self else { return false }
        let names = ["UnknownMethod", "UnknownObject", "UnknownInterface"]
        return names.contains { error.remoteName?.rawValue == "org.freedesktop.DBus.Error.\($0)" }
    }
}
