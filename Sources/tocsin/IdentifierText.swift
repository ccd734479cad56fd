internal import ArgumentParser
internal import NotificationModel

/// Finds the request that a person means: by identifier, by a unique prefix, by its number in the
/// list, or `last`.
enum IdentifierText {
    /// What the help of commands says of it.
    static let help = """
        ID is an identifier, the beginning of exactly one, its number in 'list', or 'last' for the \
        newest that this tool made.
        """

    /// What a shell offers in place of one.
    ///
    /// bash expands what it is offered, and puts it on the command line as it is: an identifier such
    /// as `$(command)` is never offered. In zsh a colon begins a description, unless it is escaped:
    /// here it is \x3a, because one in the command would end the words of which the command is one.
    static var completion: CompletionKind {
        let command = "tocsin list --ids --plain 2>/dev/null"
        return .shellCommand(
            CompletionShell.requesting == .zsh
                ? command + #" | sed "s/\x3a/\\\\&/g""# : command)
    }

    /// The identifier, or the error that says why there is none.
    ///
    /// Numbers are those of the list of what waits, where that is given, too.
    static func resolve(
        _ text: String, among requests: [NotificationRequest],
        numbered listed: [NotificationRequest]? = nil
    ) throws(ToolError) -> String {
        if requests.contains(where: { $0.identifier == text }) { return text }
        if text == "last" { return try last(requests) }
        var matches = requests.map(\.identifier).filter { !text.isEmpty && $0.hasPrefix(text) }
        if let numbered = numbered(text, among: listed ?? requests), !matches.contains(numbered) {
            matches.append(numbered)
        }
        switch matches.count {
        case 1: return matches[0]
        case 0:
            throw ToolError(
                missing: text.quotedForMessage(),
                "There is no notification \(text.quotedForMessage()). 'tocsin list' shows those "
                    + "that wait, 'tocsin list --delivered' the others.")
        default:
            let shown = matches.prefix(3).map { $0.quotedForMessage() }.joined(separator: ", ")
            throw ToolError(
                .failure,
                "\(text.quotedForMessage()) may mean \(matches.count) notifications "
                    + "(\(shown)\(matches.count > 3 ? ", …" : "")). Write more of the identifier.")
        }
    }

    /// The one in this line of the list, from 1.
    private static func numbered(
        _ text: String, among requests: [NotificationRequest]
    ) -> String? {
        guard text.allSatisfy(\.isNumber), let number = Int(text),
            requests.indices.contains(number - 1)
        else { return nil }
        return requests[number - 1].identifier
    }

    private static func last(_ requests: [NotificationRequest]) throws(ToolError) -> String {
        let dated = requests.compactMap { request in
            RequestMark.creation(of: request).map { (date: $0, id: request.identifier) }
        }
        guard let newest = dated.max(by: { $0.date < $1.date }) else {
            throw ToolError(
                missing: "The last notification",
                "There is no last notification: none here was made by this tool. 'tocsin list' "
                    + "shows the identifiers.")
        }
        return newest.id
    }
}
