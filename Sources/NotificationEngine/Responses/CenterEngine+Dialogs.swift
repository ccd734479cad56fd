internal import Logging
import NotificationModel
internal import NotificationStore

/// Shows dialogs: for a permission if the server draws no buttons, and for a reply to an action.
extension CenterEngine {
    /// Shows the dialog of a question.
    ///
    /// If the dialog's task is cancelled, the dialog closes.
    func showDialog(token: UInt64, _ dialog: Dialog) {
        dialogs[token] = Task {
            let result = await answer(to: dialog)
            dialogs[token] = nil
            perform(state.permission(asking: token) { $0.dialogEnded(result) } ?? [])
        }
    }

    /// Asks for the reply that an action needs, because the click on its button brought no text.
    ///
    /// Returns false if the action takes no reply. If the notification was removed, no dialog opens.
    /// Call this method after the popup has left the screen.
    ///
    /// The reply becomes the response; if no dialog can be shown, the response has no text.
    ///
    /// A closed dialog is a dismissal if the category has `customDismissAction`, and a session (a
    /// connected process of the app) waits for the response. Otherwise a closed dialog removes the
    /// notification without a response.
    func askForText(
        _ action: NotificationAction, of notification: DeliveredNotification,
        activationToken: String?
    ) async throws -> Bool {
        guard action.textInput != nil else { return false }
        let key = notification.key
        guard try await store.forgetPopup(of: key) else { return true }
        let dialog = TextPrompt.dialog(
            action, of: notification, state[key.app].shownIdentity,
            isHidden: state.hidesTexts(of: key.app))
        let token = state.nextNumber()
        textKeys[token] = key
        dialogs[token] = Task {
            let result = await answer(to: dialog)
            let isAnswered = if case .success(.accepted) = result { true } else { false }
            // The task is cancelled when the engine closes the dialog. A reply that the user sent
            // just before still counts; any other result changes nothing.
            if isAnswered || !Task.isCancelled {
                if case .failure(let error) = result {
                    Log.engine.warning("a response has no text: \(error.message)")
                }
                if let action = state.answer(result, to: action.identifier, of: notification) {
                    await respond(action, to: notification, activationToken)
                } else {
                    await removeUnanswered(notification)
                }
            }
            dialogs[token] = nil
            textKeys[token] = nil
            notifyIdleWaiters()
            perform([])
        }
        return true
    }

    /// Closes the text dialogs of removed notifications: the store keeps no reply to them.
    func closeDialogs(of keys: Set<NotificationKey>) {
        for (token, key) in textKeys where keys.contains(key) { dialogs[token]?.cancel() }
    }

    /// Handles a popup that left the screen without a response.
    ///
    /// Tells the sessions (connected processes of the app) that wait for a response to it, unless a
    /// pending request with this key will still be shown.
    func popupLeft(_ key: NotificationKey) async throws {
        let left = try await store.popupLeft(key)
        if !left.keys.isEmpty { listsChanged(.delivered, of: key.app) }
        for key in left.unawaited { perform(state.popupGone(key)) }
    }

    /// Removes a notification whose text dialog was closed.
    ///
    /// If another notification has the same key by now, that notification stays.
    func removeUnanswered(_ asked: DeliveredNotification) async {
        await retrying(.removeUnanswered(asked)) {
            let removed = try await store.removeDelivered(asked)
            guard !removed.keys.isEmpty else { return }
            listsChanged(.delivered, of: asked.app)
            for key in removed.unawaited { perform(state.popupGone(key)) }
        }
    }

    /// Opens the app's own settings, because the user asked for them from a popup.
    func openSettings(from key: NotificationKey, activationToken: String?) {
        // The popup may belong to a delivery that is not stored yet.
        let shown = state.shownAttempt(key).flatMap { state.deliveries[$0]?.notification }
        inBackground("the opening of the settings of \(key.app)") { engine in
            guard let notification = try await engine.store.notification(key) ?? shown else {
                return
            }
            let effects = engine.state.openSettings(
                for: notification, activationToken: activationToken, now: engine.clock.now())
            engine.perform(effects)
        }
    }

    private func answer(to dialog: Dialog) async -> Result<DialogAnswer, NotificationError> {
        do throws(NotificationError) {
            guard let dialogPresenter else { throw Self.noDialogs }
            return .success(try await dialogPresenter.answer(to: dialog))
        } catch {
            return .failure(error)
        }
    }

    private static let noDialogs = NotificationError(
        .noServer,
        "The notification server cannot ask the user, and this notification centre shows no "
            + "dialogs. Use a server that draws buttons and, for replies, a text field.")
}

/// The dialog that asks for a reply, if the server has no text field; pure.
enum TextPrompt {
    static func dialog(
        _ action: NotificationAction, of notification: DeliveredNotification,
        _ application: ApplicationIdentity, isHidden: Bool
    ) -> Dialog {
        let content = notification.request.content
        let input = action.textInput
        let heading = content.title.isEmpty ? content.body : content.title
        // A window is as visible as a popup, so the dialog hides the notification's texts, too.
        let lines = isHidden ? [action.title] : [heading, input?.placeholder ?? ""]
        let button = input?.buttonTitle ?? ""
        return Dialog(
            .text(accept: button.isEmpty ? action.title : button),
            title: application.name.isEmpty ? action.title : application.name,
            text: lines.filter { !$0.isEmpty }.joined(separator: "\n"))
    }
}
