internal import Logging
import NotificationModel
internal import NotificationStore

/// Dialogs: for permission where the server draws no buttons, for text where it has no field.
extension CenterEngine {
    /// Shows the dialog of a question; cancelling its task takes it away.
    func showDialog(token: UInt64, _ dialog: Dialog) {
        dialogs[token] = Task {
            let result = await ask(dialog)
            dialogs[token] = nil
            perform(state.permission(asking: token) { $0.dialogEnded(result) } ?? [])
        }
    }

    /// Asks for the text of an action whose button was clicked, where the click brought none.
    ///
    /// Returns false where the action takes no text. The popup is gone. What is typed becomes the
    /// response; who closes the dialog has not answered, and the notification leaves without a
    /// response, unless somebody waits for one, who hears of a dismissal; where no dialog can be shown
    /// the response has no text.
    func askForText(
        _ action: NotificationAction, of notification: DeliveredNotification,
        activationToken: String?
    ) async throws -> Bool {
        guard action.textInput != nil else { return false }
        let key = notification.key
        try await store.forgetPopup(of: key)
        let dialog = TextPrompt.dialog(
            action, of: notification, state[key.app].shownIdentity,
            isHidden: state.hidesTexts(of: key.app))
        let token = state.nextNumber()
        textKeys[token] = key
        dialogs[token] = Task {
            let result = await ask(dialog)
            // Taken away by us: the notification stays delivered.
            if !Task.isCancelled {
                await textEntered(
                    result, for: notification, action.identifier, activationToken)
            }
            dialogs[token] = nil
            textKeys[token] = nil
            somethingEnded()
            perform([])
        }
        return true
    }

    /// A popup has left the screen without an answer; who waits for one is told.
    func left(_ key: NotificationKey) async throws {
        if try await store.popupLeft(key) { changed(.delivered, of: key.app) }
        perform(state.popupGone(key))
    }

    private func textEntered(
        _ result: Result<DialogAnswer, NotificationError>, for notification: DeliveredNotification,
        _ identifier: String, _ token: String?
    ) async {
        let action: NotificationResponse.Action?
        switch result {
        case .success(.accepted(let text)):
            // D-Bus carries no NUL, and what another program printed may have one.
            let scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
            action = .reply(identifier, text: String(String.UnicodeScalarView(scalars)))
        case .success where await hearsDismissal(notification.key): action = .dismiss
        case .success: action = nil
        case .failure(let error):
            Log.engine.warning("an answer has no text: \(error.message)")
            action = .custom(identifier)
        }
        await storeAnswer(action, to: notification, token)
    }

    /// Stores how a dialog was answered; without an action the notification leaves unanswered.
    ///
    /// What cannot be stored is tried again with the notification that was asked about: another may
    /// have its key by then, and nobody is asked twice.
    func storeAnswer(
        _ action: NotificationResponse.Action?, to asked: DeliveredNotification, _ token: String?
    ) async {
        do {
            if let action {
                try await store(action, to: asked.key, token, asked: asked)
            } else {
                try await leave(asked)
            }
        } catch {
            failed(.storeAnswer(asked, action, activationToken: token), error)
        }
    }

    private func leave(_ asked: DeliveredNotification) async throws(NotificationError) {
        let key = asked.key
        guard try await store.notification(key)?.date == asked.date else { return }
        _ = try await store.removeDelivered(.identifiers([key.identifier]), of: key.app)
        changed(.delivered, of: key.app)
        perform(state.waiting(for: key).map { .tellLeft($0, key) })
    }

    /// Whether somebody waits for this answer whose category tells of dismissals.
    private func hearsDismissal(_ key: NotificationKey) async -> Bool {
        guard !state.waiting(for: key).isEmpty,
            let notification = try? await store.notification(key)
        else { return false }
        return state.category(of: notification)?.options.contains(.customDismissAction) ?? false
    }

    private func ask(_ dialog: Dialog) async -> Result<DialogAnswer, NotificationError> {
        do throws(NotificationError) {
            guard let dialogPresenter else { throw Self.noDialogs }
            return .success(try await dialogPresenter.ask(dialog))
        } catch {
            return .failure(error)
        }
    }

    private static let noDialogs = NotificationError(
        .noServer,
        "The notification server cannot ask the person, and this notification centre shows no "
            + "dialogs. Use a server that draws buttons.")
}
