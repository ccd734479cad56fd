import NotificationModel

/// The one popup that stands for the late notifications of an app that are in its list only; pure.
///
/// It is a request of the app like any other, with an identifier of its own, so that it outlives a
/// crash, is shown once and can be removed.
struct MissedSummary: Hashable {
    /// The identifier of every summary.
    static let identifier = "org.tocsin.missed"
    /// After how long without another late one it is shown, in microseconds.
    static let delay: Int64 = 1_000_000
    /// How many it names.
    private static let named = 3
    private static let titleLimit = 60
    private static let key = "org.tocsin.missed"

    /// How many notifications it stands for.
    private(set) var count = 0
    private var titles: [String] = []

    /// A summary of none.
    init() {}

    /// The summary that is stored or shown as this content.
    init(_ content: NotificationContent) {
        count = max(0, content.summaryArgumentCount)
        guard case .array(let values) = content.userInfo[Self.key] else { return }
        titles = values.compactMap { value in
            guard case .string(let title) = value else { return nil }
            return title
        }
    }

    /// Names another one.
    mutating func add(_ content: NotificationContent) {
        let (sum, overflow) = count.addingReportingOverflow(1)
        count = overflow ? count : sum
        let title = content.title.isEmpty ? content.body : content.title
        guard titles.count < Self.named, !title.isEmpty else { return }
        let isLong = title.count > Self.titleLimit
        titles.append(isLong ? "\(title.prefix(Self.titleLimit))\u{2026}" : title)
    }

    /// What is shown.
    var request: NotificationRequest {
        var content = NotificationContent(
            title: count == 1 ? "1 more notification" : "\(count) more notifications", body: text)
        content.summaryArgumentCount = count
        content.userInfo = [Self.key: .array(titles.map { .string($0) })]
        return NotificationRequest(identifier: Self.identifier, content: content)
    }

    private var text: String {
        let rest = count - titles.count
        let names = titles.joined(separator: ", ")
        guard rest > 0 else { return "While you were away: \(names)" }
        return titles.isEmpty
            ? "They came while you were away." : "While you were away: \(names) and \(rest) more"
    }
}
