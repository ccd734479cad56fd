internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// From the queue to the server, and what its answers mean.
extension FreedesktopPresenter {
    /// Does what the queue decided, in a loop: a post that fails at once makes the queue decide
    /// again, for as many posts as there are.
    func perform(_ more: [PostQueue.Effect]) {
        effects.waiting += more
        guard effects.begin() else { return }
        while let effect = effects.next() { perform(effect) }
    }

    /// What the queue decided and was not done yet means nothing without its server.
    func takeDecidedPosts() -> [Presentation] {
        effects.removeAll().compactMap { effect in
            if case .send(let presentation) = effect { presentation } else { nil }
        }
    }

    private func perform(_ effect: PostQueue.Effect) {
        switch effect {
        case .send(let presentation): post(presentation)
        case .backoff(let app, let isWaiting): listener?(.backoff(app, isWaiting: isWaiting))
        case .resume(let app, let pause): resume(app, after: pause)
        case .closeOldest: perform(router.closeOldest())
        }
    }

    private func resume(_ app: ApplicationID, after pause: Duration) {
        laneDeadlines[app]?.cancel()
        // A little more, so that many clients do not return in step.
        let pause = pause * Double.random(in: 1...1.1)
        laneDeadlines[app] = reactor.deadline(after: pause) { [weak self] in
            self?.assumeIsolated { presenter in
                presenter.laneDeadlines[app] = nil
                presenter.perform(presenter.queue.pauseEnded(app))
            }
        }
    }

    private func post(_ presentation: Presentation, mayReplace: Bool = true) {
        guard case .known(let server) = phase, let owner, let client = self.server else {
            return report(presentation, .unavailable)
        }
        guard presentation.notification.request.content.hasText else {
            sound(presentation)
            return perform(queue.ended(presentation))
        }
        if mustPostAnew(presentation, server) {
            perform(router.withdraw(presentation.notification.key))
        }
        let replaced = mayReplace ? router.id(of: presentation.notification.key) : 0
        let arguments = NotifyArguments(presentation, for: server, replacing: replaced)
        attempts += 1
        let attempt = attempts
        flights[attempt] = PostFlight(
            presentation: presentation, owner: owner, replaced: replaced,
            offer: Self.offer(of: arguments, presentation.category, server),
            patience: reactor.deadline(after: pauses.answer) { [weak self] in
                self?.assumeIsolated { $0.patienceEnded(attempt) }
            }, isHidden: presentation.isHiddenByLock && !server.has(.hidesWhileLocked))
        router.posting(replacing: replaced)
        client.post(arguments, timeout: pauses.lateAnswer) { [weak self] result in
            self?.assumeIsolated { $0.answered(attempt, result) }
        }
    }

    /// Whether a popup that is shown for this goes before its successor comes.
    private func mustPostAnew(_ presentation: Presentation, _ server: ServerInformation) -> Bool {
        let actions = presentation.category?.actions ?? []
        let losesReplies =
            server.has(.remembersFirstSender) && actions.contains { $0.textInput != nil }
            && router.isOfEarlierRun(presentation.notification.key)
        return losesReplies || server.has(.replacesWithoutButtons) && !actions.isEmpty
    }

    /// Ends what has no text: it is heard and not seen.
    func sound(_ presentation: Presentation) {
        if let order = PopupSound(of: presentation).order {
            listener?(.sound(presentation.notification.app, order))
        }
        report(presentation, .withoutPopup)
    }

    private static func offer(
        of arguments: NotifyArguments, _ category: NotificationCategory?,
        _ server: ServerInformation
    ) -> SignalRouter.Offer {
        SignalRouter.Offer(
            keys: Set(arguments.actions.map(\.key)),
            replyIdentifier: ActionKeys.inlineReplyAction(of: category, server: server)?
                .identifier,
            cannotExpire: server.has(.expiresWhatIsDismissed) && arguments.expireTimeout == 0,
            isDismissedByZero: server.has(.dismissesWithoutReason),
            isDismissedUnseen: server.has(.dismissesUnseen))
    }

    private func answered(_ attempt: UInt64, _ result: Result<UInt32, BusError>) {
        // Without a flight its server has gone, and it was reported then.
        guard let flight = flights[attempt] else { return }
        switch result {
        case .success(let id): taken(attempt, flight, id: id)
        case .failure(let error): failed(attempt, flight, RefusalTable.verdict(on: error))
        }
    }

    private func taken(_ attempt: UInt64, _ flight: PostFlight, id: UInt32) {
        guard end(attempt) else { return takenLate(flight, id: id) }
        if flight.isWithdrawn {
            // Before the next post of this identifier, which must not replace what is closed.
            let effects = router.postEnded(replacing: flight.replaced)
            perform(effects)
            if id != 0, !effects.contains(.close(id)) { close(id) }
            return finish(flight, Self.withdrawn)
        }
        guard id != 0 else {
            // Taken, but without a popup that could answer.
            router.postEnded(replacing: flight.replaced, isUnanswered: true)
            return finish(flight, .unanswered)
        }
        let effects =
            router.posted(flight.key, id: id, offer: flight.offer)
            + router.postEnded(replacing: flight.replaced)
        report(
            flight.presentation,
            .presented(
                PresentedPopup(id: id, server: serverName, isHidden: flight.isHidden)))
        reportSound(flight.presentation)
        // What a person did may have come before the id; it follows the news of the popup.
        perform(effects)
        service.assumeIsolated { $0.startSucceeded() }
        forgive(flight.key)
        perform(queue.ended(flight.presentation))
    }

    private func reportSound(_ presentation: Presentation) {
        guard case .known(let server) = phase, !server.capabilities.contains("sound"),
            let order = PopupSound(of: presentation).order
        else { return }
        listener?(.sound(presentation.notification.app, order))
    }

    /// It counts as shown since we gave up waiting; now we know where.
    private func takenLate(_ flight: PostFlight, id: UInt32) {
        guard id != 0, router.id(of: flight.key) != id else { return }
        let isOutdated = router.id(of: flight.key) != 0 || queue.isInFlight(flight.key)
        if flight.isWithdrawn || isOutdated {
            close(id)
        } else {
            perform(router.posted(flight.key, id: id, offer: flight.offer))
        }
    }

    private func failed(
        _ attempt: UInt64, _ flight: PostFlight, _ verdict: RefusalTable.Verdict
    ) {
        switch verdict {
        case .lost: return service.assumeIsolated { $0.ownerLost() }
        case .gone(let otherwise): return askWhetherGone(attempt, otherwise: otherwise)
        case .later, .outcome: break
        }
        guard end(attempt) else { return }
        perform(
            router.postEnded(
                replacing: flight.replaced, isUnanswered: verdict == .outcome(.unanswered)))
        if flight.isWithdrawn { return finish(flight, Self.withdrawn) }
        switch verdict {
        case .later where flight.isRecalled: finish(flight, Self.withdrawn)
        case .later(let refusal): perform(queue.refused(flight.presentation, refusal))
        case .outcome(.refused) where flight.replaced != 0:
            // Some servers refuse to replace what they no longer know, or what another client
            // posted: then it is a new popup, and the former one stays until that is there.
            post(flight.presentation, mayReplace: false)
        case .outcome(let outcome): finish(flight, outcome)
        case .gone, .lost: break
        }
    }

    /// The bus tells of a server's end before it answers this, and then the flight has ended.
    private func askWhetherGone(_ attempt: UInt64, otherwise verdict: RefusalTable.Verdict) {
        let question = MethodCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: "GetNameOwner",
            arguments: [.string(NotificationServer.busName.rawValue)])
        connection.call(question) { [weak self] _ in
            self?.assumeIsolated { presenter in
                guard let flight = presenter.flights[attempt] else { return }
                presenter.failed(attempt, flight, verdict)
            }
        }
    }

    private func patienceEnded(_ attempt: UInt64) {
        guard let flight = flights[attempt] else { return }
        // The flight stays: a late answer still tells the id.
        flights[attempt]?.patience = nil
        perform(router.postEnded(replacing: flight.replaced, isUnanswered: true))
        finish(flight, flight.isWithdrawn ? Self.withdrawn : .unanswered)
    }

    /// Ends a flight; false if we have given up waiting for it before.
    private func end(_ attempt: UInt64) -> Bool {
        guard let patience = flights.removeValue(forKey: attempt)?.patience else { return false }
        patience.cancel()
        return true
    }

    private func finish(_ flight: PostFlight, _ outcome: PresentationOutcome) {
        forgive(flight.key)
        report(flight.presentation, outcome)
        perform(queue.ended(flight.presentation))
    }

    // MARK: Servers that die

    func reportInterrupted(_ flight: PostFlight) {
        report(
            flight.presentation,
            flight.isWithdrawn ? Self.withdrawn : interruptions.outcome(of: flight.key))
    }

    private func forgive(_ key: NotificationKey) {
        interruptions.forgive(key)
    }
}
