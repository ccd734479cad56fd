internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// Posts notifications to the portal, and handles its answers and signals.
extension PortalPresenter {
    /// Posts one at a time, so that none overtakes another one whose image is still being read.
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
        // All of them were withdrawn while the portal was asked.
        guard !held.waiting.isEmpty else { return }
        let presentation = held.waiting.removeFirst()
        let key = presentation.notification.key
        guard presentation.notification.request.content.hasText else {
            if let order = PopupSound(of: presentation).order { listener?(.sound(key.app, order)) }
            return report(presentation, .withoutPopup)
        }
        if presentation.isForListOnly, portal.version < 2 {
            // Version 1 cannot list quietly; the notification that this one replaces must not stay.
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
        // A later run takes the notification over by its key.
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
            // Some portals refuse the whole notification because of an image or a sound.
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
        // The answer would bring nothing new.
        connection.call(
            PortalInterface.call("RemoveNotification", [.string(PortalKeys.id(of: key))])
        ) { _ in }
    }

    // MARK: The user's actions

    func received(_ signal: BusSignal) {
        guard signal.sender == owner, let answer = PortalAnswer(arguments: signal.arguments),
            // Only the first response counts.
            posted.remove(answer.key) != nil
        else { return }
        listener?(.response(answer.key, answer.action, activationToken: answer.activationToken))
        // Not every desktop removes a notification that has a response.
        remove(answer.key)
    }
}
