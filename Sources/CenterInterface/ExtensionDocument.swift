package import NotificationModel

/// The input and the output of a service extension's program: one JSON object each.
///
/// In these objects, a request and its content have the same keys as on the bus.
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

    /// The text for the program's standard input.
    ///
    /// - Throws: `invalidArgument` if the user info or the options of an attachment nest too deep.
    package static func input(
        _ request: NotificationRequest, of app: ApplicationID
    ) throws(NotificationError) -> [UInt8] {
        try request.content.checkDepth()
        return line(Input.record.entries(of: Input(app: app, request: request)))
    }

    /// Reads the text of the program's standard input.
    ///
    /// - Throws: `invalidArgument` if the text is not the expected JSON object.
    package static func readInput(
        _ bytes: [UInt8]
    ) throws(NotificationError) -> (app: ApplicationID, request: NotificationRequest) {
        let input = try Input.record.value(
            of: RecordJSON.entries(of: bytes, "The input"), "the input")
        return (input.app, input.request)
    }

    /// The text for the program's standard output.
    ///
    /// - Throws: `invalidArgument` if the user info or the options of an attachment nest too deep.
    package static func output(
        _ content: NotificationContent
    ) throws(NotificationError) -> [UInt8] {
        try content.checkDepth()
        return line(Output.record.entries(of: Output(content: content)))
    }

    /// Reads the text of the program's standard output.
    ///
    /// - Throws: `invalidArgument` if the text is not the expected JSON object.
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
