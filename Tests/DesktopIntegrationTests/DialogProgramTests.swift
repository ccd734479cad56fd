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
    func `only a typed answer counts as an answer`(name: String) throws {
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
        // 6: no display for Qt; 15: ended by us; 127: not found; -1000: unknown.
        for status in [2, 12, -6, -15, 127, 255, -1_000] as [Int32] {
            #expect(answer(Self.choice, status) == .closed)
            #expect(answer(Self.text, status, "half") == .closed)
        }
        // Without a display zenity exits with 1, its own default, which is not the refusal here.
        if program.name == "zenity" { #expect(answer(Self.choice, 1) == .closed) }
    }
}
