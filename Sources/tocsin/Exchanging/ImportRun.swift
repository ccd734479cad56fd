internal import NotificationModel
internal import NotificationSchedule

/// Hands imported items to the notification centre, as many as one call takes at a time.
struct ImportRun {
    /// So many are added one by one where one of them is refused; more are parted in two first.
    private static let fewEnough = 8

    private let center: Center
    private let environment: ToolEnvironment
    private let app: ApplicationID?
    private let isPastOK: Bool
    private var provided: [ApplicationID: Set<NotificationCategory>] = [:]
    private var batch = ImportBatch()
    /// How many were taken.
    private(set) var count = 0

    /// Makes a run; `app` takes the place of the apps that items name.
    init(
        to center: Center, for app: ApplicationID?, isPastOK: Bool, in environment: ToolEnvironment
    ) {
        self.center = center
        self.app = app
        self.isPastOK = isPastOK
        self.environment = environment
    }

    /// Whether something was handed over that is not on disk yet.
    var isWaiting: Bool { !batch.entries.isEmpty }

    /// Takes one; when this returns it is on disk.
    mutating func take(_ item: ImportItem) async throws(ToolError) {
        for outcome in try await add(item, size: 0, place: "") + flush() {
            if case .refused(let error) = outcome { throw error }
        }
    }

    /// Hands over one item of so many bytes; what became of it and of those before it is told in
    /// their order, by this call or a later one.
    ///
    /// Throws where nothing more can be taken, as there is no bus.
    mutating func add(
        _ item: ImportItem, size: Int, place: String
    ) async throws(ToolError) -> [ImportOutcome] {
        let app = app ?? item.app ?? .tocsin
        let request: RequestWithFiles
        do throws(ToolError) {
            request = try await prepared(item, of: app)
        } catch {
            guard error.status != .unreachable else { throw error }
            add(error, place: place)
            return []
        }
        let outcomes = batch.admits(request, of: app) ? [] : try await flush()
        batch.append(request, of: app, size: size, place: place)
        // An inbox takes one after another, and has each on disk before the next.
        return batch.isFull || center.waitsForLogin ? outcomes + (try await flush()) : outcomes
    }

    /// Takes note of a line that is no item, which is told in its turn.
    mutating func add(_ error: ToolError, place: String) {
        batch.append(error, place: place)
    }

    /// Brings what was handed over to the disk.
    mutating func flush() async throws(ToolError) -> [ImportOutcome] {
        let entries = batch.entries
        let app = batch.app ?? .tocsin
        batch = ImportBatch()
        let requests = entries.enumerated().compactMap { index, entry in
            (try? entry.item.get()).map { Numbered(number: index, request: $0) }
        }
        let refusals = try await add(requests[...], for: app)
        return entries.enumerated().map { index, entry in
            switch (entry.item, refusals[index]) {
            case (.success(let item), nil):
                count += 1
                return .taken(item.request.identifier)
            case (.success, var error?), (.failure(var error), _):
                error.message = entry.place + error.message
                return .refused(error)
            }
        }
    }

    private struct Numbered {
        var number: Int
        var request: RequestWithFiles
    }

    /// Adds requests, and says of each that is refused why.
    ///
    /// A call takes all or none: where one is refused its halves are tried, down to itself.
    private func add(
        _ requests: ArraySlice<Numbered>, for app: ApplicationID
    ) async throws(ToolError) -> [Int: ToolError] {
        guard let first = requests.first else { return [:] }
        do throws(NotificationError) {
            if requests.count == 1 {
                try await center.service.add(
                    first.request.request, attachments: first.request.files, for: app)
            } else {
                try await center.service.add(requests.map(\.request), for: app)
            }
            return [:]
        } catch {
            let refusal = ToolError(error)
            guard refusal.status != .unreachable else { throw refusal }
            if requests.count == 1 { return [first.number: refusal] }
        }
        let length = requests.count <= Self.fewEnough ? 1 : (requests.count + 1) / 2
        var refusals: [Int: ToolError] = [:]
        for start in stride(from: requests.startIndex, to: requests.endIndex, by: length) {
            let part = requests[start..<min(start + length, requests.endIndex)]
            refusals.merge(try await add(part, for: app)) { $1 }
        }
        return refusals
    }

    /// The request of an item, and what it needs.
    private mutating func prepared(
        _ item: ImportItem, of app: ApplicationID
    ) async throws(ToolError) -> RequestWithFiles {
        var request = item.request
        if case .at(let date) = request.trigger, date <= environment.now {
            guard isPastOK else {
                throw ToolError(
                    .data,
                    "\(request.identifier.quotedForMessage()) is past: "
                        + "\(RFC3339.text(date, zone: environment.zone)). Give it a later date, "
                        + "or add '--past-ok' to be notified now.")
            }
            request.trigger = nil
        }
        do throws(NotificationError) {
            if let category = item.category, !provided[app, default: []].contains(category) {
                try await center.provide(category, of: app, in: environment)
                provided[app, default: []].insert(category)
            }
            let files = try request.content.attachments.map {
                attachment throws(NotificationError) in try OpenFile(path: attachment.path)
            }
            return RequestWithFiles(request, files: files)
        } catch {
            throw ToolError(error)
        }
    }
}
