internal import NotificationModel

/// Finds the request that a person means: by identifier, by a unique prefix, or `last`.
enum IdentifierText {
    /// The identifier, or the error that says why there is none.
    static func resolve(
        _ text: String, among requests: [NotificationRequest]
    ) throws(ToolError) -> String {
        if requests.contains(where: { $0.identifier == text }) { return text }
        if text == "last" { return try last(requests) }
        let matches = requests.map(\.identifier).filter { !text.isEmpty && $0.hasPrefix(text) }
        switch matches.count {
        case 1: return matches[0]
        case 0:
            throw ToolError(
                .failure,
                "There is no notification \(text.quotedForMessage()). 'tocsin list' shows those "
                    + "that wait, 'tocsin list --delivered' the others.")
        default:
            let shown = matches.prefix(3).map { $0.quotedForMessage() }.joined(separator: ", ")
            throw ToolError(
                .failure,
                "\(text.quotedForMessage()) is the beginning of \(matches.count) identifiers "
                    + "(\(shown)\(matches.count > 3 ? ", …" : "")). Write more of it.")
        }
    }

    private static func last(_ requests: [NotificationRequest]) throws(ToolError) -> String {
        let dated = requests.compactMap { request in
            RequestMark.creation(of: request).map { (date: $0, id: request.identifier) }
        }
        guard let newest = dated.max(by: { $0.date < $1.date }) else {
            throw ToolError(
                .failure,
                "There is no last notification: none here was made by this tool. 'tocsin list' "
                    + "shows the identifiers.")
        }
        return newest.id
    }
}
