import DesktopIntegration
import Testing

/// Commands of desktop files, split as the specification says, without a shell.
@Suite struct CommandTextTests {
    @Test(arguments: [
        ("/bin/a", ["/bin/a"]), ("  /bin/a  b\tc ", ["/bin/a", "b", "c"]),
        (#""/bin/with space" "x y""#, ["/bin/with space", "x y"]),
        (#"/bin/a "a\"b\\c\$d\`e" ;rm"#, ["/bin/a", "a\"b\\c$d`e", ";rm"]),
        (#"/bin/a """#, ["/bin/a", ""]),
    ])
    func `a command is split into its program and arguments`(text: String, parts: [String]) {
        #expect(CommandText.parts(of: text) == parts)
    }

    @Test(arguments: [
        "", "   ", "program", "./program", #"/bin/a "b"#, #"/bin/a "b\x""#, #""/bin/a"b"#,
        #"/bin/a a"b""#, "/bin/a \u{0}",
    ])
    func `a command with no absolute program, or with invalid quotes, is refused`(text: String) {
        #expect(CommandText.parts(of: text) == nil)
    }
}
