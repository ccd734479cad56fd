internal import NotificationModel

/// The zones of a system by their names, each read once and again when its file changes.
///
/// A name is one of tzdata (`Europe/Berlin`), a fixed offset as Foundation writes it (`GMT+0530`),
/// a rule of the `TZ` variable (`JST-9`), or `localtime`: what `/etc/localtime` holds.
public struct ZoneDirectory: Sendable {
    private struct Entry {
        var rules: ZoneRules?
        var path: String?
        var stamp: ZoneFiles.Stamp?
        var problem: ZoneError?
        var lookedAt: Int64
    }

    /// Where zones are looked for, in this order.
    public let folders: [String]
    /// The access to files.
    let files: ZoneFiles
    private let report: @Sendable (String) -> Void
    private var entries: [String: Entry] = [:]
    private var reported: Set<String> = []
    /// The names whose rules became others since the last refresh.
    private var exchanged: Set<String> = []

    /// Makes an empty directory; `report` gets a sentence for each zone that cannot be used.
    public init(
        environment: [String: String], files: ZoneFiles,
        report: @escaping @Sendable (String) -> Void
    ) {
        // As in glibc, TZDIR stands for the system's folder, not beside it.
        let folder = environment["TZDIR"] ?? ""
        folders =
            folder.hasPrefix("/")
            ? [folder]
            : [
                "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
                "/etc/zoneinfo",
            ]
        self.files = files
        self.report = report
    }

    /// The rules of a zone; nil where there is no such zone, or its file cannot be used.
    ///
    /// A zone's file is looked at again after a second, and read again if it is another.
    public mutating func rules(named name: String) -> ZoneRules? {
        let now = files.seconds()
        if let entry = entries[name], entry.lookedAt == now { return entry.rules }
        return look(at: name, now: now).rules
    }

    /// The rules of a zone; where it cannot be used UTC, which is reported once.
    public mutating func rulesOrUTC(named name: String) -> ZoneRules {
        if let rules = rules(named: name) {
            if !reported.isEmpty { reported.remove(name) }
            return rules
        }
        if reported.count < Limits.zones.most, reported.insert(name).inserted {
            let why =
                entries[name]?.problem.map { "its data cannot be used: \($0)" }
                ?? "there is no such zone in \(folders[0])"
            report(
                "The time zone \(name.debugDescription) is taken as UTC, because \(why). Install "
                    + "or reinstall the system's tzdata.")
        }
        return .utc
    }

    /// Looks at all files again, and returns the names whose rules are others than at the last call,
    /// also where they were read again meanwhile.
    public mutating func refresh() -> [String] {
        let now = files.seconds()
        for name in entries.keys { _ = look(at: name, now: now) }
        defer { exchanged = [] }
        return exchanged.sorted()
    }

    private mutating func look(at name: String, now: Int64) -> Entry {
        let known = entries[name]
        if known == nil, entries.count >= Limits.zones.most { entries.removeAll() }
        var found: Entry
        if let known, let path = known.path, let stamp = files.stamp(path), stamp == known.stamp {
            found = known
            found.lookedAt = now
        } else {
            found = read(name, now: now)
            // Half a file, or none while tzdata is being upgraded: the old rules are better.
            if found.rules == nil { found.rules = known?.rules }
            if let known, found.rules != known.rules { exchanged.insert(name) }
        }
        entries[name] = found
        return found
    }

    private func read(_ name: String, now: Int64) -> Entry {
        var entry = Entry(lookedAt: now)
        for path in paths(of: name) {
            // Before the contents, so that what is written in between is seen the next time.
            let stamp = files.stamp(path)
            guard let bytes = files.contents(path) else { continue }
            (entry.path, entry.stamp) = (path, stamp)
            do {
                entry.rules = try ZoneRules(tzif: bytes)
            } catch {
                entry.problem = error
                entry.rules = Self.computed(name)
            }
            return entry
        }
        entry.rules = Self.computed(name)
        return entry
    }

    private func paths(of name: String) -> [String] {
        if name == "localtime" { return ["/etc/localtime"] }
        // Names come from programs: none leads out of the folder.
        guard Limits.zoneName.contains(name.utf8.count), !name.hasPrefix("/"),
            name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "_+-/.".utf8.contains($0) }),
            !name.split(separator: "/", omittingEmptySubsequences: false).contains("..")
        else { return [] }
        return folders.map { $0 + "/" + name }
    }

    /// The zones that need no file.
    private static func computed(_ name: String) -> ZoneRules? {
        if ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(name) { return .utc }
        if let offset = FixedOffsetName.offset(of: name) {
            return .fixed(offset, abbreviation: name)
        }
        // A zone of one rule for all years.
        guard Limits.zoneName.contains(name.utf8.count), name.utf8.contains(where: \.isASCIIDigit),
            let rule = try? RecurringRule(parsing: name)
        else { return nil }
        return ZoneRules(transitions: [], kinds: [], types: [rule.standard], rule: rule)
    }
}

extension ZoneDirectory {
    /// What tells that the system's tzdata is another than before: its version and the time of its
    /// last change, as far as it tells them.
    public var version: String {
        for folder in folders {
            for name in ["tzdata.zi", "+VERSION", "UTC"] {
                let path = folder + "/" + name
                guard let stamp = files.stamp(path) else { continue }
                let text = name == "UTC" ? [] : files.contents(path) ?? []
                // "# version 2026b" in the first, "2026b" in the second.
                let line = text.prefix(64).prefix { $0 != UInt8(ascii: "\n") }
                let version = String(decoding: line, as: UTF8.self).split(separator: " ").last ?? ""
                return "\(version) \(stamp.changed)"
            }
        }
        return ""
    }
}
