internal import DesktopBus
internal import NotificationModel
internal import Reactor

extension FreedesktopPresenter {
    func post(_ presentation: Presentation, mayReplace: Bool = true) {
        guard case .known(let server) = phase, let client = self.server else {
            return report(presentation, .unavailable)
        }
        guard presentation.hasPopup else {
            reportSound(presentation)
            return report(presentation, .withoutPopup)
        }
        // A server without the quirk `listsQuietly` would show a popup, although the app wants only
        // an entry in the list.
        guard !presentation.isForListOnly || server.has(.listsQuietly) else {
            // The former popup must not stay on the screen with its old text, nor appear late.
            closePopups(of: [presentation.notification.key])
            reportSound(presentation)
            return report(presentation, .deliveredSilently)
        }
        var arguments = NotifyArguments(presentation, for: server, in: language)
        if mustPostAnew(presentation, arguments, server) {
            perform(router.withdraw(presentation.notification.key))
        }
        let replaced = mayReplace ? router.id(of: presentation.notification.key) : 0
        arguments.replacesID = replaced
        attempts += 1
        let attempt = attempts
        pendingPosts[attempt] = PendingPost(
            presentation: presentation, replaced: replaced,
            offer: Self.offer(of: arguments, presentation.category, server),
            timeout: deadline(after: timeouts.answer) { $0.timeoutEnded(attempt) },
            isHidden: presentation.isHiddenByLock && !server.has(.hidesWhileLocked))
        router.postStarted(replacing: replaced)
        client.post(arguments, timeout: timeouts.lateAnswer) { [weak self] result in
            self?.assumeIsolated { $0.postAnswered(attempt, result) }
        }
    }

    /// Whether the old popup must be closed before the new one is posted.
    private func mustPostAnew(
        _ presentation: Presentation, _ arguments: NotifyArguments, _ server: ServerInformation
    ) -> Bool {
        let key = presentation.notification.key
        let actions = presentation.category?.actions ?? []
        let losesReplies =
            server.has(.remembersFirstSender) && actions.contains { $0.textInput != nil }
            && router.isOfEarlierRun(key)
        let losesButtons = server.has(.replacesWithoutButtons) && !actions.isEmpty
        let keepsButtons =
            server.has(.keepsFirstButtons) && router.mayDiffer(key, from: arguments.actions)
        return losesReplies || losesButtons || keepsButtons
    }

    private static func offer(
        of arguments: NotifyArguments, _ category: NotificationCategory?,
        _ server: ServerInformation
    ) -> SignalRouter.Offer {
        SignalRouter.Offer(
            actions: arguments.actions,
            replyIdentifier: ActionKeys.inlineReplyAction(of: category, server: server)?
                .identifier,
            cannotExpire: server.has(.expiresWhatIsDismissed) && arguments.expireTimeout == 0,
            isDismissedByZero: server.has(.dismissesWithoutReason),
            isDismissedUnseen: server.has(.dismissesUnseen),
            isDismissedByTimeout: server.has(.dismissesTransient) && arguments.expireTimeout != 0
                && arguments.hints["transient"] == .bool(true))
    }

    private func postAnswered(_ attempt: UInt64, _ result: Result<UInt32, BusError>) {
        // If the server is gone, `serverGone` has removed the post and reported its outcome.
        guard let post = pendingPosts[attempt] else { return }
        switch result {
        case .success(let id): postAccepted(attempt, post, id: id)
        case .failure(let error): postFailed(attempt, post, RefusalTable.verdict(on: error))
        }
    }

    private func postAccepted(_ attempt: UInt64, _ post: PendingPost, id: UInt32) {
        guard endPost(attempt) else { return postAcceptedLate(attempt, post, id: id) }
        crashes.reset(post.key)
        if post.isWithdrawn {
            // Call the router before the report, so that the router forgets the former popup. The
            // report may cause the next post with this key, which must not replace a closed popup.
            let effects = router.postEnded(replacing: post.replaced)
            perform(effects)
            if id != 0, !effects.contains(.close(id)) { close(id) }
            return report(post.presentation, Self.withdrawn)
        }
        guard id != 0 else {
            // The server accepted the post, but shows no popup that could get a response.
            router.postEnded(replacing: post.replaced, isUnanswered: true)
            return report(post.presentation, .unanswered)
        }
        service.assumeIsolated { $0.startSucceeded() }
        // The new popup may have the id of a popup that the user dismissed.
        perform(router.endDismissals(of: post.key))
        let effects =
            router.popupPosted(post.key, id: id, offer: post.offer)
            + router.postEnded(replacing: post.replaced)
        report(
            post.presentation,
            .presented(PresentedPopup(id: id, server: serverName, isHidden: post.isHidden)))
        if case .known(let server) = phase, !server.capabilities.contains("sound") {
            reportSound(post.presentation)
        }
        // The outcome is reported before the effects, which may contain an early response.
        perform(effects)
    }

    private func reportSound(_ presentation: Presentation) {
        guard let request = PopupSound(of: presentation).request else { return }
        listener?(.sound(presentation.notification.app, request))
    }

    /// Handles an answer that came after the timeout.
    ///
    /// The outcome of the post is already reported. The id is still of use: it can close the popup.
    private func postAcceptedLate(_ attempt: UInt64, _ post: PendingPost, id: UInt32) {
        guard id != 0 else { return }
        let shown = router.id(of: post.key)
        // The popup is outdated if the router has a popup that this post did not replace, or if a
        // newer post is pending. But a newer post that replaces this very popup may already have
        // changed its content, so the popup stays.
        let isOutdated =
            shown != 0 && shown != post.replaced
            || pendingPosts.contains {
                $0.key > attempt && $0.value.key == post.key && $0.value.replaced != id
            }
        if post.isWithdrawn || isOutdated {
            if shown != id { close(id) }
        } else {
            perform(router.popupPosted(post.key, id: id, offer: post.offer))
        }
    }

    private func postFailed(
        _ attempt: UInt64, _ post: PendingPost, _ verdict: RefusalTable.Verdict
    ) {
        switch verdict {
        case .lost: return service.assumeIsolated { $0.ownerLost() }
        case .gone(let otherwise): return askWhetherGone(attempt, otherwise: otherwise)
        case .outcome(let outcome):
            guard endPost(attempt) else { return }
            perform(
                router.postEnded(replacing: post.replaced, isUnanswered: outcome == .unanswered))
            if case .refused = outcome, post.replaced != 0, !post.isWithdrawn {
                // Some servers refuse to replace a popup that they forgot, or that another client
                // posted. So post the presentation as a new popup. `popupPosted` closes the former
                // popup when the server accepts the new one.
                return self.post(post.presentation, mayReplace: false)
            }
            if case .later = outcome {} else { crashes.reset(post.key) }
            report(post.presentation, post.isWithdrawn ? Self.withdrawn : outcome)
        }
    }

    /// Asks the bus whether the server is gone.
    ///
    /// If the server is gone, the bus sends NameOwnerChanged before the answer, and that signal
    /// ends the post.
    private func askWhetherGone(_ attempt: UInt64, otherwise verdict: RefusalTable.Verdict) {
        let name = NotificationServer.busName.rawValue
        let question = MethodCall.toBus("GetNameOwner", [.string(name)])
        connection.call(question) { [weak self] _ in
            self?.assumeIsolated { presenter in
                guard let post = presenter.pendingPosts[attempt] else { return }
                presenter.postFailed(attempt, post, verdict)
            }
        }
    }

    private func timeoutEnded(_ attempt: UInt64) {
        guard let post = pendingPosts[attempt] else { return }
        // The post stays pending: a late answer still brings the id.
        pendingPosts[attempt]?.timeout = nil
        perform(router.postEnded(replacing: post.replaced, isUnanswered: true))
        crashes.reset(post.key)
        report(post.presentation, post.isWithdrawn ? Self.withdrawn : .unanswered)
    }

    /// Ends a pending post; the result is false if the post's timeout has passed.
    private func endPost(_ attempt: UInt64) -> Bool {
        guard let timeout = pendingPosts.removeValue(forKey: attempt)?.timeout else { return false }
        timeout.cancel()
        return true
    }
}

/// A call of `Notify` that the server has not answered.
struct PendingPost {
    var presentation: Presentation
    /// The id of the popup to replace; 0 for a new popup.
    var replaced: UInt32
    var offer: SignalRouter.Offer
    /// The deadline of the answer; nil after the deadline has passed.
    var timeout: Deadline?
    /// Whether the popup's texts are hidden until the session is unlocked.
    var isHidden = false
    /// Whether to close the popup when its id arrives.
    var isWithdrawn = false

    var key: NotificationKey { presentation.notification.key }
}
