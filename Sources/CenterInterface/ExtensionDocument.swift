package import NotificationModel

/// What goes to a service extension's program and comes back: one JSON object each way, with the
/// keys that requests have on the bus.
package enum ExtensionDocument {
    private struct Input: Sendable {
        var app = ApplicationID.tocsin
        var request = NotificationRequest(identifier: "", content: NotificationContent())

        static let record = Record<Input>([
            Field(required: "app", \.app),
            Field(required: "request", \.request) { NotificationRequest.record },
        ]) { Input() }
    }

    private struct Output: Sendable {
        var content = NotificationContent()

        static let record = Record<Output>([
            Field(required: "content", \.content) { NotificationContent.record }
        ]) { Output() }
    }

    /// The program's standard input.
    package static func input(
        _ request: NotificationRequest, of app: ApplicationID
    ) throws(NotificationError) -> [UInt8] {
        try request.content.checkDepth()
        return line(Input.record.entries(of: Input(app: app, request: request)))
    }

    /// What a program finds in its standard input.
    package static func readInput(
        _ bytes: [UInt8]
    ) throws(NotificationError) -> (app: ApplicationID, request: NotificationRequest) {
        let input = try Input.record.value(
            of: RecordJSON.entries(of: bytes, "The input"), "the input")
        return (input.app, input.request)
    }

    /// The program's standard output.
    package static func output(
        _ content: NotificationContent
    ) throws(NotificationError) -> [UInt8] {
        try content.checkDepth()
        return line(Output.record.entries(of: Output(content: content)))
    }

    /// What a program said.
    package static func readOutput(
        _ bytes: [UInt8]
    ) throws(NotificationError) -> NotificationContent {
        try Output.record.value(of: RecordJSON.entries(of: bytes, "The output"), "the output")
            .content
    }

    private static func line(_ entries: [RecordEntry]) -> [UInt8] {
        Array((RecordJSON.text(.record(entries)) + "\n").utf8)
    }
}
