internal import NotificationModel

/// The zones of a system by their names.
///
/// A name is one of these:
/// - a name of tzdata, `Europe/Berlin`;
/// - a fixed offset as Foundation writes it, `GMT+0530`;
/// - a rule of the `TZ` variable, `JST-9`;
/// - `localtime` for the content of `/etc/localtime`, the only file outside of `folders` to which a
///   name leads.
///
/// The directory reads a zone's file again if the file changes. If the file becomes unreadable, the
/// former rules stay.
public struct ZoneDirectory: Sendable {
    private struct Entry {
        var rules: ZoneRules?
        var path: String?
        var stamp: ZoneFiles.Stamp?
        var problem: ZoneError?
        var checkedAt: Int64
    }

    /// The folders of zones, in the order in which they are searched.
    public let folders: [String]
    let files: ZoneFiles
    private let report: @Sendable (String) -> Void
    private var entries: [String: Entry] = [:]
    private var reported: Set<String> = []
    /// The names of the zones whose rules have changed since the last call of `refresh()`.
    private var changedZones: Set<String> = []

    /// Makes an empty directory.
    ///
    /// `report` gets a sentence for each zone that `rulesOrUTC(named:)` cannot use.
    public init(
        environment: [String: String], files: ZoneFiles,
        report: @escaping @Sendable (String) -> Void
    ) {
        // As in glibc, TZDIR replaces the system's folders.
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

    /// The rules of a zone; nil if there is no such zone, or its file cannot be used.
    ///
    /// The directory checks the zone's file at most once in each second, and reads the file again
    /// if it has changed.
    public mutating func rules(named name: String) -> ZoneRules? {
        let now = files.seconds()
        if let entry = entries[name], entry.checkedAt == now { return entry.rules }
        return lookUp(name, now: now).rules
    }

    /// The rules of a zone.
    ///
    /// If the zone cannot be used, the result is UTC, and `report` gets one sentence.
    public mutating func rulesOrUTC(named name: String) -> ZoneRules {
        if let rules = rules(named: name) {
            if !reported.isEmpty { reported.remove(name) }
            return rules
        }
        if reported.count < Limits.zones.most, reported.insert(name).inserted {
            let why =
                entries[name]?.problem.map { "its data cannot be used: \($0)" }
                ?? "there is no such zone in \(folders.joined(separator: ", "))"
            report(
                "The time zone \(name.debugDescription) is taken as UTC, because \(why). Install "
                    + "or reinstall the system's tzdata.")
        }
        return .utc
    }

    /// Checks the files of all zones that were read, and returns the names of zones whose rules
    /// changed since the last call.
    ///
    /// The names include zones that `rules(named:)` has read again since that call, and zones that
    /// the directory has dropped because it was full.
    public mutating func refresh() -> [String] {
        let now = files.seconds()
        for name in entries.keys { _ = lookUp(name, now: now) }
        defer { changedZones = [] }
        return changedZones.sorted()
    }

    private mutating func lookUp(_ name: String, now: Int64) -> Entry {
        let known = entries[name]
        if known == nil, entries.count >= Limits.zones.most { removeEntries() }
        var found: Entry
        if let known, let path = known.path, let stamp = files.stamp(path), stamp == known.stamp {
            found = known
            found.checkedAt = now
        } else {
            found = read(name, now: now)
            // While tzdata is upgraded, a file may be incomplete or missing: keep the former rules.
            if found.rules == nil { found.rules = known?.rules }
            if let known, found.rules != known.rules { changedZones.insert(name) }
        }
        entries[name] = found
        return found
    }

    /// Removes all entries, and counts their zones as changed.
    ///
    /// Without the former rules, the next read of a zone cannot tell whether its rules changed.
    private mutating func removeEntries() {
        if changedZones.count < Limits.zones.most {
            changedZones.formUnion(entries.filter { $0.value.path != nil }.keys)
        }
        entries.removeAll()
    }

    private func read(_ name: String, now: Int64) -> Entry {
        var entry = Entry(checkedAt: now)
        for path in paths(of: name) {
            // Take the stamp before the contents: if the file is written in between, the next check
            // finds another stamp, and reads the file again.
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
        // Names come from programs, so no name may lead out of the folders.
        guard Limits.zoneName.contains(name.utf8.count), !name.hasPrefix("/"),
            name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "_+-/.".utf8.contains($0) }),
            !name.split(separator: "/", omittingEmptySubsequences: false).contains("..")
        else { return [] }
        return folders.map { $0 + "/" + name }
    }

    /// The rules of a zone that needs no file.
    private static func computed(_ name: String) -> ZoneRules? {
        if ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(name) { return .utc }
        if let offset = FixedOffsetName.offset(of: name) {
            return .fixed(offset, abbreviation: name)
        }
        // A rule in `TZ` form makes a zone with one rule for all years.
        guard Limits.zoneName.contains(name.utf8.count), name.utf8.contains(where: \.isASCIIDigit),
            let rule = try? RecurringRule(parsing: name)
        else { return nil }
        return ZoneRules(transitions: [], kinds: [], types: [rule.standard], rule: rule)
    }
}

extension ZoneDirectory {
    /// The version of the system's tzdata, and the time of the last change of the version's file.
    ///
    /// The text changes whenever tzdata changes. If no file names the version, the text has only
    /// the time of the file `UTC`. Without tzdata, the text is empty.
    ///
    /// If `/etc/localtime` is a copy of a zone's file, the text also has the state of the copy. The
    /// user's zone may then be `localtime`, a name that stays the same when the copy is replaced.
    public var version: String {
        [dataVersion, copyVersion].compactMap(\.self).joined(separator: " ")
    }

    private var dataVersion: String? {
        for folder in folders {
            for name in ["tzdata.zi", "+VERSION", "UTC"] {
                let path = folder + "/" + name
                guard let stamp = files.stamp(path) else { continue }
                let text = name == "UTC" ? [] : files.contents(path) ?? []
                // `tzdata.zi` begins with "# version 2026b", and `+VERSION` with "2026b".
                let line = text.prefix(64).prefix { $0 != UInt8(ascii: "\n") }
                let version = String(decoding: line, as: UTF8.self).split(separator: " ").last ?? ""
                return "\(version) \(stamp.changed)"
            }
        }
        return nil
    }

    private var copyVersion: String? {
        let path = "/etc/localtime"
        guard files.link(path).flatMap(LocalZone.name(inPath:)) == nil,
            let stamp = files.stamp(path)
        else { return nil }
        return "\(stamp.changed) \(stamp.size)"
    }
}
