internal import ArgumentParser
internal import CenterInterface
internal import NotificationModel
internal import Reactor

/// The options of `tocsin push --to`, which the program `tocsin-push` carries out.
struct PushSendOptions: ParsableArguments {
    private static let program = "tocsin-push"

    @Option("The receiver's public key, where '--to' is a URL.", value: "key")
    var p256dh: String?

    @Option("The receiver's secret, where '--to' is a URL.", value: "secret")
    var auth: String?

    @Option(
        "How long the push service keeps the message, in seconds; "
            + "0: deliver at once or not at all.",
        value: "seconds", parsing: .next)
    var ttl: Int64?

    @Option("very-low, low, normal or high.", value: "name", parsing: .next)
    var urgency: String?

    @Option("A later message with the same topic replaces this one.", value: "name", parsing: .next)
    var topic: String?

    @Option("The file with the server's key, which signs the message.", value: "file")
    var vapidKey: String?

    @Option("How the push service reaches you: a mailto: or https: URL.", value: "url")
    var vapidSubject: String?

    @Option(
        "Writes a new server key into this file, and prints the public key for apps.",
        value: "file", name: .customLong("new-vapid-key"))
    var newKey: String?

    func check(to: String?, words: [String]) throws {
        let texts = [p256dh, auth, urgency, topic, vapidKey, vapidSubject]
        let isPlain = texts.allSatisfy { $0 == nil } && ttl == nil
        if newKey != nil {
            guard to == nil, words.isEmpty, isPlain else {
                throw ValidationError(
                    "'--new-vapid-key' excludes a payload and every other option; leave them out")
            }
            return
        }
        guard let to else {
            guard isPlain else {
                throw ValidationError("An option that needs '--to' is given without '--to'; add it")
            }
            return
        }
        guard words.count == 1 else { throw ValidationError("Give one payload file, or '-'") }
        guard (vapidKey == nil) == (vapidSubject == nil) else {
            throw ValidationError("'--vapid-key' and '--vapid-subject' go together")
        }
        guard Self.isURL(to) == (p256dh != nil), (p256dh == nil) == (auth == nil) else {
            throw ValidationError(
                "A URL needs '--p256dh' and '--auth'; a subscription file has them itself")
        }
    }

    private static func isURL(_ text: String) -> Bool {
        // The scheme of a URL may have capitals.
        let text = text.lowercased()
        return text.hasPrefix("https://") || text.hasPrefix("http://")
    }

    /// Runs `tocsin-push`, and returns its exit status.
    func run(
        to: String?, payload: String?, isJSON: Bool, in environment: ToolEnvironment
    ) async throws -> ToolStatus {
        guard let program = CompanionProgram.installed(Self.program) else {
            throw ToolError.failure(
                "\(Self.program), which sends the message, is not installed. Install Tocsin with "
                    + "its folder libexec.")
        }
        let arguments: [String]
        if let newKey {
            arguments = ["new-key", environment.absolute(newKey)]
        } else {
            arguments = request(to: to ?? "", payload: payload ?? "", isJSON, environment).arguments
        }
        do throws(SystemFailure) {
            let sender = try ForegroundProgram(
                [program] + arguments, capturesOutput: false, on: environment.reactor)
            return ToolStatus(rawValue: await sender.waitForEnd { _, _ in true })
        } catch {
            throw ToolError.failure(
                "\(program.quotedForMessage()) did not start: \(error). Install Tocsin again.")
        }
    }

    private func request(
        to: String, payload: String, _ isJSON: Bool, _ environment: ToolEnvironment
    ) -> PushSendRequest {
        var request = PushSendRequest()
        request.subscriptions = environment.absolute(to)
        if Self.isURL(to) {
            let keys = RecordValue.record([.init("auth", auth), .init("p256dh", p256dh)])
            request.subscriptions =
                RecordValue.record([.init("endpoint", to), .init("keys", keys)]).text
        }
        request.payload = payload == "-" ? "-" : environment.absolute(payload)
        (request.timeToLive, request.urgency, request.topic) = (ttl, urgency, topic)
        request.key = vapidKey.map(environment.absolute)
        request.subject = vapidSubject
        request.isJSON = isJSON
        return request
    }
}
