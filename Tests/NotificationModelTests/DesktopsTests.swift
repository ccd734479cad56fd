import Foundation
import NotificationModel
import Testing

/// The table of desktops, and the article that repeats the table.
@Suite struct DesktopsTests {
    @Test func `each server has one row, and each difference names its source`() {
        let servers = Desktops.table.map { "\($0.server), \($0.vendor ?? "any")" }
        #expect(Set(servers).count == servers.count)
        #expect(Set(Desktops.table.map(\.name)).count == servers.count)
        for row in Desktops.table {
            let isPlain = row.silence == nil && row.switches == nil && row.pages.isEmpty
            #expect(row.source.hasPrefix("https://") || isPlain, "\(row.name)")
            #expect(row.pages.allSatisfy { !$0.isEmpty }, "\(row.name)")
            for traits in row.traits {
                #expect(traits.source.hasPrefix("https://"), "\(row.name)")
                #expect(!traits.sentences.isEmpty || !traits.hintNames.isEmpty, "\(row.name)")
            }
            let versions = row.traits.map(\.since)
            #expect(versions == versions.sorted(by: >), "\(row.name): the newest comes first")
            #expect(Set(versions).count == versions.count, "\(row.name)")
        }
        let lockers = Desktops.lockers
        #expect(lockers.allSatisfy { $0.source.contains(": https://") })
        #expect(Set(lockers.map(\.bus)).count == lockers.count)
    }

    @Test func `each quirk belongs to some server and has a unique sentence`() {
        let used = Set(Desktops.table.flatMap(\.traits).flatMap(\.quirks))
        #expect(used == Set(ServerQuirk.allCases))
        #expect(Set(ServerQuirk.allCases.map(\.sentence)).count == ServerQuirk.allCases.count)
    }

    @Test
    func `a server with the name of MATE's server but another vendor has no MATE settings`() {
        let name = "Notification Daemon"
        #expect(Desktops.row(server: name, vendor: "MATE")?.name == "MATE")
        #expect(Desktops.row(server: name, vendor: "GNOME")?.silence == nil)
        #expect(
            Desktops.traits(server: name, vendor: "GNOME", version: "3.20.0")
                == Desktops.traits(server: name, vendor: "MATE", version: "1.26.0"))
        #expect(Desktops.row(server: "dunst", vendor: "knopwob")?.name == "dunst")
        #expect(Desktops.row(server: "of tomorrow", vendor: "") == nil)
    }

    @Test func `the article on desktops says what the table says`() throws {
        let article = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../Sources/UserNotifications/UserNotifications.docc/"
                    + "DesktopDifferences.md"), encoding: .utf8)
        for row in Desktops.table {
            if let silence = row.silence {
                #expect(article.contains("| \(row.name) | \(silence.words) |"), "\(row.name)")
            }
            for page in row.pages { #expect(article.contains("`\(page[0])`"), "\(page)") }
            if let locker = row.locker {
                #expect(article.contains("| `\(locker.bus)` |"), "\(row.name)")
            }
        }
    }
}

extension SilenceSource {
    /// The text for this source in the article on desktops.
    fileprivate var words: String {
        switch self {
        case .property(let name, _, _, _): "the property `\(name)`"
        case .method(let name, let interface, _, _): "`\(name)` of `\(interface)`"
        case .member(let text, let name, _, _, _): "`\(name)`: a mode named `\(text)`"
        case .xfconf(let channel, let property): "Xfconf `\(channel) \(property)`"
        case .setting(let schema, let key, _): "GSettings `\(schema) \(key)`"
        case .file(let path, let group, let key): "`\(path)`, `[\(group)] \(key)`"
        }
    }
}
