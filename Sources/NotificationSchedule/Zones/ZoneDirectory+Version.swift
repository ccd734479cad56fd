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
