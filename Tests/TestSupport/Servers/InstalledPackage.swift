internal import Foundation

/// The packages of this system, as dpkg lists them.
package enum InstalledPackage {
    /// The upstream version of an installed package, part by part; nil if it is not installed.
    package static func version(of name: String) -> [Int]? {
        let status = FileManager.default.contents(atPath: "/var/lib/dpkg/status") ?? Data()
        let stanza = String(decoding: status, as: UTF8.self).components(separatedBy: "\n\n")
            .first { $0.hasPrefix("Package: \(name)\n") }
        let line = stanza?.split(separator: "\n").first { $0.hasPrefix("Version: ") }
        // In `4:6.3.6-1`, 4 is the epoch and 1 is Debian's revision.
        guard let text = line?.dropFirst("Version: ".count) else { return nil }
        let upstream = text.split(separator: ":").last?.split(separator: "-").first ?? ""
        let parts = upstream.split(separator: ".").map { Int($0.prefix(while: \.isNumber)) ?? 0 }
        return parts.isEmpty ? nil : parts
    }
}
