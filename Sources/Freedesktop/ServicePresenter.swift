internal import DesktopBus
internal import Reactor

/// A presenter that follows one service of the bus, the signals of that service, and the docks.
protocol ServicePresenter: ReactorActor {
    /// The signals of the service about notifications.
    ///
    /// The rule names the service, so that the bus delivers no signals of other programs.
    static var signals: MatchRule { get }
    var connection: BusConnection { get }
    var service: ServiceFollower { get }
    /// The subscriptions to the signals and to the dock; empty until `listen` has succeeded.
    var subscriptions: [BusSubscription] { get set }
    var badges: LauncherBadges { get set }
    var timeouts: ServerTimeouts { get }
    func signalReceived(_ signal: BusSignal)
    func availabilityChanged(to availability: ServiceAvailability?)
}

extension ServicePresenter {
    /// Starts to follow, and starts again whenever the bus is back.
    func follow() async {
        await connection.onStateChange { [weak self] state in
            guard case .connected = state else { return }
            self?.assumeIsolated { $0.busReturned() }
        }
        await listen()
    }

    /// Subscribes before the first post, so that no response to that post is missed.
    private func listen() async {
        do throws(BusError) {
            subscriptions = [
                try await connection.subscribe(Self.signals) { [weak self] signal in
                    self?.assumeIsolated { $0.signalReceived(signal) }
                },
                try await connection.watchOwner(of: LauncherEntry.dock) { [weak self] owner in
                    self?.assumeIsolated {
                        $0.connection.sendBadges($0.badges.dockChanged(to: owner))
                    }
                },
            ]
            try await service.follow { [weak self] availability in
                self?.assumeIsolated { $0.availabilityChanged(to: availability) }
            }
        } catch {
            subscriptions = []
            availabilityChanged(to: .absent)
            // If the bus is lost, `busReturned` tries again. Otherwise the bus refused a rule, for
            // example because the programs of the user have too many rules.
            guard error.code != .disconnected else { return }
            deadline(after: timeouts.start) { presenter in
                guard presenter.subscriptions.isEmpty else { return }
                Task { await presenter.listen() }
            }
        }
    }

    private func busReturned() {
        if subscriptions.isEmpty {
            Task { await listen() }
        } else {
            service.assumeIsolated { $0.refresh() }
        }
    }
}
