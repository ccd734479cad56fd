import Foundation
import NotificationSchedule
import Synchronization
import Testing

/// A scripted file system with zone files.
private final class Folder: Sendable {
    private struct State {
        var files: [String: [UInt8]] = [:]
        var links: [String: String] = [:]
        var version: Int64 = 0
        var seconds: Int64 = 0
        var reads = 0
    }

    private let state = Mutex(State())

    var access: ZoneFiles {
        ZoneFiles(
            contents: { path in
                self.state.withLock { state in
                    state.reads += 1
                    return state.files[path]
                }
            },
            stamp: { path in
                self.state.withLock { state in
                    state.files[path].map {
                        ZoneFiles.Stamp(
                            file: [1], changed: state.version, size: Int64($0.count))
                    }
                }
            },
            link: { path in self.state.withLock { $0.links[path] } },
            seconds: { self.state.withLock { $0.seconds } })
    }

    var reads: Int { state.withLock { $0.reads } }

    func setFile(_ bytes: [UInt8]?, at path: String) {
        state.withLock { state in
            state.files[path] = bytes
            state.version += 1
        }
    }

    func link(_ path: String, to destination: String?) {
        state.withLock { $0.links[path] = destination }
    }

    func passSecond() {
        state.withLock { $0.seconds += 1 }
    }
}

@Suite("The directory of zones")
struct ZoneDirectoryTests {
    private static let path = "/usr/share/zoneinfo/"

    private static func zone(_ offset: Int32) -> [UInt8] {
        ZoneFileBuilder(
            version: 2, times: [], kinds: [], types: [(offset, false, 0)], names: "ABC\0"
        ).bytes()
    }

    /// The sentences that the directory reported.
    private final class Reports: Sendable {
        let sentences = Mutex<[String]>([])
        var all: [String] { sentences.withLock { $0 } }
    }

    private func directory(
        _ folder: Folder, _ reports: Reports = Reports(), _ environment: [String: String] = [:]
    ) -> ZoneDirectory {
        ZoneDirectory(environment: environment, files: folder.access) { sentence in
            reports.sentences.withLock { $0.append(sentence) }
        }
    }

    @Test
    func `a zone is read once, and again after its file changed`() {
        let folder = Folder()
        folder.setFile(Self.zone(3_600), at: Self.path + "A/B")
        var zones = directory(folder)
        #expect(zones.rules(named: "A/B")?.offset(at: 0) == 3_600)
        for _ in 0..<10 {
            folder.passSecond()
            #expect(zones.rules(named: "A/B")?.offset(at: 0) == 3_600)
        }
        #expect(folder.reads == 1)
        folder.setFile(Self.zone(7_200), at: Self.path + "A/B")
        // The directory checks a file at most once a second.
        #expect(zones.rules(named: "A/B")?.offset(at: 0) == 3_600)
        folder.passSecond()
        #expect(zones.rules(named: "A/B")?.offset(at: 0) == 7_200)
        #expect(folder.reads == 2)
    }

    @Test
    func `a refresh names only the zones that changed`() {
        let folder = Folder()
        for name in ["A", "B", "C"] { folder.setFile(Self.zone(3_600), at: Self.path + name) }
        var zones = directory(folder)
        for name in ["A", "B", "C", "D"] { _ = zones.rules(named: name) }
        #expect(zones.refresh() == [])
        folder.setFile(Self.zone(60), at: Self.path + "B")
        folder.setFile(Self.zone(120), at: Self.path + "D")
        #expect(zones.refresh() == ["B", "D"])
        #expect(zones.refresh() == [])
        // A read of the changed file before the refresh does not hide the change.
        folder.setFile(Self.zone(180), at: Self.path + "A")
        folder.passSecond()
        #expect(zones.rules(named: "A")?.offset(at: 0) == 180)
        #expect(zones.refresh() == ["A"])
    }

    @Test
    func `the version of tzdata comes from its files and the times of their changes`() {
        let folder = Folder()
        let zones = directory(folder)
        #expect(zones.version == "")
        folder.setFile(Self.zone(0), at: Self.path + "UTC")
        #expect(zones.version == " 1")
        folder.setFile(Array("2026b\n".utf8), at: Self.path + "+VERSION")
        #expect(zones.version == "2026b 2")
        folder.setFile(Array("# version 2026c\nR A 1\n".utf8), at: Self.path + "tzdata.zi")
        let version = zones.version
        #expect(version == "2026c 3")
        folder.setFile(Array("# version 2026c\nR A 2\n".utf8), at: Self.path + "tzdata.zi")
        #expect(zones.version != version)
    }

    @Test
    func `the version depends on a localtime file that is a copy, but not on one that is a link`() {
        let folder = Folder()
        let zones = directory(folder)
        folder.setFile(Self.zone(60), at: "/etc/localtime")
        let version = zones.version
        folder.setFile(Self.zone(120), at: "/etc/localtime")
        #expect(zones.version != version)
        folder.link("/etc/localtime", to: "/usr/share/zoneinfo/A")
        #expect(zones.version == "")
    }

    @Test
    func `while a zone's file is missing or broken, the zone keeps its old rules`() {
        let folder = Folder()
        folder.setFile(Self.zone(3_600), at: Self.path + "A")
        var zones = directory(folder)
        #expect(zones.rules(named: "A") != nil)
        for bytes in [nil, Array("TZif2".utf8)] {
            folder.setFile(bytes, at: Self.path + "A")
            folder.passSecond()
            #expect(zones.rules(named: "A")?.offset(at: 0) == 3_600)
        }
        folder.setFile(Self.zone(60), at: Self.path + "A")
        folder.passSecond()
        #expect(zones.rules(named: "A")?.offset(at: 0) == 60)
    }

    @Test
    func `a zone without data is taken as UTC, and the directory reports that once`() {
        let folder = Folder()
        folder.setFile(Array("no zone".utf8), at: Self.path + "Broken")
        let reports = Reports()
        var zones = directory(folder, reports)
        for _ in 0..<3 {
            #expect(zones.rulesOrUTC(named: "Europe/Berlin") == .utc)
            #expect(zones.rulesOrUTC(named: "Broken") == .utc)
            folder.passSecond()
        }
        #expect(zones.rules(named: "UTC") == .utc)
        #expect(
            reports.all == [
                "The time zone \"Europe/Berlin\" is taken as UTC, because there is no such zone in "
                    + "/usr/share/zoneinfo, /usr/lib/zoneinfo, /usr/share/lib/zoneinfo, "
                    + "/etc/zoneinfo. Install or reinstall the system's tzdata.",
                "The time zone \"Broken\" is taken as UTC, because its data cannot be used: it does "
                    + "not begin with 'TZif'. Install or reinstall the system's tzdata.",
            ])
    }

    @Test
    func `TZDIR replaces the system's folder`() {
        let folder = Folder()
        folder.setFile(Self.zone(3_600), at: Self.path + "A")
        folder.setFile(Self.zone(60), at: "/mine/A")
        var zones = directory(folder, Reports(), ["TZDIR": "/mine"])
        #expect(zones.rules(named: "A")?.offset(at: 0) == 60)
        var none = directory(folder, Reports(), ["TZDIR": "/empty"])
        #expect(none.rules(named: "A") == nil)
    }

    @Test(arguments: ["../A", "/etc/A", "a/../../A", "", "A\0", "A B", "~/A", "ä"])
    func `a name that leads out of the folder is refused, and no file is read`(name: String) {
        let folder = Folder()
        for path in [Self.path + name, name, "/usr/share/A"] {
            folder.setFile(Self.zone(60), at: path)
        }
        var zones = directory(folder)
        #expect(zones.rules(named: name) == nil)
        #expect(folder.reads == 0)
    }

    @Test(arguments: [
        ("GMT+0530", 19_800), ("GMT-8", -28_800), ("GMT+01:00", 3_600), ("UTC-0330", -12_600),
        ("GMT+010203", 3_723),
    ])
    func `Foundation's names of fixed offsets are understood`(name: String, offset: Int) {
        var zones = directory(Folder())
        #expect(zones.rules(named: name)?.offset(at: 0) == offset)
    }

    @Test(arguments: ["GMT+0560", "GMT+", "GMT+25", "GMT+1x", "Nowhere/Land"])
    func `a name that is no zone and no fixed offset is refused`(name: String) {
        var zones = directory(Folder())
        #expect(zones.rules(named: name) == nil)
    }

    @Test
    func `many unknown names do not change the rules of a known zone`() {
        let folder = Folder()
        folder.setFile(Self.zone(60), at: Self.path + "A")
        var zones = directory(folder)
        for number in 0..<5_000 { #expect(zones.rules(named: "no-zone-\(number)x") == nil) }
        #expect(zones.rules(named: "A")?.offset(at: 0) == 60)
        #expect(zones.refresh() == [])
    }

    @Test
    func `a changed zone is reported although the full directory has dropped it for other names`() {
        let folder = Folder()
        folder.setFile(Self.zone(60), at: Self.path + "A")
        var zones = directory(folder)
        #expect(zones.rules(named: "A")?.offset(at: 0) == 60)
        for number in 0..<1_000 { #expect(zones.rules(named: "no-zone-\(number)x") == nil) }
        folder.setFile(Self.zone(120), at: Self.path + "A")
        #expect(zones.rules(named: "A")?.offset(at: 0) == 120)
        #expect(zones.refresh() == ["A"])
        #expect(zones.refresh() == [])
    }

    @Test
    func `the user's zone comes from TZ, the localtime link, the timezone file, localtime or UTC`()
    {
        let folder = Folder()
        for name in ["A/B", "C", "D"] { folder.setFile(Self.zone(60), at: Self.path + name) }
        var zones = directory(folder)
        func fixed(_ value: String?) -> String? {
            LocalZone.fixed(environment: value.map { ["TZ": $0] } ?? [:], directory: &zones)
        }
        #expect(fixed(nil) == nil)
        #expect(fixed("A/B") == "A/B")
        #expect(fixed(":A/B") == "A/B")
        #expect(fixed(":/usr/share/zoneinfo/posix/A/B") == "A/B")
        #expect(fixed("") == "UTC")
        #expect(fixed("JST-9") == "JST-9")
        #expect(fixed("No/Such") == nil)
        // In POSIX, GMT+5 lies west of UTC.
        #expect(fixed("GMT+5").flatMap { zones.rules(named: $0) }?.offset(at: 0) == -18_000)
        func system() -> String { LocalZone.ofSystem(files: folder.access, directory: &zones) }
        #expect(system() == "UTC")
        folder.setFile(Self.zone(60), at: "/etc/localtime")
        folder.passSecond()
        #expect(system() == "localtime")
        folder.setFile(Array("C\n".utf8), at: "/etc/timezone")
        #expect(system() == "C")
        folder.link("/etc/localtime", to: "../usr/share/zoneinfo/right/D")
        #expect(system() == "D")
        folder.link("/etc/localtime", to: "/nix/store/zoneinfo/No/Such")
        #expect(system() == "C")
    }
}
