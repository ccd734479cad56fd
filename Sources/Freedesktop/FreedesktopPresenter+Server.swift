internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// Who the server is, what it can do, and when it has to be started.
extension FreedesktopPresenter {
    /// How often a server that could not be started is left alone for twice as long.
    private static let doublings = 5

    /// Before the first post, or the answer to it might be missed.
    func listen() async {
        do {
            let signals = MatchRule(
                path: NotificationsInterface.path, interface: NotificationsInterface.interface)
            let installations = MatchRule(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
                member: "ActivatableServicesChanged")
            subscriptions = [
                try await connection.subscribe(signals) { [weak self] signal in
                    self?.assumeIsolated { $0.received(signal) }
                },
                try await connection.subscribe(installations) { [weak self] _ in
                    self?.assumeIsolated { $0.lookAgain() }
                },
                try await connection.watchOwner(of: NotificationsInterface.busName) {
                    [weak self] owner in
                    self?.assumeIsolated { $0.ownerChanged(to: owner) }
                },
                try await connection.watchOwner(of: LauncherEntry.dock) { [weak self] owner in
                    self?.assumeIsolated { $0.dockChanged(to: owner) }
                },
            ]
        } catch {
            // There is no bus; `busReturned` tries again.
            subscriptions = []
            phase = .absent
            announce(false)
            serveHeld()
        }
    }

    func busReturned() {
        if subscriptions.isEmpty {
            Task { await listen() }
        } else {
            lookAgain()
        }
    }

    func ownerChanged(to owner: BusName?) {
        let former = self.owner
        guard former == nil || former != owner else { return }
        let isUnknown = if case .learning = phase { true } else { false }
        if former != nil { serverGone() }
        self.owner = owner
        if owner != nil {
            // What an earlier run left on its screen may be answered before we know it.
            router.posting()
            begin { await $0.meet($1) }
        } else if former != nil, isUnknown {
            // It died before it could say a word: starting it again at once would go on for ever.
            startFailed()
        } else {
            begin { await $0.lookForServer($1) }
        }
    }

    /// Does the next step of getting to know a server; a step begun earlier no longer counts.
    func begin(_ work: @escaping @Sendable (isolated FreedesktopPresenter, Int) async -> Void) {
        step += 1
        phase = .learning
        isRefreshing = false
        nextStart?.cancel()
        nextStart = nil
        learning = Task { [step] in await work(self, step) }
    }

    /// Something has changed that may let the bus start a server.
    private func lookAgain() {
        guard owner == nil else { return }
        switch phase {
        case .absent, .startable: begin { await $0.lookForServer($1) }
        case .learning, .known: break
        }
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
        queue = PostQueue(
            isCareful: found.has(.refusesBursts) || diedWithPosts, pauses: pauses)
        diedWithPosts = false
        know(found)
        adoptPopups(of: found)
        router.postEnded()
        announce(true)
        tellMeeting(with: found)
        sendHeld()
    }

    /// Asks again; a server that does not answer is taken to be as it was.
    private func refresh() {
        isRefreshing = true
        learning = Task { [step] in
            let found = await introduction(patience: .zero)
            guard step == self.step else { return }
            isRefreshing = false
            know(found ?? lastKnown ?? ServerInformation())
            sendHeld()
        }
    }

    private func know(_ server: ServerInformation) {
        phase = .known(server)
        lastKnown = server
        learnedAt = .now
    }

    /// Who the server is and what it can do, or nil if it said neither.
    ///
    /// GNOME's relay owns the name before its object is there: one that does not know a method is
    /// asked again (https://gitlab.gnome.org/GNOME/gnome-shell js/dbusServices/dbusService.js).
    private func introduction(patience: Duration) async -> ServerInformation? {
        guard let owner else { return nil }
        let end = ContinuousClock.now + patience
        while true {
            async let information = ask("GetServerInformation", of: owner)
            async let capabilities = ask("GetCapabilities", of: owner)
            let answers = await [information, capabilities]
            if answers.contains(where: \.isUnknownMethod), .now < end {
                await wait(pauses.export)
                continue
            }
            let (words, abilities) = (try? answers[0].get(), try? answers[1].get())
            guard words != nil || abilities != nil else { return nil }
            return await configured(
                ServerInformation(information: words ?? [], capabilities: abilities ?? []))
        }
    }

    /// What a server can do with the configuration that the session has for it.
    private func configured(_ server: ServerInformation) async -> ServerInformation {
        guard let configuration = server.traits.configuration else { return server }
        let environment = await session()
        let isOn = await files.result(for: server.name, within: pauses.introduction) {
            configuration.isOn(in: environment)
        }
        return server.configured(isOn ?? false)
    }

    private func ask(
        _ member: MemberName, of owner: BusName
    ) async -> Result<[BusValue], BusError> {
        let call = NotificationsInterface.call(member, of: owner)
        do {
            return .success(
                try await connection.call(call, timeout: pauses.introduction).arguments)
        } catch {
            return .failure(error)
        }
    }

    private func wait(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            reactor.deadline(after: duration) { continuation.resume() }
        }
    }

    /// Whether Do Not Disturb is on, where the server says that it tells.
    func isInhibited(_ server: PresenterStatus) async -> Bool? {
        guard let owner, server.capabilities.contains("inhibitions") else { return nil }
        let question = MethodCall(
            destination: owner, path: NotificationsInterface.path,
            interface: "org.freedesktop.DBus.Properties", member: "Get",
            arguments: [
                .string(NotificationsInterface.interface.rawValue), .string("Inhibited"),
            ])
        let answer = try? await connection.call(question, timeout: pauses.introduction)
        return answer?.arguments.first?.unwrapped.boolValue
    }

    /// Listens to what an earlier run left on this server, and tells what is to be shown again.
    ///
    /// What the server takes from senders that leave keeps its id: where it is still there after
    /// all, the same popup is shown again and no second one.
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
        diedWithPosts = diedWithPosts || !flights.isEmpty
        router.serverGone()
        for deadline in laneDeadlines.values { deadline.cancel() }
        laneDeadlines = [:]
        let interrupted = flights.sorted { $0.key < $1.key }.map(\.value)
        flights = [:]
        let unsent = takeDecidedPosts() + queue.serverGone()
        announce(false)
        for flight in interrupted {
            flight.patience?.cancel()
            // One without patience has been reported already.
            if flight.patience != nil { reportInterrupted(flight) }
        }
        for presentation in unsent { report(presentation, .unavailable) }
    }

    private func lookForServer(_ step: Int) async {
        let isActivatable =
            (try? await connection.isActivatable(NotificationsInterface.busName)) ?? false
        guard step == self.step else { return }
        phase = isActivatable ? .startable : .absent
        announce(isActivatable)
        serveHeld()
    }

    func startServer(_ step: Int) async {
        do {
            try await connection.startService(
                NotificationsInterface.busName, timeout: pauses.serverStart)
            // Its coming is told before this answer, and then this step no longer counts.
            _ = try await connection.owner(of: NotificationsInterface.busName)
        } catch {
            // It cannot be started here (no display, say): tried again after a while.
        }
        guard step == self.step else { return }
        startFailed()
    }

    /// Returns when the server is known or cannot be had, and no later than the limit.
    func untilLearned() async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let learned = Task {
            var seen: Int?
            while isLearning, seen != step {
                seen = step
                await learning?.value
            }
            end.finish()
        }
        let deadline = reactor.deadline(after: pauses.serverStart) { end.finish() }
        for await _ in ends {}
        deadline.cancel()
        learned.cancel()
    }

    private var isLearning: Bool {
        if case .learning = phase { true } else { false }
    }

    /// As if there were no server, until one appears or the next start succeeds.
    private func startFailed() {
        step += 1
        phase = .absent
        let pause = pauses.start * (1 << min(failedStarts, Self.doublings))
        failedStarts += 1
        nextStart?.cancel()
        nextStart = reactor.deadline(after: pause) { [weak self] in
            self?.assumeIsolated { $0.lookAgain() }
        }
        announce(false)
        serveHeld()
    }

    func announce(_ isAvailable: Bool) {
        guard isAnnounced != isAvailable else { return }
        isAnnounced = isAvailable
        listener?(isAvailable ? .available : .unavailable)
    }

    // MARK: What waits for a server

    /// Sends what is held, or does what has to be done first.
    func serveHeld() {
        guard !held.isEmpty else { return }
        switch phase {
        case .learning: return
        case .startable: begin { await $0.startServer($1) }
        case .absent:
            for presentation in takeHeld() { report(presentation, .unavailable) }
        case .known:
            guard !isRefreshing else { return }
            guard learnedAt.duration(to: .now) < pauses.knowledge else { return refresh() }
            sendHeld()
        }
    }

    private func sendHeld() {
        for presentation in takeHeld() {
            if !presentation.notification.request.content.hasText {
                // Its former popup may be on its way; the engine closes the one that is there.
                if queue.isInFlight(presentation.notification.key) {
                    perform(queue.enqueue(presentation))
                } else {
                    sound(presentation)
                }
            } else if isForListOnly(presentation) {
                // What it replaces must not stay on the screen with the former text.
                perform(router.withdraw(presentation.notification.key))
                report(presentation, .listed)
            } else {
                perform(queue.enqueue(presentation))
            }
        }
    }

    /// Whether it must not become a popup: elsewhere than on the servers with this quirk a popup of
    /// low urgency is one that a person sees.
    private func isForListOnly(_ presentation: Presentation) -> Bool {
        guard case .known(let server) = phase else { return false }
        return presentation.isForListOnly && !server.has(.listsQuietly)
    }

    private func takeHeld() -> [Presentation] {
        defer { held = [] }
        return held
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
