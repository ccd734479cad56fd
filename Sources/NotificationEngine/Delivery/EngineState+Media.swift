import NotificationModel
internal import NotificationStore

/// Pictures before a popup, and sounds beside it.
extension EngineState {
    /// Hands these to the presenter, as soon as the picture and the sound of each are known.
    mutating func present(_ presentations: [Presentation]) -> [EngineEffect] {
        presentations.flatMap { presentation in
            let content = presentation.notification.request.content
            let needs = MediaNeeds(
                picture: hasMedia ? PictureOrder(for: content, form: pictureForm) : nil,
                soundName: presentation.soundName)
            return perform(pictures.add(presentation, needing: needs))
        }.joined
    }

    /// The media of a popup are known; a picture that could not be made is shown as its file.
    mutating func mediaEnded(
        _ token: UInt64, _ made: MediaNeeds.Result, now: ClockReading
    ) -> [EngineEffect] {
        perform(pictures.ended(token, made)).joined + pump(now: now)
    }

    /// Ends the flights of these that wait for pictures, unseen.
    mutating func withdrawPictures(
        where isWanted: (Flight) -> Bool
    ) -> [EngineEffect] {
        let tokens = flights.filter { $0.value.stage == .preparing && isWanted($0.value) }.keys
            .sorted()
        guard !tokens.isEmpty else { return [] }
        let settled = tokens.flatMap { settle($0, .returned) }
        return settled + perform(pictures.remove(Set(tokens)))
    }

    private mutating func perform(_ steps: [PictureLanes.Step]) -> [EngineEffect] {
        steps.compactMap { step in
            switch step {
            case .make(let token, let app, let needs):
                return .prepareMedia(token: token, app, needs)
            case .show(let presentation) where presentation.isRestored || presentation.isRevealed:
                return restorations.prepared(presentation.token) ? .present([presentation]) : nil
            case .show(let presentation):
                flights[presentation.token]?.stage = .presenting
                return .present([presentation])
            }
        }
    }

    /// A popup is on the screen whose server plays no sounds.
    ///
    /// While a few of an app's are played, its next popups are silent.
    mutating func soundWanted(_ order: SoundOrder, by app: ApplicationID) -> [EngineEffect] {
        guard hasMedia, !isStopping, sounds.begin(of: app) else { return [] }
        return [.play(app, order)]
    }

    /// A sound of an app has ended.
    mutating func soundEnded(of app: ApplicationID) {
        sounds.end(of: app)
    }
}

extension [EngineEffect] {
    /// The same with what is shown one after another as one.
    fileprivate var joined: [EngineEffect] {
        reduce(into: []) { effects, effect in
            if case .present(let more) = effect, case .present(let shown)? = effects.last {
                effects[effects.count - 1] = .present(shown + more)
            } else {
                effects.append(effect)
            }
        }
    }
}

extension Presentation {
    /// The name of the sound whose file has to be found; nil where none is to be heard.
    fileprivate var soundName: String? {
        guard options.contains(.sound), !isRestored, !isRevealed else { return nil }
        switch notification.request.content.sound?.source {
        case .named(let name), .ringtoneNamed(let name): return name
        case .standard, .ringtone, nil: return nil
        }
    }
}

/// How many sounds of each app are being played; pure.
///
/// Sounds of popups that come together are heard together, as from the servers that play them
/// themselves. Of a flood a few are enough: each more is a process, and none of them can be told apart.
struct PlayingSounds {
    /// How many of one app are heard at a time.
    static let limit = 4

    private var counts: [ApplicationID: Int] = [:]

    /// How many of this app are heard now.
    func count(of app: ApplicationID) -> Int { counts[app, default: 0] }

    /// Begins one more; false where there are enough.
    mutating func begin(of app: ApplicationID) -> Bool {
        guard count(of: app) < Self.limit else { return false }
        counts[app, default: 0] += 1
        return true
    }

    /// One has ended.
    mutating func end(of app: ApplicationID) {
        let rest = count(of: app) - 1
        counts[app] = rest > 0 ? rest : nil
    }
}
