import NotificationModel
internal import NotificationStore

/// What popups show, what they need before, and what is heard beside them.
extension EngineState {
    /// Sends deliveries to their lanes, shown as their apps want it.
    mutating func present(_ tokens: [UInt64], options: PresentationOptions) -> [EngineEffect] {
        let presentations = tokens.compactMap { token -> Presentation? in
            guard let notification = deliveries[token]?.notification else { return nil }
            if options.isBannerAlone { queue.change(token) { $0.claimed.isTransient = true } }
            setBadge(of: token, options: options)
            return presentation(of: notification, token: token, options: options)
        }
        return present(presentations)
    }

    /// Sends these to their lanes.
    mutating func present(_ presentations: [Presentation]) -> [EngineEffect] {
        var steps: [DeliveryQueue.Effect] = []
        for presentation in presentations {
            steps += queue.add(presentation, needing: needs(of: presentation))
        }
        return perform(steps)
    }

    /// What the presenter is told of a notification.
    func presentation(
        of notification: DeliveredNotification, token: UInt64, options: PresentationOptions
    ) -> Presentation {
        let app = notification.app
        var notification = notification
        if options.isBannerAlone { notification.request = notification.request.transient }
        var presentation = Presentation(
            token: token, notification: notification, application: self[app].shownIdentity,
            category: category(of: notification),
            options: options.intersection(self[app].permission.options))
        presentation.isForListOnly = options.isDisjoint(with: [.banner, .alert])
        presentation.isAwaited = !responses.sessions(
            waitingFor: notification.key
        ).isEmpty
        presentation.offersSettings =
            self[app].permission.record?.options.contains(.providesAppNotificationSettings) ?? false
        return presentation
    }

    private func needs(of presentation: Presentation) -> PostNeeds {
        let notification = presentation.notification
        let content = notification.request.content
        let placeholder = presentation.category?.hiddenPreviewsBodyPlaceholder ?? ""
        let tellsCount = !presentation.isQuestion && placeholder.contains("%u")
        return PostNeeds(
            picture: hasMedia ? PictureOrder(for: content, form: pictureForm) : nil,
            soundName: presentation.soundName,
            asksSilence: hasPreferences && content.interruptionLevel == .timeSensitive,
            threadOf: tellsCount ? notification : nil)
    }

    /// What a popup needed is known, as far as it could be had.
    mutating func gathered(
        _ token: UInt64, _ facts: PostFacts, now: ClockReading
    ) -> [EngineEffect] {
        perform(queue.gathered(token, facts)) + advance(now: now)
    }

    /// Turns what the queue decided into effects, with what is shown one after another as one.
    mutating func perform(_ steps: [DeliveryQueue.Effect]) -> [EngineEffect] {
        var effects: [EngineEffect] = []
        var shown: [Presentation] = []
        for step in steps {
            if case .post(let presentation) = step,
                !presentation.comesBack || restorations.prepared(presentation.token)
            {
                shown.append(previewed(presentation))
                continue
            }
            if !shown.isEmpty { effects.append(.present(shown)) }
            shown = []
            switch step {
            case .gather(let token, let app, let needs):
                effects.append(.gather(token: token, app, needs))
            case .closeOldest: effects.append(.closeOldest)
            case .post(let presentation): effects += perform(queue.ended(presentation.token))
            }
        }
        return shown.isEmpty ? effects : effects + [.present(shown)]
    }

    // MARK: Badges

    /// Notes the number that the delivery puts on the app's icon.
    mutating func setBadge(of token: UInt64, options: PresentationOptions) {
        guard let delivery = deliveries[token], options.contains(.badge),
            self[delivery.app].permission.options.contains(.badge)
        else { return }
        queue.change(token) { $0.badge = $0.notification.request.content.badge }
    }

    /// Puts the number on the app's icon, where there is one.
    func badge(of token: UInt64) -> [EngineEffect] {
        guard let delivery = deliveries[token], let count = delivery.badge, count >= 0 else {
            return []
        }
        return [.badge(delivery.app, min(count, Int(Int32.max)))]
    }

    // MARK: Sounds

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

extension PresentationOptions {
    /// Whether a popup is wanted, and no place in a list after it.
    fileprivate var isBannerAlone: Bool {
        contains(.banner) && isDisjoint(with: [.list, .alert])
    }
}

extension Presentation {
    /// Whether it was on the screen before.
    fileprivate var comesBack: Bool { isRestored || isRevealed }

    /// The name of the sound whose file has to be found; nil where none is to be heard.
    fileprivate var soundName: String? {
        guard options.contains(.sound), !comesBack else { return nil }
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
