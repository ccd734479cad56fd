import NotificationModel
import TestSupport
import Testing

@testable import DesktopIntegration

/// Mutated texts in the place of files and outputs that desktops and installed apps write.
@Suite struct DesktopTextFuzzTests {
    private static let groups = """
        # a comment
        [Desktop Entry]
        Name[de]=Uhr
        Exec=env A=b "/opt/a b/clock" --at '%c' %U %i %k %%
        [Applications][org.a][$i]
        ShowPopups[$i] = true
        """

    @Test func `no settings file stops the program, and a value set in a file is read back`() throws
    {
        try FuzzRun("settings-file", rounds: 4_000).mutants(
            of: [Self.groups, "[G][a]\nK=0\n[G]\nX=1\n"],
            words: ["[", "][", "[$i]", "=", "#", "\n\n"]
        ) { text in
            _ = KeyFile([text, text])
            let after = KeyFile.text(text, setting: "K", to: "1", in: "G][a")
            guard KeyFile([after]).value("K", in: "G][a") == "1" else {
                throw HarnessError("not set in \(text.debugDescription)")
            }
        }
    }

    @Test func `no command of a desktop file stops the program`() throws {
        try FuzzRun("exec-key", rounds: 4_000).mutants(
            of: ["env A=b \"/opt/a b/clock\" --at '%c' %U %i %k %%", "sh -c \"echo \\$HOME\" %f"],
            words: ["%", "%f", "%%", "\\", "'", "\"", "`", "$"]
        ) { text in
            var entry = LaunchEntry(id: "a")
            entry.exec = text
            entry.name = text
            entry.icon = text
            _ = ExecKey.arguments(of: entry)
            _ = entry.program(in: ProgramSearch(environment: ["PATH": "/bin"]))
        }
    }

    @Test func `no output of gsettings stops the program, and a list is read as it was written`()
        throws
    {
        try FuzzRun("gsettings", rounds: 4_000).mutants(
            of: ["org.a list ['a', \"it's\", 'c']\norg.a flag true\n", "org.a list @as []\n"],
            words: ["'", "\"", "[", "]", ", ", "\\"]
        ) { text in
            let settings = GSettingsOutput(text)
            _ = settings.strings("list")
            _ = settings.flag("flag")
            let names = text.split(separator: "'").map(String.init).filter {
                $0.utf8.allSatisfy { (0x30...0x7A).contains($0) && $0 != 0x5C }
            }
            let written = GSettingsOutput("org.a list \(GVariantEscaping.strings(names))\n")
            guard written.strings("list") == names else {
                throw HarnessError("\(names) was read as \(written.strings("list") as Any)")
            }
        }
    }
}
