/// Which zone is the person's: `TZ`, else what `/etc/localtime` points to, else what
/// `/etc/timezone` names, else what `/etc/localtime` holds, else UTC (localtime(5)).
public enum PersonsZone {
    /// The zone that the environment fixes; nil where it names none that is known.
    public static func fixed(
        environment: [String: String], directory: inout ZoneDirectory
    ) -> String? {
        guard let value = environment["TZ"] else { return nil }
        let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
        // Set and empty is UTC (tzset(3)).
        if name.isEmpty { return "UTC" }
        var found = name.hasPrefix("/") ? self.name(inPath: name) : name
        // In the variable the sign means west (POSIX), in Foundation's names of zones east.
        if FixedOffsetName.offset(of: name) != nil {
            found = "<\(name.prefix(3))>\(name.dropFirst(3))"
        }
        return found.flatMap { directory.rules(named: $0) == nil ? nil : $0 }
    }

    /// The zone that the system's files name.
    public static func ofSystem(files: ZoneFiles, directory: inout ZoneDirectory) -> String {
        if let link = files.link("/etc/localtime"), let name = name(inPath: link),
            directory.rules(named: name) != nil
        {
            return name
        }
        if let text = files.contents("/etc/timezone") {
            let line = text.prefix { $0 != UInt8(ascii: "\n") }
                .filter { $0 > UInt8(ascii: " ") }
            let name = String(decoding: line, as: UTF8.self)
            if directory.rules(named: name) != nil { return name }
        }
        return directory.rules(named: "localtime") == nil ? "UTC" : "localtime"
    }

    private static func name(inPath path: String) -> String? {
        let mark = Array("zoneinfo/".utf8)
        let bytes = Array(path.utf8)
        guard bytes.count > mark.count,
            let start = (0..<bytes.count - mark.count).first(where: {
                bytes[$0..<$0 + mark.count].elementsEqual(mark)
            })
        else { return nil }
        let name = String(decoding: bytes[(start + mark.count)...], as: UTF8.self)
        // Copies of the database with and without leap seconds (tzselect(8), "Files").
        let copy = ["posix/", "right/"].first(where: name.hasPrefix) ?? ""
        return String(name.dropFirst(copy.count))
    }
}
