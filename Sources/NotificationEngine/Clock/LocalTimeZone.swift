internal import Foundation
internal import Synchronization

/// The IANA name of the person's zone: `TZ`, else what `/etc/localtime` points to, else
/// `/etc/timezone`, else UTC (localtime(5)).
///
/// Looked up again once a second at most, and only when asked.
final class LocalTimeZone: Sendable {
    private static let lifetime: Int64 = 1_000_000

    private let fixed: String?
    private let cached = Mutex<(name: String, until: Int64)>(("UTC", .min))

    init(environment: [String: String]) {
        let name = environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
        fixed = name.flatMap { TimeZone(identifier: $0) == nil ? nil : $0 }
    }

    /// Whether the name can change while the program runs.
    var isFixed: Bool { fixed != nil }

    /// Looks the name up now, and says whether it is another than before.
    func refresh(at moment: Int64) -> Bool {
        guard fixed == nil else { return false }
        let name = Self.lookUp()
        return cached.withLock { entry in
            defer { entry = (name, moment + Self.lifetime) }
            return entry.name != name
        }
    }

    /// The name at this moment of the boot-time clock, in microseconds.
    func identifier(at moment: Int64) -> String {
        if let fixed { return fixed }
        return cached.withLock { entry in
            if moment >= entry.until {
                entry = (Self.lookUp(), moment + Self.lifetime)
            }
            return entry.name
        }
    }

    private static func lookUp() -> String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime")
        if let link, let range = link.range(of: "zoneinfo/") {
            let path = link[range.upperBound...]
            // Copies of the database with and without leap seconds (tzselect(8), "Files").
            let prefix = ["posix/", "right/"].first(where: path.hasPrefix) ?? ""
            let name = String(path.dropFirst(prefix.count))
            if TimeZone(identifier: name) != nil { return name }
        }
        let text = try? String(contentsOfFile: "/etc/timezone", encoding: .utf8)
        let name = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return TimeZone(identifier: name) == nil ? "UTC" : name
    }
}
