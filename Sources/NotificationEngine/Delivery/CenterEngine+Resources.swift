internal import Logging
import NotificationModel
internal import NotificationStore
import Reactor

// What an app brings along beside its requests, read when they are due.
//
// Its files lie wherever the app said, perhaps on a file system that hangs. They are read on threads
// of their own; the engine waits for nothing but its deadlines, and no app waits for another.
extension CenterEngine {
    /// How long an app's localisations, or the file of a sound, may take to read.
    private static let resourceTimeout: Duration = .seconds(1)
    /// How long the copy of the files of one request may take.
    private static let copyTimeout: Duration = .seconds(20)

    /// Reads what the desktop file of an app says, unless the app named it itself.
    func readDesktopFile(of app: ApplicationID) {
        guard state[app].identity?.hasDesktopEntry != true else { return }
        let file = desktopFile(app)
        state.change(app) { $0.desktopFile = file }
    }

    /// What is known of an app; nil where it never connected and has no desktop file.
    func identity(of app: ApplicationID) -> ApplicationIdentity? {
        readDesktopFile(of: app)
        return state[app].knownIdentity
    }

    /// The presentations with what desktop files say of their apps at this moment.
    ///
    /// Each file is read once for all presentations of its app.
    func identified(_ batch: [Presentation]) -> [Presentation] {
        for app in Set(batch.map(\.notification.app)) { readDesktopFile(of: app) }
        return batch.map { presentation in
            var presentation = presentation
            presentation.application = state[presentation.notification.app].shownIdentity
            return presentation
        }
    }

    /// Looks up the texts of rows of one app in the user's language.
    func localize(_ rows: [ClaimedRequest], of app: ApplicationID) {
        Task {
            let ready = await localized(rows, of: app)
            perform(state.localized(ready, of: app, now: clock.now()))
        }
    }

    /// The rows with their texts in the user's language, or as their app wrote them.
    func localized(
        _ rows: [ClaimedRequest], of app: ApplicationID
    ) async -> [ClaimedRequest] {
        guard rows.contains(where: \.needsLocalization) else { return rows }
        let resources = AppResources(of: state[app].shownIdentity, in: surroundings)
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

    /// What the named sound of an app turns out to be.
    func sound(named name: String, of app: ApplicationID) async -> SoundChoice {
        let resources = AppResources(of: state[app].shownIdentity, in: surroundings)
        let file = await files.result(for: app.rawValue, within: Self.resourceTimeout) {
            resources.sound(named: name)
        }
        // A name without an extension may be one of the desktop's sound theme, which its server
        // knows.
        guard let found = file ?? nil else {
            return name.contains(".") || name.contains("/") ? .standard : .theme(name)
        }
        return found.isPlayable ? .file(found.path) : .standard
    }

    /// Copies attached files into the vault; those that come too late are removed again.
    func copy(
        _ attachments: [NotificationAttachment], from files: [OpenFile], of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationAttachment] {
        let vault = store.vault
        let result = await self.files.result(for: app.rawValue, within: Self.copyTimeout) {
            Self.stored(attachments, from: files, in: vault)
        } late: { result in
            if case .success(let stored) = result { vault.remove(stored.map(\.path)) }
        }
        guard let result else {
            throw NotificationError(
                .attachmentNotStored,
                "The attachments of \(app) could not be copied: the file system that they lie on "
                    + "does not answer. Copy them to a local disk first.")
        }
        return try result.get()
    }

    private nonisolated static func stored(
        _ attachments: [NotificationAttachment], from files: [OpenFile], in vault: AttachmentVault
    ) -> Result<[NotificationAttachment], NotificationError> {
        do throws(NotificationError) {
            return .success(try vault.store(attachments, from: files))
        } catch {
            return .failure(error)
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
