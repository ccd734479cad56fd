internal import NotificationModel
internal import NotificationSchedule

/// What ends the tool: one line for people, further lines that point at a mistake, a status.
struct ToolError: Error, Hashable {
    var status: ToolStatus
    var message: String
    var detail = ""
    /// What the notification centre refused with, if it did.
    var code: NotificationError.Code?
    /// What was looked for in vain, if that is the reason.
    var missing: String?

    init(_ status: ToolStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: NotificationError) {
        self.init(ToolStatus(error.code), error.message)
        code = error.code
    }

    /// A notification that is not there, in the words of a person.
    init(missing: String, _ message: String) {
        self.init(.failure, message)
        self.missing = missing
    }

    /// A time that cannot be used, with the caret under the mistake.
    init(_ error: TimeTextError) {
        self.init(.data, error.description)
        detail = error.pointer
    }

    /// What goes to standard error.
    var text: String {
        let line = "tocsin: " + message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return detail.isEmpty ? line : line + "\n" + detail
    }
}
