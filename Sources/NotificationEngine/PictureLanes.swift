import NotificationModel

/// Whose pictures are made when; pure.
///
/// Each app has a lane, in which a popup that needs a picture holds up those behind it: an app's
/// order is kept, and others overtake it. Few pictures are made at a time, and one of an app, so
/// that the lanes take turns.
struct PictureLanes {
    /// What is to be done.
    enum Step: Hashable {
        /// Make a picture and report `ended`.
        case make(token: UInt64, PictureOrder)
        /// Show this.
        case show(Presentation)
    }

    /// How many pictures are made at a time.
    static let limit = 2

    private struct Entry {
        var presentation: Presentation
        var order: PictureOrder?
    }

    private var lanes: [ApplicationID: [Entry]] = [:]
    /// The apps whose next picture waits for room, in order.
    private var turns: [ApplicationID] = []
    /// Whose pictures are being made, by token.
    private var making: [UInt64: ApplicationID] = [:]

    /// A popup comes, which may need a picture.
    mutating func add(_ presentation: Presentation, needing order: PictureOrder?) -> [Step] {
        let app = presentation.notification.app
        if order == nil, lanes[app] == nil { return [.show(presentation)] }
        lanes[app, default: []].append(Entry(presentation: presentation, order: order))
        if lanes[app]?.count == 1 { takeTurn(app) }
        return fill()
    }

    /// A picture was made, or could not be.
    mutating func ended(_ token: UInt64, _ picture: Picture?) -> [Step] {
        guard let app = making.removeValue(forKey: token) else { return [] }
        // It may have been removed meanwhile.
        if lanes[app]?.first?.presentation.token == token {
            lanes[app]?[0].order = nil
            lanes[app]?[0].presentation.picture = picture
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

    /// Shows what needs no picture (any more), up to the next that does.
    private mutating func advance(_ app: ApplicationID) -> [Step] {
        var lane = lanes[app] ?? []
        let count = lane.firstIndex { $0.order != nil } ?? lane.count
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
        while making.count < Self.limit, !turns.isEmpty {
            let app = turns.removeFirst()
            guard let entry = lanes[app]?.first, let order = entry.order else { continue }
            making[entry.presentation.token] = app
            steps.append(.make(token: entry.presentation.token, order))
        }
        return steps
    }
}
