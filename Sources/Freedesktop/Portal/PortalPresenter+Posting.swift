internal import DesktopBus
internal import NotificationModel
internal import Reactor

extension PortalPresenter {
    /// Posts the waiting notifications in their order.
    ///
    /// Each notification waits until the files of the notification before it are read. So the
    /// notifications stay in order.
    func serveHeld() {
        guard unsent.startDraining() else { return }
        Task {
            while unsent.isGoingOn() { await serveNext() }
        }
    }

    private func serveNext() async {
        guard let portal = await knowledge() else {
            await service.startFailed()
            for presentation in unsent.removeAll() { report(presentation, .unavailable) }
            return
        }
        // While the portal was asked, all waiting notifications may have been withdrawn.
        guard let presentation = unsent.waiting.popFirst() else { return }
        let key = presentation.notification.key
        guard presentation.hasPopup else {
            reportSound(of: presentation)
            return report(presentation, .withoutPopup)
        }
        if presentation.isForListOnly, portal.version < 2 {
            // Version 1 cannot list a notification without showing it. Remove the notification that
            // the new one replaces, even if the portal has not answered the replaced post yet.
            for token in pendingTokens(of: key) { pendingPosts[token]?.isWithdrawn = true }
            if posted.remove(key) != nil { remove(key) }
            reportSound(of: presentation)
            return report(presentation, .deliveredSilently)
        }
        let token = presentation.token
        let notification = PortalNotification(
            presentation, for: portal, isUpdate: posted.contains(key), in: language)
        for other in pendingTokens(of: key) { pendingPosts[other]?.replacements.insert(token) }
        pendingPosts[token] = PendingPortalPost(
            presentation: presentation, notification: notification)
        let files = await PortalFiles.read(
            for: notification, version: portal.version, of: key.app, by: files)
        guard let pending = pendingPosts[token], !pending.isWithdrawn else {
            let ended = pendingPosts.removeValue(forKey: token)
            if ended?.removesFormer == true { removeUnlessReplaced(key) }
            return report(presentation, FreedesktopPresenter.withdrawn)
        }
        post(pending, files)
    }

    private func reportSound(of presentation: Presentation) {
        guard let request = PopupSound(of: presentation).request else { return }
        listener?(.sound(presentation.notification.app, request))
    }

    private func post(_ pending: PendingPortalPost, _ files: PortalFiles) {
        var pending = pending
        pending.hasFiles = files.icon != nil || files.sound != nil
        let token = pending.presentation.token
        pendingPosts[token] = pending
        let arguments: [BusValue] = [
            .string(PortalKeys.id(of: pending.key)),
            pending.notification.value(icon: files.icon, soundFile: files.sound),
        ]
        connection.call(
            PortalInterface.call("AddNotification", arguments), timeout: timeouts.answer
        ) { [weak self] result in
            self?.assumeIsolated { $0.postAnswered(token, result) }
        }
    }

    private func postAnswered(_ token: UInt64, _ result: Result<BusReply, BusError>) {
        guard let pending = pendingPosts.removeValue(forKey: token) else { return }
        if case .success = result { crashes.reset(pending.key) }
        if pending.isWithdrawn {
            // Remove the notification even if the call failed: a desktop that answered the portal
            // too late may still show it.
            removeRemains(of: pending)
            return report(pending.presentation, FreedesktopPresenter.withdrawn)
        }
        switch result {
        case .success: postAccepted(pending)
        case .failure(let error): postFailed(pending, error)
        }
    }

    private func postAccepted(_ pending: PendingPortalPost) {
        recordShown(pending)
        lastNumber = lastNumber &+ 1
        // The portal does not know this id; a later run adopts the notification by its key.
        let popup = PresentedPopup(
            id: max(lastNumber, 1), server: "portal",
            isHidden: pending.presentation.isHiddenByLock)
        report(pending.presentation, .presented(popup))
        let sound = PopupSound(of: pending.presentation)
        let request = pending.notification.sound == nil ? sound.request : sound.requestBesidePortal
        if let request { listener?(.sound(pending.key.app, request)) }
    }

    private func postFailed(_ pending: PendingPortalPost, _ error: BusError) {
        let outcome = outcome(of: pending, error)
        // An unanswered notification counts as shown, so the user may respond to it.
        if outcome == .unanswered { recordShown(pending) }
        if case .refused = outcome, !error.isEndOfPortal, pending.hasFiles,
            pending.replacements.isEmpty
        {
            // Some portals refuse the whole notification because of an image or a sound.
            return post(pending, PortalFiles())
        }
        if pending.removesFormer, outcome != .unanswered { removeRemains(of: pending) }
        switch outcome {
        case .interrupted, .later: break
        default: crashes.reset(pending.key)
        }
        report(pending.presentation, outcome)
    }

    /// Records that a post may be on the screen, in place of all earlier posts of its key.
    private func recordShown(_ pending: PendingPortalPost) {
        posted.insert(pending.key)
        for (token, other) in pendingPosts where other.key == pending.key {
            if other.replacements.contains(pending.presentation.token) {
                pendingPosts[token]?.isOutdated = true
            }
            // The former notification is gone, so nothing is left to remove.
            pendingPosts[token]?.removesFormer = false
        }
    }

    private func outcome(of pending: PendingPortalPost, _ error: BusError) -> PresentationOutcome {
        switch error.code {
        case .serviceUnknown: .unavailable
        case _ where error.isEndOfPortal: crashes.outcome(of: pending.key)
        case .timedOut where error.remoteName == nil: .unanswered
        case .cancelled: .unanswered
        case .limitsExceeded: .later(.duplicate)
        default: .refused(PlainText.line(error.description))
        }
    }

    func remove(_ key: NotificationKey) {
        connection.call(
            PortalInterface.call("RemoveNotification", [.string(PortalKeys.id(of: key))])
        ) { _ in }
    }

    /// Removes what a failed or withdrawn post may have left on the screen.
    ///
    /// If the portal has already accepted a later post of the same key, that post stays.
    private func removeRemains(of pending: PendingPortalPost) {
        guard !pending.isOutdated || !posted.contains(pending.key) else { return }
        removeUnlessReplaced(pending.key)
    }

    private func pendingTokens(of key: NotificationKey) -> [UInt64] {
        pendingPosts.filter { $0.value.key == key }.map(\.key)
    }

    /// Removes a notification now, or after the failure of a pending post that replaces it.
    ///
    /// The portal knows a notification only by its key, so a call now could remove the replacement.
    func removeUnlessReplaced(_ key: NotificationKey) {
        let replacements = pendingTokens(of: key).filter { pendingPosts[$0]?.isOutdated == false }
        for token in replacements { pendingPosts[token]?.removesFormer = true }
        guard replacements.isEmpty else { return }
        posted.remove(key)
        remove(key)
    }

    // MARK: The user's actions

    func signalReceived(_ signal: BusSignal) {
        guard signal.sender == owner, let answer = PortalAnswer(arguments: signal.arguments),
            // Ignore every response after the first response to a notification.
            posted.remove(answer.key) != nil
        else { return }
        listener?(.response(answer.key, answer.action, activationToken: answer.activationToken))
        // Some desktops keep a notification to which the user has responded.
        removeUnlessReplaced(answer.key)
    }
}

extension BusError {
    /// Whether the portal, or the bus, ended before the portal answered.
    fileprivate var isEndOfPortal: Bool {
        [.noReply, .disconnected, .connectionFailed, .noBus].contains(code)
    }
}
