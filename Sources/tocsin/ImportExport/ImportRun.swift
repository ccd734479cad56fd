internal import NotificationModel
internal import NotificationSchedule

/// The options that decide what an import may do.
struct ImportRules: Hashable {
    /// The app for which all items are imported; nil to use the app that each item names.
    var app: ApplicationID?
    /// Whether an item may name another app than the tool.
    var allowsAllApps = false
    /// Whether the commands of items are imported, so that clicks run them.
    var takesCommands = false
    /// Whether a request with a past date is shown now; otherwise it is an error.
    var isPastOK = false

    func app(of item: ImportItem) throws(ToolError) -> ApplicationID {
        if let app { return app }
        guard let named = item.app, named != .tocsin else { return .tocsin }
        guard allowsAllApps else {
            throw ToolError.data(
                "\(item.request.identifier.quotedForMessage()) is a request of the app "
                    + "\(named.rawValue.quotedForMessage()). Add '--all-apps' to import requests of "
                    + "other apps, or '--app' to import all requests for one app.")
        }
        return named
    }
}

/// Adds imported items to the notification centre, in batches.
///
/// Up to two calls are in flight, and they never share an identifier. So if two items have the same
/// identifier, the later item replaces the earlier item.
///
/// A run returns an outcome for each item, in order: an identifier means that the request is on
/// disk. A run never lets a calendar's item replace a request of another source.
struct ImportRun {
    /// After a refusal, a batch of at most this many requests is retried request by request.
    ///
    /// A larger batch is retried in halves.
    private static let fewEnough = 8
    /// The most calls in flight: the daemon decodes one call while it stores the other.
    private static let maximumCalls = 2

    private struct Call {
        let identifiers: Set<String>
        let task: Task<[Result<String, ToolError>], any Error>
    }

    private let center: CenterClient
    private let environment: ToolEnvironment
    private let rules: ImportRules
    private var introduced: Set<ApplicationID> = []
    private var batch = ImportBatch()
    /// The calls in flight, oldest first.
    private var calls: [Call] = []
    private(set) var count = 0
    private(set) var failureCount = 0
    /// How many items had commands that were left out.
    private(set) var commandCount = 0

    init(to center: CenterClient, by rules: ImportRules, in environment: ToolEnvironment) {
        self.center = center
        self.rules = rules
        self.environment = environment
    }

    var waitsForLogin: Bool { center.waitsForLogin }

    /// Whether an added item has no outcome yet.
    var isWaiting: Bool { !batch.entries.isEmpty || !calls.isEmpty }

    /// Imports one item; its request is on disk when this returns.
    mutating func importItem(_ item: ImportItem) async throws {
        for outcome in try await add(item, size: 0, place: "") + flush() { _ = try outcome.get() }
    }

    /// Adds one item to the batch; `size` is the size of its line in bytes.
    ///
    /// This call or a later call returns the item's outcome, in the order of the items. An outcome
    /// is the identifier of a request that is on disk, or an error that names the line.
    ///
    /// - Throws: An error that ends the import: the bus or the daemon is unreachable, the file of
    ///   commands cannot be changed, or the present notifications cannot be read.
    mutating func add(
        _ item: ImportItem, size: Int, place: String
    ) async throws -> [Result<String, ToolError>] {
        let app: ApplicationID
        let prepared: ImportBatch.Prepared
        do {
            app = try rules.app(of: item)
            prepared = try await self.prepared(item, of: app)
        } catch {
            let error = ToolError(error)
            guard error.status != .unreachable else { throw error }
            return try await add(error, place: place)
        }
        let outcomes = batch.admits(prepared.request, of: app) ? [] : try await startCall()
        batch.append(prepared, of: app, size: size, place: place)
        // Without a notification centre, requests go to the inbox. The inbox writes each request to
        // disk before it accepts the next request, so a batch would save no time.
        if center.waitsForLogin { return outcomes + (try await flush()) }
        return batch.isFull ? outcomes + (try await startCall()) : outcomes
    }

    /// Records the error of an unusable line, and returns the outcomes that are known by now.
    ///
    /// Outcomes keep the order of the lines, so the error waits for the items before it.
    ///
    /// - Throws: The errors of `add(_:size:place:)`.
    mutating func add(
        _ error: ToolError, place: String
    ) async throws -> [Result<String, ToolError>] {
        batch.append(error, place: place)
        return batch.isFull ? try await startCall() : []
    }

    /// Finishes the import of every item added so far, and returns the remaining outcomes.
    mutating func flush() async throws -> [Result<String, ToolError>] {
        var outcomes = batch.entries.isEmpty ? [] : try await startCall()
        while !calls.isEmpty { outcomes += try await finish() }
        return outcomes
    }

    /// Begins the call that adds the batch; returns the outcomes of calls that had to end first.
    ///
    /// A call must end first if two calls are in flight, or if it shares an identifier with the
    /// batch.
    private mutating func startCall() async throws -> [Result<String, ToolError>] {
        let (entries, app) = (batch.entries, batch.app ?? .tocsin)
        batch = ImportBatch()
        let items = entries.compactMap { try? $0.item.get() }
        let identifiers = Set(items.map(\.identifier))
        var outcomes: [Result<String, ToolError>] = []
        while calls.count >= Self.maximumCalls
            || calls.contains(where: { !$0.identifiers.isDisjoint(with: identifiers) })
        {
            outcomes += try await finish()
        }
        let run = self
        let task = Task.immediate { try await run.outcomes(of: entries, items, for: app) }
        calls.append(Call(identifiers: identifiers, task: task))
        return outcomes
    }

    private mutating func finish() async throws -> [Result<String, ToolError>] {
        let outcomes = try await calls.removeFirst().task.value
        for outcome in outcomes {
            if case .success = outcome { count += 1 } else { failureCount += 1 }
        }
        return outcomes
    }

    private func outcomes(
        of entries: [ImportBatch.Entry], _ items: [ImportBatch.Prepared], for app: ApplicationID
    ) async throws -> [Result<String, ToolError>] {
        var refusals = try await protected(items, of: app)
        let addable = items.filter { refusals[$0.number] == nil }
        let former = try exchangeCommands(of: addable, for: app)
        // If this throws, the centre may have added the items, so their new commands stay.
        let refused = try await add(addable[...], for: app)
        try putBack(former, of: addable.filter { refused[$0.number] != nil }, for: app)
        refusals.merge(refused) { $1 }
        return entries.enumerated().map { index, entry in
            switch (entry.item, refusals[index]) {
            case (.success(let item), nil): return .success(item.identifier)
            case (.success, var error?), (.failure(var error), _):
                error.message = entry.place + error.message
                return .failure(error)
            }
        }
    }

    /// Adds requests, and returns the error of each refused request, by its number in the batch.
    ///
    /// A call adds all its requests or none. After a refusal, this retries smaller parts, down to
    /// single requests.
    private func add(
        _ requests: ArraySlice<ImportBatch.Prepared>, for app: ApplicationID
    ) async throws(ToolError) -> [Int: ToolError] {
        guard let first = requests.first else { return [:] }
        do throws(NotificationError) {
            try await center.requests.add(requests.map(\.request), for: app)
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

    /// Refuses a calendar's items whose identifiers belong to requests of another source.
    ///
    /// The sender of an invitation chooses its identifier, and must not replace a reminder of the
    /// user.
    private func protected(
        _ items: [ImportBatch.Prepared], of app: ApplicationID
    ) async throws(NotificationError) -> [Int: ToolError] {
        let identifiers = items.filter { $0.source != nil }.map(\.identifier)
        guard !identifiers.isEmpty else { return [:] }
        let known =
            try await center.requests.pending(of: app, identifiers: identifiers).map(\.request)
            + center.delivered(of: app, identifiers: identifiers).map(\.request)
        var refusals: [Int: ToolError] = [:]
        for item in items {
            guard let source = item.source,
                known.contains(where: {
                    $0.identifier == item.identifier
                        && $0.content.userInfo[ICalendarImport.mark] != .string(source)
                })
            else { continue }
            refusals[item.number] = ToolError.data(
                "\(item.identifier.quotedForMessage()) is the identifier of a notification that "
                    + "this calendar did not make; that notification stays. Remove it first, or "
                    + "give the event another UID.")
        }
        return refusals
    }

    // MARK: Skipped and snoozed dates

    /// The next date of a request that was skipped or snoozed before the export; otherwise nil.
    ///
    /// It is `nextFire` if the request was snoozed, or if `nextFire` is a date of the trigger, as
    /// after a skip. Any other `nextFire` may be that of another time zone. An interval has no
    /// fixed dates, so any date after its new first date is accepted.
    private func date(of item: ImportItem) -> Instant? {
        let trigger = item.request.trigger
        let forecast = FireDateForecast(environment: environment)
        guard let date = item.nextFire, date > environment.now,
            let first = forecast.first(of: trigger, after: environment.now), first < date
        else { return nil }
        let previous = date.adding(microseconds: -1)
        let isPutOff =
            item.isSnoozed || forecast.isInterval(trigger)
            || forecast.first(of: trigger, after: previous) == date
        return isPutOff ? date : nil
    }

    // MARK: Commands

    /// Stores the commands of requests, and returns the replaced commands, by identifier.
    ///
    /// The caller adds the requests after this.
    private func exchangeCommands(
        of items: [ImportBatch.Prepared], for app: ApplicationID
    ) throws(ToolError) -> [String: ClickCommands] {
        guard environment.stateDirectory() != nil, !items.isEmpty else { return [:] }
        let file = try CommandFile(environment)
        if items.allSatisfy({ $0.commands == nil }) {
            guard try !file.read().entries.isEmpty else { return [:] }
        }
        var former: [String: ClickCommands] = [:]
        // Read under the lock, because another program may store commands at the same time.
        try file.change { table in
            for item in items { former[item.identifier] = table[item.key(of: app)] }
            for item in items { table.replace(item.key(of: app), with: item.commands) }
        }
        return former
    }

    private func putBack(
        _ former: [String: ClickCommands], of items: [ImportBatch.Prepared], for app: ApplicationID
    ) throws(ToolError) {
        guard items.contains(where: { former[$0.identifier] != nil || $0.commands != nil }) else {
            return
        }
        try CommandFile(environment).change { table in
            for item in items {
                table.replace(item.key(of: app), with: former[item.identifier])
            }
        }
    }

    private mutating func commands(
        of item: ImportItem, for app: ApplicationID
    ) async throws -> ClickCommands? {
        guard let value = item.commands else { return nil }
        guard rules.takesCommands else {
            commandCount += 1
            return nil
        }
        let key = NotificationKey(app: app, identifier: item.request.identifier)
        guard let commands = ClickCommands(value, of: key, created: environment.now) else {
            throw ToolError.data(
                "The key 'commands' cannot be used. Write {\"click\":[…],\"actions\":{},"
                    + "\"directory\":\"/…\"}, each command as a program and its arguments.")
        }
        // The tool gets clicks only on its own notifications, and on those sent with '--app-name'.
        guard app == .tocsin || app.rawValue.hasPrefix("dev.") else {
            throw ToolError.data(
                "\(item.request.identifier.quotedForMessage()) has commands, but a click on it "
                    + "reaches only the app \(app.rawValue.quotedForMessage()), not this tool. "
                    + "Import it without '--with-commands'.")
        }
        if !introduced.contains(app) {
            let name = try await name(of: app)
            try await center.introduce(ResponderIdentity.identity(of: app, named: name))
            // Record only a success: after a failure, the next line tries again.
            introduced.insert(app)
        }
        return commands
    }

    /// The name of an app of '--app-name'; if the centre knows no name, the end of the app's id.
    ///
    /// The id lacks the capitals and the spaces of the name, so it must not replace a known name.
    private func name(of app: ApplicationID) async throws -> String {
        if app == .tocsin { return "Tocsin" }
        let known = center.waitsForLogin ? [] : try await center.service.permissions()
        let name = known.first { $0.app == app }?.name ?? ""
        return name.isEmpty ? String(app.rawValue.dropFirst("dev.".count)) : name
    }

    /// A date of a trigger that has only past dates; nil for every other trigger.
    ///
    /// The centre would accept such a request and drop it, as on Apple's platforms.
    private func pastDate(of trigger: NotificationTrigger?) -> Instant? {
        switch trigger {
        case .at(let date): return date <= environment.now ? date : nil
        case .calendar(_, repeats: false):
            let forecast = FireDateForecast(environment: environment)
            guard forecast.first(of: trigger, after: environment.now) == nil else { return nil }
            return forecast.first(of: trigger, after: Instant(microseconds: 0))
        case nil, .interval, .calendar, .rule, .region, .push: return nil
        }
    }

    private mutating func prepared(
        _ item: ImportItem, of app: ApplicationID
    ) async throws -> ImportBatch.Prepared {
        var request = item.request
        if let date = pastDate(of: request.trigger) {
            guard rules.isPastOK else {
                throw ToolError.data(
                    "\(request.identifier.quotedForMessage()) is past: "
                        + "\(environment.zone.rfc3339(date)). Give it a later date, "
                        + "or add '--past-ok' to be notified now.")
            }
            request.trigger = nil
        }
        let commands = try await commands(of: item, for: app)
        let files = try request.content.attachments.map { try OpenFile(path: $0.path) }
        return ImportBatch.Prepared(
            request: RequestWithFiles(request, files: files, nextFire: date(of: item)),
            commands: commands, source: item.source)
    }
}
