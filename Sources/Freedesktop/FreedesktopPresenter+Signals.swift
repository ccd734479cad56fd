internal import DesktopBus
internal import NotificationModel
internal import Reactor

extension FreedesktopPresenter {
    func signalReceived(_ signal: BusSignal) {
        guard let owner, signal.sender == owner,
            let (id, meaning) = NotificationServer.meaning(of: signal)
        else { return }
        perform(router.signalReceived(meaning, for: id))
    }

    func perform(_ effects: [SignalRouter.Effect]) {
        for effect in effects {
            switch effect {
            case .respond(let key, let action, let token):
                let token = token ?? (givesStartupIDs ? startupIDs.next() : nil)
                listener?(.response(key, action, activationToken: token))
            case .dismissed(let key):
                listener?(.dismissed(key, isCertain: !forgetsSenders))
            case .expired(let key): listener?(.expired(key))
            case .openSettings(let key): listener?(.openSettings(key))
            case .close(let id): close(id)
            case .roomMade: listener?(.roomMade)
            case .settleLater(let ticket): settleLater(ticket)
            case .ageLater(let ticket): ageLater(ticket)
            }
        }
    }

    private var forgetsSenders: Bool {
        guard case .known(let server) = phase else { return false }
        return server.has(.forgetsSenders)
    }

    private func settleLater(_ ticket: SignalRouter.Ticket) {
        reactor.deadline(after: timeouts.settling) { [weak self] in
            self?.assumeIsolated { $0.perform($0.router.settlePopup(ticket)) }
        }
    }

    private func ageLater(_ ticket: SignalRouter.Ticket) {
        reactor.deadline(after: timeouts.glance) { [weak self] in
            self?.assumeIsolated { $0.router.popupAged(ticket) }
        }
    }

    func close(_ id: UInt32) {
        // The answer is ignored: some servers return an error for a popup that is closed already.
        server?.closeLater(id)
    }
}
