internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// Who the portal is, and whether it can be had.
extension PortalPresenter {
    /// Before the first notification, or the answer to it might be missed.
    func listen() async {
        do {
            let clicks = MatchRule(
                path: PortalInterface.path, interface: PortalInterface.interface,
                member: "ActionInvoked")
            let installations = MatchRule(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
                member: "ActivatableServicesChanged")
            subscriptions = [
                try await connection.subscribe(clicks) { [weak self] signal in
                    self?.assumeIsolated { $0.received(signal) }
                },
                try await connection.subscribe(installations) { [weak self] _ in
                    self?.assumeIsolated { $0.lookAgain() }
                },
                try await connection.watchOwner(of: PortalInterface.busName) { [weak self] owner in
                    self?.assumeIsolated { $0.ownerChanged(to: owner) }
                },
                try await connection.watchOwner(of: LauncherEntry.dock) { [weak self] owner in
                    self?.assumeIsolated { $0.tell($0.badges.dockChanged(to: owner)) }
                },
            ]
        } catch {
            // There is no bus; `busReturned` tries again.
            subscriptions = []
            announce(false)
        }
    }

    func busReturned() {
        if subscriptions.isEmpty {
            Task { await listen() }
        } else {
            lookAgain()
        }
    }

    private func ownerChanged(to owner: BusName?) {
        guard self.owner == nil || self.owner != owner else { return }
        self.owner = owner
        information = nil
        nextStart?.cancel()
        nextStart = nil
        guard owner != nil else { return lookAgain() }
        announce(true)
    }

    /// Whether the bus would start one.
    private func lookAgain() {
        guard owner == nil else { return }
        Task {
            let isActivatable =
                (try? await connection.isActivatable(PortalInterface.busName)) ?? false
            if owner == nil { announce(isActivatable) }
        }
    }

    /// The version and the options, asked for once; nil where no portal answers.
    func knowledge() async -> PortalInformation? {
        if let information { return information }
        let asked = owner
        do throws(BusError) {
            let answer = try await connection.call(
                PortalInterface.properties, timeout: pauses.portalStart)
            let values = answer.arguments.first?.vardictValue ?? [:]
            let found = PortalInformation(properties: values)
            failedStarts = 0
            // What an earlier one said is not kept.
            if owner != nil, asked == nil || asked == owner { information = found }
            return found
        } catch {
            return nil
        }
    }

    /// As if there were no portal, until one appears or the next start succeeds.
    func startFailed() {
        let pause = pauses.start * (1 << min(failedStarts, Self.doublings))
        failedStarts += 1
        nextStart?.cancel()
        nextStart = reactor.deadline(after: pause) { [weak self] in
            self?.assumeIsolated { presenter in
                if presenter.owner == nil {
                    presenter.lookAgain()
                } else {
                    presenter.announce(true)
                }
            }
        }
        announce(false)
    }

    private func announce(_ isAvailable: Bool) {
        guard isAnnounced != isAvailable else { return }
        isAnnounced = isAvailable
        listener?(isAvailable ? .available : .unavailable)
        // What it keeps nobody can know, so that nothing is shown again.
        if isAvailable { listener?(.met(keepsList: false)) }
    }
}
