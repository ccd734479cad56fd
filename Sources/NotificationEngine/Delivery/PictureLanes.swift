import NotificationModel

/// What is made or looked up before a popup can be shown.
struct MediaNeeds: Hashable, Sendable {
    /// The picture to make; nil for none.
    var picture: PictureOrder?
    /// The name of the sound whose file is to be found; nil for none.
    var soundName: String?

    var isEmpty: Bool { picture == nil && soundName == nil }

    /// What came of it.
    struct Result: Hashable, Sendable {
        var picture: Picture?
        var sound: SoundChoice?
    }
}

/// Whose pictures are made, and whose sounds are looked up, when; pure.
///
/// Each app has a lane, in which a popup that needs media holds up those behind it: an app's order
/// is kept, and others overtake it. Few pictures are made at a time, and one of an app, so that the
/// lanes take turns. A sound alone takes none of those places: it is only looked up.
struct PictureLanes {
    /// What is to be done.
    enum Step: Hashable {
        /// Make the media and report `ended`.
        case make(token: UInt64, ApplicationID, MediaNeeds)
        /// Show this.
        case show(Presentation)
    }

    /// How many pictures are made at a time.
    static let limit = 2

    private struct Entry {
        var presentation: Presentation
        var needs: MediaNeeds
    }

    private var lanes: [ApplicationID: [Entry]] = [:]
    /// The apps whose next picture waits for room, in order.
    private var turns: [ApplicationID] = []
    /// Whose media are being made, by token.
    private var making: [UInt64: ApplicationID] = [:]
    /// Of those, the ones that take a picture's place.
    private var pictureTokens: Set<UInt64> = []

    /// A popup comes, which may need media.
    mutating func add(_ presentation: Presentation, needing needs: MediaNeeds) -> [Step] {
        let app = presentation.notification.app
        if needs.isEmpty, lanes[app] == nil { return [.show(presentation)] }
        lanes[app, default: []].append(Entry(presentation: presentation, needs: needs))
        if lanes[app]?.count == 1 { takeTurn(app) }
        return fill()
    }

    /// The media of a popup are made, or could not be.
    mutating func ended(_ token: UInt64, _ made: MediaNeeds.Result) -> [Step] {
        guard let app = making.removeValue(forKey: token) else { return [] }
        pictureTokens.remove(token)
        // It may have been removed meanwhile.
        if lanes[app]?.first?.presentation.token == token {
            lanes[app]?[0].needs = MediaNeeds()
            lanes[app]?[0].presentation.picture = made.picture
            lanes[app]?[0].presentation.sound = made.sound
        }
        return advance(app) + fill()
    }

    /// Forgets these; what waited behind them goes on.
    mutating func remove(_ tokens: Set<UInt64>) -> [Step] {
        let apps = lanes.filter { $0.value.contains { tokens.contains($0.presentation.token) } }
            .keys.sorted { $0.rawValue < $1.rawValue }
        var steps: [Step] = []
        for app in apps {
            lanes[app]?.removeAll { tokens.contains($0.presentation.token) }
            steps += advance(app)
        }
        return steps + fill()
    }

    /// Shows what needs nothing (any more), up to the next that does.
    private mutating func advance(_ app: ApplicationID) -> [Step] {
        var lane = lanes[app] ?? []
        let count = lane.firstIndex { !$0.needs.isEmpty } ?? lane.count
        let shown = lane.prefix(count).map { Step.show($0.presentation) }
        lane.removeFirst(count)
        lanes[app] = lane.isEmpty ? nil : lane
        if !lane.isEmpty { takeTurn(app) }
        return shown
    }

    private mutating func takeTurn(_ app: ApplicationID) {
        if !turns.contains(app), !making.values.contains(app) { turns.append(app) }
    }

    /// Begins as many as there is room for.
    private mutating func fill() -> [Step] {
        var steps: [Step] = []
        var blocked: [ApplicationID] = []
        for app in turns {
            guard let entry = lanes[app]?.first, !entry.needs.isEmpty else { continue }
            let token = entry.presentation.token
            if entry.needs.picture != nil {
                guard pictureTokens.count < Self.limit else {
                    blocked.append(app)
                    continue
                }
                pictureTokens.insert(token)
            }
            making[token] = app
            steps.append(.make(token: token, app, entry.needs))
        }
        turns = blocked
        return steps
    }
}
