import NotificationModel
import Testing

@testable import DesktopIntegration

/// The arguments of each dialog program, and the meaning of its exit status.
@Suite struct DialogProgramTests {
    private static let choice = Dialog(
        .choice(accept: "Allow", refuse: "Don\u{2019}t Allow"), title: "--Tea",
        text: "a_b\\n <b>&\n2")
    private static let text = Dialog(
        .text(accept: "Send"), title: "Tea", text: "-a_b\\n <b>&\n2")

    @Test func `Zenity's dialog gets its texts as arguments`() {
        let program = DialogProgram.zenity
        #expect(
            program.arguments(Self.choice) == [
                "--question", "--no-markup", "--default-cancel", "--title=--Tea",
                "--text=a_b\\n <b>&\n2", "--ok-label=Allow", "--cancel-label=Don\u{2019}t Allow",
            ])
        #expect(
            program.arguments(Self.text) == [
                "--entry", "--title=Tea", "--text=-a__b\\\\n <b>&\n2", "--ok-label=Send",
            ])
        #expect(program.environment["ZENITY_OK"] == "\(program.acceptedStatus)")
        #expect(program.environment["ZENITY_CANCEL"] == "\(program.refusedStatus)")
    }

    @Test func `KDialog's dialog gets its texts as arguments`() {
        let program = DialogProgram.kdialog
        #expect(
            program.arguments(Self.choice) == [
                "--title=--Tea", "--yes-label=Allow", "--no-label=Don\u{2019}t Allow",
                "--cancel-label=Not Now",
                "--yesnocancel=<qt>a_b&#92;n &lt;b&gt;&amp;<br>2</qt>",
            ])
        #expect(
            program.arguments(Self.text) == [
                "--title=Tea", "--inputbox=<qt>-a_b&#92;n &lt;b&gt;&amp;<br>2</qt>",
            ])
    }

    @Test(arguments: [DialogProgram.zenity.name, DialogProgram.kdialog.name])
    func `an exit status that belongs to no button counts as a closed dialog`(name: String) throws {
        let program = try #require(DialogProgram.all.first { $0.name == name })
        func answer(_ dialog: Dialog, _ status: Int32, _ output: String = "") -> DialogAnswer {
            program.answer(to: dialog, status: status, output: output)
        }
        #expect(answer(Self.choice, program.acceptedStatus) == .accepted(text: ""))
        #expect(answer(Self.choice, program.refusedStatus) == .refused)
        let text = answer(Self.text, program.acceptedStatus, " two\nlines \n")
        #expect(text == .accepted(text: " two\nlines "))
        #expect(answer(Self.text, program.acceptedStatus, "\n") == .accepted(text: ""))
        #expect(answer(Self.text, program.refusedStatus) == .closed)
        // -6: no display for Qt; -15: ended by us; 127: not found; -1000: unknown.
        for status in [2, 12, -6, -15, 127, 255, -1_000] as [Int32] {
            #expect(answer(Self.choice, status) == .closed)
            #expect(answer(Self.text, status, "half") == .closed)
        }
        // Zenity exits with 1 without a display, so here a refusal has another status.
        if program.name == "zenity" { #expect(answer(Self.choice, 1) == .closed) }
    }
}

/// The arguments of alerts, and the button in the output.
@Suite struct AlertProgramTests {
    private static let alert = AlertDialog(
        title: "--Tea", text: "a_b\n<b>", buttons: ["Pour", "--help"])

    @Test func `Zenity prints the label of the pressed button`() {
        let program = AlertProgram.zenity
        #expect(
            program.arguments(Self.alert) == [
                "--question", "--no-markup", "--switch", "--title=--Tea", "--text=a_b\n<b>",
                "--extra-button=Pour", "--extra-button=--help",
            ])
        for (output, button) in [("Pour\n", 0), ("--help\n", 1), ("", nil), ("else\n", nil)] {
            #expect(program.button(Self.alert, 1, output) == button)
        }
    }

    /// The labels may be texts of the user, of which two can be equal and one can be empty.
    @Test func `Zenity tells buttons with equal or empty labels apart`() {
        let program = AlertProgram.zenity
        let alert = AlertDialog(title: "", text: "", buttons: ["Tea", "Tea", "", "Tea"])
        let prefix = "--extra-button="
        let labels = program.arguments(alert).filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
        #expect(labels == ["Tea", "Tea ", " ", "Tea  "])
        #expect(labels.map { program.button(alert, 1, $0 + "\n") } == [0, 1, 2, 3])
        #expect(program.button(alert, 1, "") == nil)
    }

    /// Zenity 3.44 drew "my_file" as "myfile", and prints a label as it got it.
    @Test func `an underscore in a label is doubled for Zenity, and the pressed button is found`() {
        let program = AlertProgram.zenity
        let alert = AlertDialog(title: "", text: "", buttons: ["my_file", "_\u{301}", "my__file"])
        let labels = ["my__file", "__\u{301}", "my____file"]
        let buttons = Array(program.arguments(alert).suffix(3))
        #expect(buttons == labels.map { "--extra-button=\($0)" })
        #expect(labels.map { program.button(alert, 1, $0 + "\n") } == [0, 1, 2])
    }

    @Test func `both programs ask for a text and show its initial value`() {
        var alert = Self.alert
        alert.hasCancelButton = true
        let field = AlertDialog.Field(placeholder: "Cups", text: "--two")
        #expect(
            AlertProgram.zenity.fieldArguments(alert, field, "Pour") == [
                "--entry", "--title=--Tea", "--text=a__b\n<b>\nCups",
                "--entry-text=--two", "--ok-label=Pour", "--cancel-label=--help",
            ])
        #expect(
            AlertProgram.kdialog.fieldArguments(alert, field, "Pour") == [
                "--title=--Tea", "--inputbox=<qt>a_b<br>&lt;b&gt;<br>Cups</qt>", "--", "--two",
            ])
        let secret = AlertDialog.Field(placeholder: "Word", isSecret: true)
        #expect(AlertProgram.zenity.fieldArguments(alert, secret, "OK").contains("--hide-text"))
        #expect(
            AlertProgram.kdialog.fieldArguments(alert, secret, "OK").last
                == "--password=<qt>a_b<br>&lt;b&gt;<br>Word</qt>")
        // Every user of the machine can read the arguments of a process (proc(5)).
        let known = AlertDialog.Field(placeholder: "Word", text: "hunter2", isSecret: true)
        for program in AlertProgram.all {
            #expect(!program.fieldArguments(alert, known, "OK").joined().contains("hunter2"))
            #expect(program.text(status: 0, output: "a\n") == "a")
            #expect(program.text(status: 1, output: "a\n") == nil)
        }
    }

    @Test func `KDialog prints the number of the chosen row`() {
        let program = AlertProgram.kdialog
        #expect(
            program.arguments(Self.alert) == [
                "--title=--Tea", "--menu=<qt>a_b<br>&lt;b&gt;</qt>", "--", "0", "Pour", "1",
                "--help",
            ])
        for (status, output, button) in [
            (0, "1\n", 1), (1, "", nil), (0, "2\n", nil), (0, "Pour\n", nil),
        ] as [(Int32, String, Int?)] {
            #expect(program.button(Self.alert, status, output) == button)
        }
    }
}
