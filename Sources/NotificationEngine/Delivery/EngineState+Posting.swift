import NotificationModel
internal import NotificationStore

/// Builds presentations, finds the work that a post needs first, and handles badges.
extension EngineState {
    /// Adds deliveries to the lanes (queues) of their apps, with the options that the apps chose.
    ///
    /// The user may have denied an app while the app or its extension worked on the delivery. Such
    /// a delivery fails.
    mutating func present(_ tokens: [UInt64], options: PresentationOptions) -> [EngineEffect] {
        var denied: [EngineEffect] = []
        let presentations = tokens.compactMap { token -> Presentation? in
            guard let delivery = deliveries[token] else { return nil }
            if let effects = settleIfDenied(token, delivery.app) {
                denied += effects
                return nil
            }
            if options.isBannerAlone { queue.change(token) { $0.claimed.isTransient = true } }
            if options.isSoundAlone { queue.change(token) { $0.isForSoundOnly = true } }
            let badge = badge(of: delivery.claimed, options: options)
            queue.change(token) { $0.badge = badge }
            return presentation(of: delivery.notification, token: token, options: options)
        }
        return denied + present(presentations)
    }

    mutating func present(_ presentations: [Presentation]) -> [EngineEffect] {
        queue.add(presentations.map { ($0, needs(of: $0)) })
    }

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
        presentation.isForSoundOnly = options.isSoundAlone
        presentation.isAwaited = !responses.sessions(waitingFor: notification.key).isEmpty
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
            image: imageForm.flatMap { ImageRequest(for: content, form: $0) },
            soundName: presentation.soundName,
            asksSilence: hasPreferences && content.interruptionLevel == .timeSensitive,
            threadOf: tellsCount ? notification : nil)
    }

    mutating func factsGathered(
        _ token: UInt64, _ facts: PostFacts, now: ClockReading
    ) -> [EngineEffect] {
        queue.factsGathered(token, facts) + advance(now: now)
    }

    /// Updates presentations just before their posts, because values may have changed meanwhile.
    ///
    /// If the user has denied an app during the wait, its notifications fail.
    mutating func beginPosts(
        _ presentations: [Presentation]
    ) -> (posts: [Presentation], denied: [EngineEffect]) {
        var denied: [EngineEffect] = []
        let posts = presentations.compactMap { presentation -> Presentation? in
            var presentation = presentation
            let app = self[presentation.notification.app]
            presentation.application = app.shownIdentity
            guard !presentation.isQuestion else { return presentation }
            guard refusal(of: app.id) == nil else {
                denied += endDenied(presentation)
                return nil
            }
            presentation.previews = app.previews
            presentation.isLocked = !lock.status.isUnlocked
            return presentation
        }
        return (posts, denied)
    }

    /// Ends a post of an app that may not notify; a restored notification stays listed.
    private mutating func endDenied(_ presentation: Presentation) -> [EngineEffect] {
        let token = presentation.token
        let next = queue.postEnded(token)
        if restorations.outcome(of: token, .withoutPopup) { return placeRestored() + next }
        return (settleIfDenied(token, presentation.notification.app) ?? []) + next
    }

    /// Sets the badge of a request, if these options and the app's permission allow that.
    func badge(of claimed: ClaimedRequest, options: PresentationOptions) -> [EngineEffect] {
        guard options.intersection(self[claimed.app].permission.options).contains(.badge),
            let count = claimed.request.content.badge, count >= 0
        else { return [] }
        return [.badge(claimed.app, min(count, Int(Int32.max)))]
    }
}

extension PresentationOptions {
    fileprivate var isBannerAlone: Bool {
        contains(.banner) && isDisjoint(with: [.list, .alert])
    }

    /// Whether only the sound is wanted, without a popup and without a list entry.
    var isSoundAlone: Bool {
        contains(.sound) && isDisjoint(with: [.banner, .list, .alert])
    }
}

extension Presentation {
    /// The name of the sound whose file has to be found; nil if no file is needed.
    fileprivate var soundName: String? {
        guard options.contains(.sound), !isRestored, !isRevealed else { return nil }
        switch notification.request.content.sound?.source {
        case .named(let name), .ringtoneNamed(let name): return name
        case .standard, .ringtone, nil: return nil
        }
    }
}

/// The number of sounds that play for each app; pure.
///
/// The sounds of simultaneous popups play together, as servers play them. In a flood a few sounds
/// are enough: each sound is a process, and the user cannot tell more sounds apart.
struct PlayingSounds {
    static let limit = 4

    private var counts: [ApplicationID: Int] = [:]

    func count(of app: ApplicationID) -> Int { counts[app, default: 0] }

    mutating func beginSound(of app: ApplicationID) -> Bool {
        guard count(of: app) < Self.limit else { return false }
        counts[app, default: 0] += 1
        return true
    }

    mutating func endSound(of app: ApplicationID) {
        let rest = count(of: app) - 1
        counts[app] = rest > 0 ? rest : nil
    }
}
