internal import ArgumentParser
internal import Glibc
internal import NotificationModel

/// `tocsin push`: posts a remote notification here, as `xcrun simctl push` does, or sends one to
/// other machines.
struct PushCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Show a remote notification, or send one to other machines.",
        usage: """
            tocsin push [APP] FILE|- [--collapse-id ID] [--priority N] [--expiration SECONDS]
            tocsin push --to SUBSCRIPTION FILE|- [--vapid-key KEYFILE] [--ttl SECONDS] ...
            tocsin push --new-vapid-key KEYFILE
            """,
        discussion: """
            FILE has a payload as the Apple Push Notification service takes it: a JSON object \
            with the dictionary 'aps', at most 4096 bytes; '-' is standard input. APP may be left \
            out if the payload names it in its key 'Simulator Target Bundle'; if both are given, \
            APP counts.

            With '--to', the payload is sent to apps on other machines instead, encrypted as Web \
            Push. SUBSCRIPTION is a file with the JSON that an app got when it registered; for \
            several apps, the file has one JSON object on each line. SUBSCRIPTION may also be the \
            URL of an endpoint, with '--p256dh' and '--auth'. With '--to', a payload has at most \
            3993 bytes, and its dictionary 'apns-headers' has the collapse identifier, the \
            priority and the expiration.

            Exit status: 0 the payload is accepted, 65 it cannot be used, 75 no bus or daemon. \
            With '--to': 0 every push service has the message, 3 the subscription has ended, 65 a \
            subscription or payload that cannot be used, 75 a push service that cannot be reached, \
            77 a server key that the push service does not accept, 1 any other failure, or results \
            that differ between the subscriptions.
            """)

    @Argument(
        help: ArgumentHelp("The app's id, and the file.", valueName: "app"), completion: .file())
    var words: [String] = []

    @Option(
        "Replaces the notification that has this id, 1 to 64 bytes.", value: "id", parsing: .next)
    var collapseID: String?

    @Option(
        "The priority: 10 or 5 shows the notification at once, 1 without popup and sound.",
        value: "number",
        parsing: .next)
    var priority: Int64?

    @Option(
        "Waits for a notification server until this time, in seconds since 1970; 0: does not wait.",
        value: "seconds", parsing: .next)
    var expiration: Int64?

    @Option("Sends to this subscription: a file with its JSON, or a URL.", value: "subscription")
    var to: String?

    @OptionGroup(title: "Options for --to") var sending: PushSendOptions

    @Flag(help: "Prints the identifier of the request, or each result, as a JSON object.")
    var json = false

    func validate() throws {
        try sending.check(to: to, words: words)
        let hasHeaders = collapseID != nil || priority != nil || expiration != nil
        if sending.newKey != nil {
            guard !hasHeaders, !json else {
                throw ValidationError(
                    "'--new-vapid-key' excludes every other option; leave them out")
            }
            return
        }
        if to != nil {
            guard !hasHeaders else {
                throw ValidationError(
                    "'--collapse-id', '--priority' and '--expiration' cannot be used with '--to'. "
                        + "Write their values into the payload's dictionary 'apns-headers'.")
            }
            return
        }
        guard (1...2).contains(words.count) else {
            throw ValidationError("Give an app and a file, or a file that names its app")
        }
    }

    func perform(in environment: ToolEnvironment) async throws -> ToolStatus {
        if to != nil || sending.newKey != nil {
            return try await sending.run(
                to: to, payload: words.first, isJSON: json, in: environment)
        }
        try await post(in: environment)
        return .done
    }

    private func post(in environment: ToolEnvironment) async throws {
        let payload = try Self.payload(of: words[words.count - 1], in: environment)
        // The centre checks the payload, too; this check reports a mistake even without a bus.
        let push = try PushPayload(payload)
        let app = words.count == 2 ? try ApplicationID(words[0]) : nil
        let named = try app ?? push.target.map(ApplicationID.init)
        let headers = try headers()
        let center = try await CenterClient.open(environment)
        // A remote notification must not run the commands of the request that it replaces. A push
        // without text and sound replaces nothing.
        let isStored = push.showsAlert || push.content.sound != nil
        let identifier = isStored ? headers.completed(by: push.headers).collapseIdentifier : nil
        let replaced = named.flatMap { app in
            identifier.map { NotificationKey(app: app, identifier: $0) }
        }
        let former = try replaced.flatMap { try CommandFile.takeCommands($0, in: environment) }
        let posted: String?
        do throws(NotificationError) {
            posted = try await center.service.push(payload, headers: headers, for: app)
        } catch {
            // After a refusal, the former notification stays and gets its commands back. If the
            // answer was lost, the push may have replaced it.
            let error = ToolError(error)
            if !error.leavesOutcomeUnknown, let replaced, let former {
                restore(former, of: replaced, in: environment)
            }
            throw error
        }
        if json {
            try Output.line(RecordValue.record([.init("id", posted)]).text)
        } else if posted == nil {
            Output.warn("The payload has nothing to show.")
        }
    }

    /// Restores the commands of a notification that the push did not replace.
    ///
    /// A failure is only a warning, because the caller reports the error of the push.
    private func restore(
        _ former: ClickCommands, of key: NotificationKey, in environment: ToolEnvironment
    ) {
        do throws(ToolError) {
            try CommandFile.keepCommands(former, of: key, isNew: true, in: environment)
        } catch {
            Output.warn(error.text)
        }
    }

    private func headers() throws(NotificationError) -> PushHeaders {
        if let expiration { try Limits.date.check(expiration, of: "the option '--expiration'") }
        let headers = PushHeaders(
            collapseIdentifier: collapseID, priority: try PushHeaders.priority(priority),
            expiration: expiration.map { Instant(microseconds: $0 * 1_000_000) })
        try headers.check()
        return headers
    }

    private static func payload(
        of path: String, in environment: ToolEnvironment
    ) throws(ToolError) -> [UInt8] {
        let isInput = path == "-"
        let descriptor =
            isInput ? STDIN_FILENO : open(environment.absolute(path), O_RDONLY | O_CLOEXEC)
        defer { if !isInput, descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0,
            let bytes = UserFile.bytes(of: descriptor, limit: PushPayload.maximumSize)
        else {
            // Read the reason first, because later calls may change `errno`.
            let reason = String(cString: strerror(errno))
            let name = isInput ? "standard input" : path
            throw ToolError.data(
                "The payload \(name.quotedForMessage()) cannot be read: \(reason). "
                    + "Check the path, or use '-' for standard input.")
        }
        return bytes
    }
}
