import NotificationModel

/// Where a page of a list ended, as the text of its cursor says.
enum ListPosition: Hashable {
    /// Behind the request of this key.
    case request(app: String, identifier: String)
    /// Behind the notification of this row, among older ones.
    case notification(row: Int64)
    /// Behind the record of this row, among older ones.
    case record(row: Int64)

    private static let requestMark = "p/"
    private static let notificationMark = "d/"
    private static let recordMark = "r/"

    /// The cursor of this position; no id of an app has a slash.
    var cursor: PageCursor {
        switch self {
        case .request(let app, let identifier):
            PageCursor(rawValue: "\(Self.requestMark)\(app)/\(identifier)")
        case .notification(let row): PageCursor(rawValue: "\(Self.notificationMark)\(row)")
        case .record(let row): PageCursor(rawValue: "\(Self.recordMark)\(row)")
        }
    }

    /// The position behind which a page of waiting requests begins, before all of them without a
    /// cursor.
    static func request(
        _ cursor: PageCursor?
    ) throws(NotificationError) -> (app: String, identifier: String) {
        guard let text = cursor?.rawValue else { return ("", "") }
        let rest = text.dropFirst(requestMark.count)
        guard text.hasPrefix(requestMark), let slash = rest.firstIndex(of: "/") else {
            throw unknown(text)
        }
        return (String(rest[..<slash]), String(rest[rest.index(after: slash)...]))
    }

    /// The row below which a page of delivered notifications begins.
    static func row(_ cursor: PageCursor?) throws(NotificationError) -> Int64 {
        try row(cursor, behind: notificationMark)
    }

    /// The row below which a page of records begins.
    static func recordRow(_ cursor: PageCursor?) throws(NotificationError) -> Int64 {
        try row(cursor, behind: recordMark)
    }

    private static func row(
        _ cursor: PageCursor?, behind mark: String
    ) throws(NotificationError) -> Int64 {
        guard let text = cursor?.rawValue else { return .max }
        guard text.hasPrefix(mark), let row = Int64(text.dropFirst(mark.count)) else {
            throw unknown(text)
        }
        return row
    }

    private static func unknown(_ text: String) -> NotificationError {
        NotificationError(
            .invalidArgument,
            "The list has no place \(text.quotedForMessage()). Begin a page with what the page "
                + "before it gave as next, of the same list.")
    }
}
