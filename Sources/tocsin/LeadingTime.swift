internal import NotificationSchedule

/// A time before a title, which goes on in the title's first words where it was written without
/// quotes: `in 20 minutes Tea`, `at tomorrow 8am Tea`.
struct LeadingTime {
    var text: String
    /// How many words of the title may belong to it.
    var limit: Int

    /// Reads it alone, or with as few words as make it a time, which are taken from the title.
    func read(
        before content: inout ContentOptions,
        _ moment: (String) throws(TimeTextError) -> Moment
    ) throws(ToolError) -> Moment {
        do throws(TimeTextError) {
            return try moment(text)
        } catch {
            let words = content.summary.split(separator: " ", omittingEmptySubsequences: false)
            for count in 1..<min(words.count, limit) + 1 {
                let longer = ([Substring(text)] + words.prefix(count)).joined(separator: " ")
                guard let moment = try? moment(longer) else { continue }
                content.summary = words.dropFirst(count).joined(separator: " ")
                return moment
            }
            throw ToolError(error)
        }
    }
}
