import NotificationModel

// What an app brings along beside its requests, read when they are due.
extension CenterEngine {
    /// The rows with their texts in the person's language.
    func localized(_ rows: [ClaimedRequest]) async -> [ClaimedRequest] {
        guard rows.contains(where: { $0.request.content.localization != nil }) else { return rows }
        let resources = resources(of: rows.map(\.app))
        return await Self.localized(rows, by: resources)
    }

    /// The presentations with the files of their sounds.
    func audible(_ batch: [Presentation]) async -> [Presentation] {
        guard batch.contains(where: { Self.soundName(of: $0) != nil }) else { return batch }
        let resources = resources(of: batch.map(\.application.id))
        return await Self.audible(batch, by: resources)
    }

    private func resources(of apps: [ApplicationID]) -> [ApplicationID: AppResources] {
        var result: [ApplicationID: AppResources] = [:]
        for app in apps where result[app] == nil {
            result[app] = AppResources(of: state.identity(of: app), in: surroundings)
        }
        return result
    }

    /// Off the actor: files are read.
    @concurrent
    private nonisolated static func localized(
        _ rows: [ClaimedRequest], by resources: [ApplicationID: AppResources]
    ) async -> [ClaimedRequest] {
        rows.map { row in
            guard row.request.content.localization != nil, let resources = resources[row.app]
            else { return row }
            var localized = row
            localized.request.content = resources.localized(row.request.content)
            let payload = try? PayloadCoding.encode(localized.request, isMutable: row.isMutable)
            localized.payload = payload ?? row.payload
            return localized
        }
    }

    @concurrent
    private nonisolated static func audible(
        _ batch: [Presentation], by resources: [ApplicationID: AppResources]
    ) async -> [Presentation] {
        batch.map { presentation in
            guard let name = soundName(of: presentation) else { return presentation }
            var audible = presentation
            let file = resources[presentation.application.id]?.sound(named: name)
            audible.sound = Self.sound(named: name, found: file)
            return audible
        }
    }

    /// A name without an extension may be one of the desktop's sound theme, which its server knows.
    private nonisolated static func sound(named name: String, found: SoundFile?) -> SoundChoice {
        guard let found else { return name.contains(".") ? .standard : .theme(name) }
        return found.isPlayable ? .file(found.path) : .standard
    }

    private nonisolated static func soundName(of presentation: Presentation) -> String? {
        guard presentation.options.contains(.sound) else { return nil }
        switch presentation.notification.request.content.sound?.source {
        case .named(let name), .ringtoneNamed(let name): return name
        case .standard, .ringtone, nil: return nil
        }
    }
}
