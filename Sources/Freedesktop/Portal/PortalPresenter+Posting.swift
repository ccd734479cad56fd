internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// From the engine to the portal, and what its answers and signals mean.
extension PortalPresenter {
    /// One at a time as far as the portal, so that a picture which is read overtakes nothing.
    func serveHeld() {
        guard held.begin() else { return }
        Task {
            while held.isGoingOn() { await serveNext() }
        }
    }

    private func serveNext() async {
        guard let portal = await knowledge() else {
            await service.startFailed()
            for presentation in held.removeAll() { report(presentation, .unavailable) }
            return
        }
        // Withdrawn, while the portal was asked.
        guard !held.waiting.isEmpty else { return }
        let presentation = held.waiting.removeFirst()
        let key = presentation.notification.key
        guard presentation.notification.request.content.hasText else {
            if let order = PopupSound(of: presentation).order { listener?(.sound(key.app, order)) }
            return report(presentation, .withoutPopup)
        }
        if presentation.isForListOnly, portal.version < 2 {
            // Version 1 has no way to list quietly; what it replaces must not stay.
            if posted.remove(key) != nil { remove(key) }
            return report(presentation, .listed)
        }
        let token = presentation.token
        var flight = PortalFlight(
            presentation: presentation,
            notification: PortalNotification(
                presentation, for: portal, isUpdate: posted.contains(key)))
        flights[token] = flight
        let files = await PortalFiles.read(
            for: flight.notification, version: portal.version,
            of: presentation.notification.app, by: files)
        flight.isWithdrawn = flights[token]?.isWithdrawn ?? true
        guard !flight.isWithdrawn else {
            flights[token] = nil
            return report(presentation, FreedesktopPresenter.withdrawn)
        }
        post(flight, files)
    }

    private func post(_ flight: PortalFlight, _ files: PortalFiles) {
        var flight = flight
        flight.hasFiles = files.icon != nil || files.sound != nil
        let token = flight.presentation.token
        flights[token] = flight
        let arguments: [BusValue] = [
            .string(PortalKeys.id(of: flight.key)),
            flight.notification.value(icon: files.icon, soundFile: files.sound),
        ]
        connection.call(
            PortalInterface.call("AddNotification", arguments), timeout: pauses.answer
        ) { [weak self] result in
            self?.assumeIsolated { $0.answered(token, result) }
        }
    }

    private func answered(_ token: UInt64, _ result: Result<BusReply, BusError>) {
        guard let flight = flights.removeValue(forKey: token) else { return }
        switch result {
        case .success: taken(flight)
        case .failure(let error): failed(flight, error)
        }
    }

    private func taken(_ flight: PortalFlight) {
        interruptions.forgive(flight.key)
        if flight.isWithdrawn {
            remove(flight.key)
            return report(flight.presentation, FreedesktopPresenter.withdrawn)
        }
        posted.insert(flight.key)
        lastNumber = lastNumber &+ 1
        // A later run takes it over by its key.
        let popup = PresentedPopup(
            id: max(lastNumber, 1), server: "portal",
            isHidden: flight.presentation.isHiddenByLock)
        report(flight.presentation, .presented(popup))
        let sound = PopupSound(of: flight.presentation)
        let order = flight.notification.sound == nil ? sound.order : sound.orderBesidePortal
        if let order { listener?(.sound(flight.key.app, order)) }
    }

    private func failed(_ flight: PortalFlight, _ error: BusError) {
        if flight.isWithdrawn { return report(flight.presentation, FreedesktopPresenter.withdrawn) }
        let outcome = outcome(of: flight, error)
        if case .refused = outcome, flight.hasFiles {
            // Some refuse all of it for a picture or a sound that they cannot take.
            return post(flight, PortalFiles())
        }
        if case .interrupted = outcome {} else { interruptions.forgive(flight.key) }
        report(flight.presentation, outcome)
    }

    private func outcome(of flight: PortalFlight, _ error: BusError) -> PresentationOutcome {
        switch error.code {
        case .serviceUnknown: .unavailable
        case .noReply, .disconnected, .connectionFailed, .noBus:
            interruptions.outcome(of: flight.key)
        case .timedOut where error.remoteName == nil: .unanswered
        case .cancelled: .unanswered
        default: .refused(PlainText.line(error.description))
        }
    }

    func remove(_ key: NotificationKey) {
        // An answer would tell nothing new.
        connection.call(
            PortalInterface.call("RemoveNotification", [.string(PortalKeys.id(of: key))])
        ) { _ in }
    }

    // MARK: What a person does

    func received(_ signal: BusSignal) {
        guard signal.sender == owner, let answer = PortalAnswer(arguments: signal.arguments),
            // The first answer counts.
            posted.remove(answer.key) != nil
        else { return }
        listener?(.response(answer.key, answer.action, activationToken: answer.activationToken))
        // Not every desktop takes away what was answered.
        remove(answer.key)
    }
}
