import NotificationModel

/// Pictures before a popup, and sounds beside it.
extension EngineState {
    /// Hands these to the presenter, as soon as the pictures of each are made.
    mutating func present(_ presentations: [Presentation]) -> [EngineEffect] {
        let orders = presentations.map { presentation in
            let content = presentation.notification.request.content
            return hasMedia ? PictureOrder(for: content, form: pictureForm) : nil
        }
        return zip(presentations, orders).reduce(into: []) { effects, next in
            effects += perform(pictures.add(next.0, needing: next.1))
        }.joined
    }

    /// A picture was made, or could not be: then the server is given the file.
    mutating func pictureEnded(
        _ token: UInt64, _ picture: Picture?, now: ClockReading
    ) -> [EngineEffect] {
        perform(pictures.ended(token, picture)).joined + pump(now: now)
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
            case .make(let token, let order): return .makePicture(token: token, order)
            case .show(let presentation) where presentation.isRestored || presentation.isRevealed:
                return restorationPrepared(presentation.token) ? .present([presentation]) : nil
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
