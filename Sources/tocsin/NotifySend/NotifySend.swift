internal import DesktopBus
internal import Freedesktop
internal import Glibc
internal import Reactor

/// The tool under the name `notify-send`, which calls the notification server directly.
///
/// It has the flags, the output and the exit statuses of notify-send(1), and never uses the
/// notification centre.
///
/// It differs on purpose where libnotify 0.8.1 crashes or waits forever:
/// - The status is 1 if a text is not UTF-8, or if a hint has no name.
/// - The status is 1 if the server cannot be reached, or is lost.
/// - A button without a name or a label is left out.
struct NotifySend {
    /// The version of libnotify that `--version` prints, because scripts compare it.
    private static let compatibleVersion = "0.8.1"

    private enum Event: Sendable {
        case signal(UInt32, NotificationServer.Signal)
        case timedOut
        case interrupted
        case lost
    }

    private let arguments: NotifySendArguments
    private let reactor: Reactor
    private let connection: BusConnection
    private var server: NotificationServer { NotificationServer(on: connection) }
    private let events: AsyncStream<Event>
    private let source: AsyncStream<Event>.Continuation

    /// Whether the program was started as `notify-send`.
    ///
    /// `program` is argv[0]; its last path component is compared.
    static func isName(_ program: String?) -> Bool {
        program?.split(separator: "/").last == "notify-send"
    }

    static func run(_ words: [String], in environment: ToolEnvironment) async -> Int32 {
        do {
            switch try NotifySendArguments.parse(checked(words)) {
            case .help: try Output.line(NotifySendHelp.text)
            case .version: try Output.line("notify-send \(compatibleVersion)")
            case .notification(let arguments):
                let hints = try hints(of: arguments)
                return try await NotifySend(arguments, in: environment).perform(hints)
            }
            return 0
        } catch {
            Output.warn(message(of: error))
            return 1
        }
    }

    private static func message(of error: any Error) -> String {
        switch error {
        case let error as BusError:
            error.remoteName.map { "GDBus.Error:\($0): \(error.message)" } ?? error.message
        case let error as NotifySendArguments.Failure: error.message
        default: ToolError(error).message
        }
    }

    private init(
        _ arguments: NotifySendArguments, in environment: ToolEnvironment
    ) throws(BusError) {
        self.arguments = arguments
        reactor = environment.reactor
        (events, source) = AsyncStream.makeStream(of: Event.self)
        connection = BusConnection(
            address: try BusAddress.session { environment.variable($0) },
            reactor: environment.reactor,
            options: BusConnectionOptions { $0.connectsOnReactor = true })
    }

    // MARK: Sending

    private func perform(_ hints: [String: BusValue]) async throws -> Int32 {
        var actions = arguments.actions.enumerated().compactMap { Self.action($1, position: $0) }
        var hasRefused = false
        var subscription: BusSubscription?
        let waits = arguments.waits || !arguments.actions.isEmpty
        if waits {
            try await connection.open()
        } else {
            try await connection.openAhead()
        }
        if !arguments.actions.isEmpty, try await !server.has("actions") {
            Output.warn(
                "Actions are not supported by this notifications server. Displaying "
                    + "non-interactively.")
            (actions, hasRefused) = ([], true)
        }
        if waits, !hasRefused { subscription = try await listen() }
        let identifier = try await notify(hints, actions)
        if arguments.printsID { try Output.line(String(identifier)) }
        guard let subscription else { return hasRefused ? 1 : 0 }
        defer { subscription.cancel() }
        return try await wait(for: identifier, actions.map(\.key))
    }

    private func notify(
        _ hints: [String: BusValue], _ actions: [NotifyArguments.Action]
    ) async throws(BusError) -> UInt32 {
        var call = NotifyArguments()
        call.appName = arguments.appName
        call.replacesID = UInt32(exactly: arguments.replaces) ?? 0
        call.appIcon = arguments.appIcon ?? arguments.icon
        call.summary = arguments.summary
        call.body = arguments.body
        call.actions = actions
        call.hints = ["urgency": .byte(arguments.urgency), "sender-pid": .int64(Int64(getpid()))]
        if !arguments.category.isEmpty { call.hints["category"] = .string(arguments.category) }
        if arguments.isTransient { call.hints["transient"] = .bool(true) }
        // With `--app-icon`, the icon of `--icon` becomes the image.
        if arguments.appIcon != nil, !arguments.icon.isEmpty {
            call.hints["image-path"] = .string(arguments.icon)
        }
        call.hints.merge(hints) { $1 }
        call.expireTimeout = arguments.expireTime
        return try await server.post(call)
    }

    // MARK: Waiting

    /// Subscribes to the server's signals; the caller sends the notification after this.
    private func listen() async throws(BusError) -> BusSubscription {
        let signals = try await server.subscribe { [source] in source.yield(.signal($0, $1)) }
        await connection.onLoss { [source] in source.yield(.lost) }
        return signals
    }

    private func wait(for identifier: UInt32, _ keys: [String]) async throws -> Int32 {
        let watches = await watchForTheEnd()
        defer { withExtendedLifetime(watches) {} }
        for await event in events {
            switch event {
            case .signal(identifier, .closed): return 0
            case .signal(identifier, .action(let key)) where keys.contains(key):
                try Output.line(key)
                await close(identifier)
                return 0
            case .signal: continue
            case .timedOut: return 0
            case .interrupted:
                Output.warn("Wait cancelled, closing notification")
                await close(identifier)
                return 0
            case .lost:
                throw NotifySendArguments.Failure("The notification server or its bus has gone.")
            }
        }
        return 0
    }

    /// Watches for timeout, interruption and loss of the server, which also end the wait.
    private func watchForTheEnd() async -> [AnyObject] {
        let limit = arguments.expireTime
        if arguments.waits, limit > 0 {
            source.yield(.timedOut, after: .milliseconds(limit), on: reactor)
        }
        var watches: [AnyObject] = []
        let interruptions = try? SignalWatch([SIGINT], on: reactor) { [source] _, _ in
            source.yield(.interrupted)
        }
        if let interruptions { watches.append(interruptions) }
        let owner = try? await connection.watchOwner(of: NotificationServer.busName) {
            [source] owner in
            if owner == nil { source.yield(.lost) }
        }
        if let owner { watches.append(owner) }
        return watches
    }

    private func close(_ identifier: UInt32) async {
        // The result is already known, so a failure to close the popup changes nothing.
        try? await server.close(identifier)
    }

    // MARK: Parsing

    private static func checked(
        _ words: [String]
    ) throws(NotifySendArguments.Failure) -> [String] {
        do throws(ToolError) {
            return try ArgumentSanitizer.checked(words)
        } catch {
            throw .init("Invalid byte sequence in conversion input")
        }
    }

    private static func hints(
        of arguments: NotifySendArguments
    ) throws(NotifySendArguments.Failure) -> [String: BusValue] {
        var hints: [String: BusValue] = [:]
        for text in arguments.hints {
            if let (name, value) = try NotifySendHint.parse(text) { hints[name] = value }
        }
        return hints
    }

    private static func action(_ text: String, position: Int) -> NotifyArguments.Action? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(trimmed)
        let (key, label) = parts.count == 2 ? (parts[0], parts[1]) : (String(position), parts[0])
        return key.isEmpty || label.isEmpty ? nil : NotifyArguments.Action(key: key, label: label)
    }

    private static func trimmed(_ text: Substring) -> String {
        let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex
        return String(text[..<end].drop(while: \.isWhitespace))
    }
}
