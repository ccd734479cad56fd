internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// Updates the schedule from a folder of iCalendar files as long as there is a bus.
///
/// After each update, the requests from the folder match the files in it. The follower warns about
/// events that it cannot import. It never changes a request of another source, and never follows
/// links in the folder.
struct CalendarFollower {
    private static let events: PathEvents = [.movedIn, .movedOut, .created, .written, .deleted]
    /// An update begins after this time without a change, because programs that synchronise write
    /// many files at once.
    private static let quietTime: Duration = .milliseconds(200)
    /// An update runs at least daily: as dates pass, it adds the dates that the import limit left
    /// out before.
    private static let longestPause: Duration = .seconds(86_400)

    private enum Event: Sendable {
        case changed
        case busLost
    }

    /// The absolute path of the folder.
    let folder: String
    let center: CenterClient
    let app: ApplicationID
    let onlyAlarms: Bool
    let environment: ToolEnvironment
    /// Reports a change: the identifier of a request; true if it was added, false if removed.
    let report: (String, Bool) throws(ToolError) -> Void

    /// Follows the folder; it ends only with an error.
    func run() async throws {
        let (events, source) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(4))
        await center.connection.onLoss { source.yield(.busLost) }
        func deadline(after pause: Duration) -> Deadline {
            environment.reactor.deadline(after: pause) { source.yield(.changed) }
        }
        var quiet = deadline(after: .zero)
        // Each update restarts `refresh`. If it restarted `quiet` instead, a change that came
        // during the update would be lost.
        var refresh = deadline(after: Self.longestPause)
        let watch = try watch {
            quiet.cancel()
            quiet = deadline(after: Self.quietTime)
        }
        defer { watch.cancel() }
        for await event in events {
            guard case .changed = event else {
                throw ToolError.unreachable(
                    "The session bus was lost, so the folder is followed no longer. Run the "
                        + "command again in a running session.")
            }
            try await updateSchedule()
            refresh.cancel()
            refresh = deadline(after: Self.longestPause)
        }
    }

    private func watch(_ changed: @escaping () -> Void) throws(ToolError) -> PathWatch {
        do throws(SystemFailure) {
            let watch = try environment.reactor.watch(folder: folder, for: Self.events) { _ in
                changed()
            }
            if !watch.isFollowing {
                Output.warn(
                    "No inotify instance is free; until an instance is free, changes of the folder "
                        + "are not seen. End programs that watch files.")
            }
            return watch
        } catch {
            throw ToolError.data(
                "The folder \(folder.quotedForMessage()) cannot be watched: \(error). "
                    + "Check the path.")
        }
    }

    func updateSchedule() async throws {
        var environment = environment
        environment.now = ToolEnvironment.now()
        let (items, errors) = try items(
            of: ICalendarImport(
                environment: environment, withoutAlarms: !onlyAlarms, source: folder))
        for error in errors { Output.warn(error.text) }
        let pending = try await center.requests.pending(of: app).map(\.request)
        let change = FolderChange(from: pending, to: items, folder: folder)
        if !change.removed.isEmpty {
            try await center.requests.removePending(.identifiers(change.removed), of: app)
        }
        for identifier in change.removed { try report(identifier, false) }
        var run = ImportRun(to: center, by: ImportRules(app: app), in: environment)
        for item in change.added {
            do {
                try await run.importItem(item)
            } catch {
                let error = ToolError(error)
                guard error.status != .unreachable else { throw error }
                Output.warn(error.text)
                continue
            }
            try report(item.request.identifier, true)
        }
    }

    /// The requests of all files, in order of the file names, and the errors about unusable files.
    ///
    /// Other users may write into the folder, so this follows no links and reads no pipes.
    private func items(
        of calendar: ICalendarImport
    ) throws(ToolError) -> (items: [ImportItem], errors: [ToolError]) {
        guard let names = Directory.names(in: folder)?.sorted() else {
            throw ToolError.data(
                "The folder \(folder.quotedForMessage()) cannot be read: "
                    + "\(String(cString: strerror(errno))). Check the path.")
        }
        var result: (items: [ImportItem], errors: [ToolError]) = ([], [])
        for name in names where name.lowercased().hasSuffix(".ics") && !name.hasPrefix(".") {
            let file = folder + "/" + name
            switch UserFile.read(file, limit: Limits.calendar, followsLink: false) {
            case .bytes(let bytes):
                let (items, errors) = calendar.items(of: String(decoding: bytes, as: UTF8.self))
                result.items += items
                result.errors += errors
            case .missing: continue
            case .unusable(let reason):
                result.errors.append(
                    ToolError.data(
                        "\(file.quotedForMessage()) is left out: \(reason). Put a regular file "
                            + "there."))
            }
        }
        return result
    }
}

/// The changes that make the schedule equal to a folder; pure.
struct FolderChange: Hashable {
    var added: [ImportItem] = []
    var removed: [String] = []

    init(from pending: [NotificationRequest], to items: [ImportItem], folder: String) {
        let own = pending.filter { $0.content.userInfo[ICalendarImport.mark] == .string(folder) }
        let known = Dictionary(own.map { ($0.identifier, $0) }) { $1 }
        added = items.filter { item in
            known[item.request.identifier].map(Self.withoutAge) != Self.withoutAge(item.request)
        }
        let wanted = Set(items.map(\.request.identifier))
        removed = own.map(\.identifier).filter { !wanted.contains($0) }
    }

    /// Removes the creation time, because a new creation time alone is no change.
    private static func withoutAge(_ request: NotificationRequest) -> NotificationRequest {
        var request = request
        request.content.userInfo[RequestTag.created] = nil
        return request
    }
}
