internal import Foundation
internal import Logging
import NotificationModel
internal import NotificationStore
import Reactor

// Files that apps provide beside their requests.
//
// An app chooses where its files lie, perhaps on a file system that hangs. So other threads read
// its texts and sounds and copy its attachments. The engine waits only until a deadline, and no app
// waits for another app's files. The engine itself reads only desktop files.
extension CenterEngine {
    private static let resourceTimeout: Duration = .seconds(1)
    private static let copyTimeout: Duration = .seconds(20)

    func readDesktopFile(of app: ApplicationID) {
        guard state[app].identity?.hasDesktopEntry != true else { return }
        let file = configuration.desktopFile(app)
        state.change(app) { $0.desktopFile = file }
    }

    /// The known identity of an app; nil if it never connected and has no desktop file.
    func identity(of app: ApplicationID) -> ApplicationIdentity? {
        readDesktopFile(of: app)
        return state[app].knownIdentity
    }

    func localize(_ rows: [ClaimedRequest], of app: ApplicationID) {
        Task {
            let ready = await localized(rows, of: app)
            perform(state.rowsLocalized(ready, of: app, now: clock.now()))
        }
    }

    /// The rows with their texts in the user's language, or as their app wrote them.
    func localized(_ rows: [ClaimedRequest], of app: ApplicationID) async -> [ClaimedRequest] {
        guard rows.contains(where: \.needsLocalization) else { return rows }
        let resources = AppResources(of: state[app].shownIdentity, in: configuration.surroundings)
        let ready = await files.result(for: app.rawValue, within: Self.resourceTimeout) {
            rows.map { $0.localized(by: resources) }
        }
        if ready == nil {
            Log.engine.warning(
                """
                the localisations of \(app) cannot be read, because their file system does not \
                answer: its texts are shown as they are
                """)
        }
        return ready ?? rows
    }

    /// Resolves the named sound of an app to a file, a sound of the theme or the default sound.
    func sound(named name: String, of app: ApplicationID) async -> SoundChoice {
        let resources = AppResources(of: state[app].shownIdentity, in: configuration.surroundings)
        let file = await files.result(for: app.rawValue, within: Self.resourceTimeout) {
            resources.sound(named: name)
        }
        // A name without an extension may be a sound of the desktop's theme; the server knows the
        // theme.
        guard let found = file ?? nil else {
            return name.contains(".") || name.contains("/") ? .standard : .theme(name)
        }
        return found.isPlayable ? .file(found.path) : .standard
    }

    /// Copies the files of a request into the vault, the store's directory of attachments,
    /// and encodes the request with the copies.
    ///
    /// If copying ends after the timeout, or if the request cannot be encoded, the copies are
    /// removed.
    func storeFiles(
        _ files: [OpenFile], of request: inout NotificationRequest,
        from start: FireSchedule.Start? = nil, for app: ApplicationID
    ) async throws(NotificationError) -> Data {
        let (vault, attachments) = (store.vault, request.content.attachments)
        let result = await self.files.result(for: app.rawValue, within: Self.copyTimeout) {
            Result<[NotificationAttachment], NotificationError> { () throws(NotificationError) in
                try vault.store(attachments, from: files)
            }
        } late: { result in
            if case .success(let stored) = result { vault.remove(stored.map(\.path)) }
        }
        guard let result else {
            throw NotificationError(
                .attachmentNotStored,
                "The attachments of \(app) could not be copied: the file system that they lie on "
                    + "does not answer. Copy them to a local disk first.")
        }
        request.content.attachments = try result.get()
        do throws(NotificationError) {
            return try RequestCheck.payload(of: request, from: start)
        } catch {
            vault.remove(request.content.attachments.map(\.path))
            throw error
        }
    }
}

extension ClaimedRequest {
    var needsLocalization: Bool { request.content.localization != nil }

    fileprivate func localized(by resources: AppResources) -> ClaimedRequest {
        guard needsLocalization else { return self }
        var localized = self
        localized.request.content = resources.localized(request.content)
        do throws(NotificationError) {
            localized.payload = try PayloadCoding.encode(localized.request, isMutable: isMutable)
            return localized
        } catch {
            Log.engine.warning("texts of \(app) are not localized: \(error.message)")
            return self
        }
    }
}
