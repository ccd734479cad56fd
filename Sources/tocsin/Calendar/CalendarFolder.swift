internal import Glibc
internal import NotificationModel
internal import Reactor

/// A folder of iCalendar files, such as one that is kept in step with a server.
struct CalendarFolder {
    /// Its absolute path.
    var path: String

    /// The files in it, by name.
    func files() throws(ToolError) -> [String] {
        guard let names = UserFile.names(in: path) else {
            throw ToolError(
                .data,
                "The folder \(path.quotedForMessage()) cannot be read: "
                    + "\(String(cString: strerror(errno))). Check the path.")
        }
        return names.filter { $0.lowercased().hasSuffix(".ics") && !$0.hasPrefix(".") }
            .map { path + "/" + $0 }
    }

    /// The requests of all files, and what is said of those that cannot be used.
    ///
    /// Others may write into the folder: links are not followed, and a pipe is not waited for.
    func items(
        _ calendar: ICalendarImport
    ) throws(ToolError) -> (items: [ImportItem], errors: [ToolError]) {
        var calendar = calendar
        calendar.source = path
        var result: (items: [ImportItem], errors: [ToolError]) = ([], [])
        for file in try files() {
            let text: String
            switch UserFile.read(file, limit: Limits.calendar, followsLink: false) {
            case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
            case .missing: continue
            case .unusable(let reason):
                result.errors.append(
                    ToolError(
                        .data,
                        "\(file.quotedForMessage()) is left out: \(reason). Put a regular file "
                            + "there."))
                continue
            }
            let (items, errors) = calendar.items(of: text)
            result.items += items
            result.errors += errors
        }
        return result
    }
}
