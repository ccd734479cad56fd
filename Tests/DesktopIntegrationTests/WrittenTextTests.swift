import DesktopBus
import NotificationModel
import TestSupport
import Testing

@testable import DesktopIntegration

/// Texts that this target writes for desktops and systemd, and files of desktops that it reads.
@Suite struct WrittenTextTests {
    @Test func `hostile arguments of Exec reach the program unchanged`() throws {
        for text in HostileTexts.withoutNUL {
            var entry = LaunchEntry(id: "org.example.App")
            entry.exec = "env " + DesktopFileEscaping.execArgument(text)
            #expect(ExecKey.arguments(of: entry) == ["env", text], "\(text.debugDescription)")
            // A reader that allows only double quotes applies the same rules.
            let word = text.replacingScalars {
                "\"`$\\".unicodeScalars.contains($0) ? "\\\($0)" : nil
            }
            #expect(CommandText.parts(of: "/bin/env \"\(word)\"") == ["/bin/env", text])
        }
    }

    @Test func `an app id with hostile characters has its own group in Plasma's file`() throws {
        let other = try ApplicationID("org.example.Other")
        for text in HostileTexts.withoutNUL {
            guard let app = try? ApplicationID(text) else { continue }
            let before = "[Applications][org.example.Other]\nShowPopups=true\n"
            let after = KeyFile.text(
                before, setting: PlasmaSwitch.key, to: "false", in: PlasmaSwitch.group(of: app))
            let read = KeyFile([after])
            #expect(read.flag(PlasmaSwitch.key, in: PlasmaSwitch.group(of: app)) == false)
            #expect(read.flag(PlasmaSwitch.key, in: PlasmaSwitch.group(of: other)) == true)
            #expect(after.utf8.split(separator: UInt8(ascii: "\n")).count == 4, "\(after)")
        }
    }

    @Test func `a file with the line ends of Windows is read`() {
        let text = KeyFile(["[Notifications]\r\nCriticalInDndMode=false\r\n"])
        #expect(text.flag("CriticalInDndMode", in: "Notifications") == false)
    }

    @Test func `a unit of a hostile app has a valid name, path and arguments`() throws {
        for text in HostileTexts.withoutNUL where !text.isEmpty {
            guard let name = TransientUnit.name(of: text, instance: "1") else { continue }
            let unit = TransientUnit(
                name: name, description: text, arguments: ["/bin/env", text], environment: [:],
                directory: "/")
            #expect(unit.path != nil)
            // systemd reads two dollar signs as one, and a single one as the start of a variable.
            let argument = SystemdEscaping.argument(text).unicodeScalars.split(
                separator: "$", omittingEmptySubsequences: false)
            #expect(argument.count % 2 == 1)
            // systemd writes the description and the directory unchanged into the unit's file. A
            // line break in a sandboxed app's name could add a command that runs on the host. A
            // backslash at the end would join the next line, which begins the section of the
            // command.
            let description = try #require(Self.properties(of: unit)["Description"]?.stringValue)
            #expect(!Self.breaksLines(description), "\(text.debugDescription)")
            #expect(!Self.breaksLines(text) || !TransientUnit.isUsable(directory: "/a\(text)"))
        }
        #expect(TransientUnit.isUsable(directory: "/srv/anna/Zoë's 日本"))
    }

    /// Whether a line of a unit's file that ends with this text is not exactly one line.
    private static func breaksLines(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0 == "\n" || $0 == "\r" } || text.utf8.last == 0x5C
    }

    private static func properties(of unit: TransientUnit) -> [String: BusValue] {
        let entries = (unit.call.arguments[2].arrayValue ?? []).compactMap(\.structureValue)
        return Dictionary(
            entries.map { ($0[0].stringValue ?? "", $0[1].unwrapped) }, uniquingKeysWith: { $1 })
    }

    /// gnome-shell handles each UTF-16 unit separately.
    @Test func `a letter with U+0301 keeps its letter in GNOME's name of an app`() throws {
        #expect(GnomeSwitch.name(of: try ApplicationID("Cafe\u{301}.x")) == "cafe-x")
    }
}
