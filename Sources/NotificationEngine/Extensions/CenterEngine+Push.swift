internal import Foundation
internal import Logging
public import NotificationModel
internal import NotificationStore
internal import Reactor

// Remote notifications and the service extensions that change them.
extension CenterEngine {
    /// Stores a remote notification, and returns when it is on disk.
    ///
    /// Returns the identifier of the request; nil if the push has no text to show.
    ///
    /// - Throws: `invalidArgument` if the payload or a header cannot be used, or if no app is
    ///   named. `limitReached` beyond a quota or the rate limit. `noSpace` or `storeUnavailable` if
    ///   the store fails.
    public func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) async throws(NotificationError) -> String? {
        let push = try PushPayload(payload)
        return try await accept(push, headers.completed(by: push.headers), for: app).identifier
    }

    /// Stores a remote notification, unless the same message was received before.
    ///
    /// Returns whether the message is new, and the identifier of the request; the identifier is nil
    /// if the push has no text to show.
    func accept(
        _ push: PushPayload, _ headers: PushHeaders, for app: ApplicationID?,
        message: ReceivedMessage? = nil
    ) async throws(NotificationError) -> (isNew: Bool, identifier: String?) {
        try headers.check()
        let app = try Self.target(of: push, or: app)
        let identifier = headers.collapseIdentifier ?? UUID().uuidString
        if !push.showsAlert {
            Log.engine.info("a push for \(app) has no text to show")
            guard push.content.sound != nil else {
                var isNew = true
                if let message { isNew = try await store.recordMessage(message, of: app) }
                if isNew, let count = push.content.badge { show(badge: count, ifAllowedFor: app) }
                return (isNew, nil)
            }
        }
        let now = clock.now()
        var request = NotificationRequest(
            identifier: identifier, content: push.content, trigger: .push)
        request.content.interruptionLevel = headers.level(push.content.interruptionLevel)
        request.grace = headers.grace(now: now.wall)
        let payload = try RequestCheck.payload(
            of: request, isMutable: push.isMutable && push.showsAlert)
        try await admit(app)
        try checkRate(of: app, now: now)
        let due = DueTime(wall: now.wall, boot: now.boot)
        let addition = Self.addition(request, payload, due: due, for: app)
        let isNew = try await submit(for: app, message: message) {
            () throws(NotificationError) in [addition]
        }
        return (isNew, push.showsAlert ? identifier : nil)
    }

    private static func target(
        of push: PushPayload, or app: ApplicationID?
    ) throws(NotificationError) -> ApplicationID {
        if let app { return app }
        guard let target = push.target else {
            throw NotificationError(
                .invalidArgument,
                "The push names no app. Name one in the call, or in the payload's key 'Simulator "
                    + "Target Bundle'.")
        }
        return try ApplicationID(target)
    }

    /// Sets whether the session's service extension gets the pushed notifications of its app.
    public func setExtendsPushes(_ extends: Bool, in session: ServiceSession) async {
        state.responses.change(session) { $0.extendsPushes = extends }
    }

    /// Takes the service extension's result for a pushed notification; only the first result
    /// counts.
    ///
    /// - Throws: `invalidArgument` or an attachment error if the result cannot be used; the
    ///   original is then shown.
    public func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError) {
        guard state.extensionAnswered(token, of: app) else { return }
        var result: ClaimedRequest?
        defer { perform(state.contentExtended(token, to: result)) }
        // An extension must not remove a notification: content without a text counts as no result.
        guard let content, content.content.hasText,
            let original = state.deliveries[token.rawValue]?.claimed
        else { return }
        result = try await revised(original, with: content)
    }

    /// Returns the row with the extension's content, and copies the extension's files into the
    /// store.
    private func revised(
        _ claimed: ClaimedRequest, with extended: ExtendedContent
    ) async throws(NotificationError) -> ClaimedRequest {
        var revised = claimed
        revised.request.content = extended.content
        revised.isMutable = false
        revised = await localized([revised], of: revised.app).first ?? revised
        revised.payload = try RequestCheck.payload(of: revised.request)
        if !extended.content.attachments.isEmpty || !extended.attachments.isEmpty {
            revised.payload = try await storeFiles(
                extended.attachments, of: &revised.request, for: claimed.app)
        }
        return revised
    }

    // MARK: Effects

    func extend(_ token: ExtensionToken, _ request: NotificationRequest, of app: ApplicationID) {
        Task {
            do throws(NotificationError) {
                let content = try await configuration.extensions?.extend(
                    request, of: app, as: token)
                try await finishExtension(token, of: app, with: content)
            } catch {
                Log.engine.warning(
                    "the service extension of \(app) failed, the original is shown: \(error)")
                try? await finishExtension(token, of: app, with: nil)
            }
        }
    }

    func revise(_ token: ExtensionToken, _ claimed: ClaimedRequest) {
        Task {
            await retrying(.revise(token, claimed)) {
                var revised = claimed
                if claimed.isMutable {
                    // The extension gave no result, so the original is shown. Clear `isMutable`, so
                    // that the extension does not run again after a crash.
                    revised.isMutable = false
                    revised.payload = try PayloadCoding.encode(claimed.request)
                }
                do throws(NotificationError) {
                    let isThere = try await store.revise(revised)
                    perform(state.rowRevised(token, revised, isThere: isThere, now: clock.now()))
                } catch {
                    // If the extension's files exceed a limit, a retry cannot succeed.
                    guard error.code == .limitReached, !claimed.isMutable else { throw error }
                    Log.engine.warning(
                        """
                        the result of the service extension of \(claimed.app) is not kept, the \
                        original is shown: \(error.message)
                        """)
                    store.vault.remove(claimed.files)
                    perform(state.contentExtended(token, to: nil))
                }
            }
        }
    }
}
