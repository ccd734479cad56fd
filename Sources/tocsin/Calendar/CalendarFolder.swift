internal import Glibc
internal import NotificationModel
internal import Reactor

/// A folder of iCalendar files, such as one that is kept in step with a server.
struct CalendarFolder {
    /// The key of the user info that names the folder a request came from.
    static let mark = "org.tocsin.calendar"
    private static let maximumSize = 16 << 20

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

    /// The text of a file; nil for one that has gone or is too large.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= maximumSize {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? nil : String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// The requests of all files, marked, and what is said of those that cannot be used.
    func items(
        _ calendar: ICalendarImport
    ) throws(ToolError) -> (items: [ImportItem], errors: [ToolError]) {
        var result: (items: [ImportItem], errors: [ToolError]) = ([], [])
        for file in try files() {
            guard let text = Self.text(file) else { continue }
            let (items, errors) = calendar.items(of: text)
            result.errors += errors
            for var item in items {
                item.request.content.userInfo[Self.mark] = .string(path)
                result.items.append(item)
            }
        }
        return result
    }
}
