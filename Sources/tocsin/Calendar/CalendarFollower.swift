internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// Keeps the schedule in step with a folder of iCalendar files, until the bus is gone.
struct CalendarFollower {
    private static let events: PathEvents = [.movedIn, .movedOut, .created, .written, .deleted]
    /// Programs that synchronise write many files at once: they are read when no more come.
    private static let quietTime: Duration = .milliseconds(200)
    /// An event with single dates gets more of them each day.
    private static let longestPause: Duration = .seconds(86_400)

    private enum Event: Sendable {
        case changed
        case busLost
    }

    /// The absolute path of the folder, such as one that is kept in step with a server.
    let folder: String
    let center: CenterClient
    let app: ApplicationID
    let onlyAlarms: Bool
    let environment: ToolEnvironment
    /// Says what was done: an identifier, and whether it was added.
    let report: (String, Bool) throws(ToolError) -> Void

    /// Follows the folder; returns only by an error.
    func run() async throws {
        let (events, source) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(4))
        await center.connection.onLoss { source.yield(.busLost) }
        func deadline(after pause: Duration) -> Deadline {
            environment.reactor.deadline(after: pause) { source.yield(.changed) }
        }
        var quiet = deadline(after: .zero)
        // Not the deadline of `quiet`: what changes during a step would be forgotten with it.
        var refresh = deadline(after: Self.longestPause)
        let watch = try watch {
            quiet.cancel()
            quiet = deadline(after: Self.quietTime)
        }
        defer { watch.cancel() }
        for await event in events {
            guard case .changed = event else {
                throw ToolError.unreachable(
                    "The session bus was lost, so the folder is followed no longer. Start it again "
                        + "in a running session.")
            }
            try await step()
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
                    "No inotify instance is free, so changes of the folder are not seen until one "
                        + "is. End programs that watch files.")
            }
            return watch
        } catch {
            throw ToolError.data(
                "The folder \(folder.quotedForMessage()) cannot be watched: \(error). "
                    + "Check the path.")
        }
    }

    /// Makes the schedule say what the files say now.
    func step() async throws {
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
                try await run.take(item)
            } catch {
                let error = ToolError(error)
                guard error.status != .unreachable else { throw error }
                Output.warn(error.text)
                continue
            }
            try report(item.request.identifier, true)
        }
    }

    /// The requests of all files, by name, and what is said of those that cannot be used.
    ///
    /// Others may write into the folder: links are not followed, and a pipe is not waited for.
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
    /// New, or other than before.
    var added: [ImportItem] = []
    /// In no file any more.
    var removed: [String] = []

    /// Compares the folder's items with what waits.
    init(from pending: [NotificationRequest], to items: [ImportItem], folder: String) {
        let own = pending.filter { $0.content.userInfo[ICalendarImport.mark] == .string(folder) }
        let known = Dictionary(own.map { ($0.identifier, $0) }) { $1 }
        added = items.filter { item in
            known[item.request.identifier].map(Self.withoutAge) != Self.withoutAge(item.request)
        }
        let wanted = Set(items.map(\.request.identifier))
        removed = own.map(\.identifier).filter { !wanted.contains($0) }
    }

    /// When it was made says nothing; of a rule's count one is used up each time.
    private static func withoutAge(_ request: NotificationRequest) -> NotificationRequest {
        var request = request
        request.content.userInfo[RequestTag.created] = nil
        return request
    }
}
