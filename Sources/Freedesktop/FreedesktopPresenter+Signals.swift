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
                listener?(.response(key, action, activationToken: token ?? startupID()))
            case .dismissed(let key):
                listener?(.dismissed(key, isCertain: !forgetsSenders))
            case .expired(let key): listener?(.expired(key))
            case .openSettings(let key, let token):
                listener?(.openSettings(key, activationToken: token ?? startupID()))
            case .close(let id): close(id)
            case .roomMade: listener?(.roomMade)
            case .settleLater(let ticket):
                deadline(after: timeouts.settling) { $0.perform($0.router.settlePopup(ticket)) }
            case .ageLater(let ticket):
                deadline(after: timeouts.glance) { $0.router.popupAged(ticket) }
            }
        }
    }

    private func startupID() -> String? { givesStartupIDs ? startupIDs.next() : nil }

    private var forgetsSenders: Bool {
        guard case .known(let server) = phase else { return false }
        return server.has(.forgetsSenders)
    }

    func close(_ id: UInt32) {
        server?.closeLater(id)
    }
}
