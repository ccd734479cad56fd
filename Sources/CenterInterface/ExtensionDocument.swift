internal import DesktopBus
package import NotificationModel

/// What goes to a service extension's program and comes back: one JSON object each way, with the
/// keys that requests have on the bus.
package enum ExtensionDocument {
    /// The program's standard input.
    package static func input(
        _ request: NotificationRequest, of app: ApplicationID
    ) throws(NotificationError) -> [UInt8] {
        try ContentCoding.checkDepth(of: request.content)
        return line([
            RecordEntry("app", .string(app.rawValue)),
            RecordEntry("request", .record(NotificationRequest.record.entries(of: request))),
        ])
    }

    /// What a program finds in its standard input.
    package static func readInput(
        _ bytes: [UInt8]
    ) throws(NotificationError) -> (app: ApplicationID, request: NotificationRequest) {
        let values = try KeyedValues(JSONCoding.value(of: bytes), of: "the input")
        guard let request = try values.dictionary("request") else {
            throw values.wrongType("request", wanted: "a dictionary")
        }
        return (
            try ApplicationID(values.required("app")), try RequestCoding.decode(request)
        )
    }

    /// The program's standard output.
    package static func output(
        _ content: NotificationContent
    ) throws(NotificationError) -> [UInt8] {
        try ContentCoding.checkDepth(of: content)
        return line([
            RecordEntry("content", .record(NotificationContent.record.entries(of: content)))
        ])
    }

    /// What a program said.
    package static func readOutput(
        _ bytes: [UInt8]
    ) throws(NotificationError) -> NotificationContent {
        let values = try KeyedValues(JSONCoding.value(of: bytes), of: "the output")
        guard let content = try values.dictionary("content") else {
            throw values.wrongType("content", wanted: "a dictionary")
        }
        return try ContentCoding.decode(content)
    }

    private static func line(_ entries: [RecordEntry]) -> [UInt8] {
        Array((RecordJSON.text(.record(entries)) + "\n").utf8)
    }
}
