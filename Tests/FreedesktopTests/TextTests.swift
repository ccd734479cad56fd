import NotificationModel
import TestSupport
import Testing

@testable import Freedesktop

/// A popup shows text as typed: never as markup, never with visible entities.
struct TextTests {
    private func body(_ text: String, _ capabilities: Set<String>) throws -> String {
        NotifyArguments(
            try Samples.presentation(content: .with { $0.body = text }),
            for: Samples.server("", capabilities)
        ).body
    }

    @Test(arguments: [
        ("<b>bold</b>", "&lt;b&gt;bold&lt;/b&gt;"),
        ("Tom & Jerry", "Tom &amp; Jerry"), ("&amp;", "&amp;amp;"),
        ("<a href=\"http://x\">y</a>", "&lt;a href=&quot;http://x&quot;&gt;y&lt;/a&gt;"),
        ("a < b, <b", "a &lt; b, &lt;b"), ("it's", "it&apos;s"), ("</body", "&lt;/body"),
        ("<img src=file:/etc/passwd>", "&lt;img src=file:/etc/passwd&gt;"),
        ("plain\n\tÜ 🎈", "plain\n\tÜ 🎈"), ("<\u{301}", "&lt;\u{301}"),
    ])
    func `a body is escaped once for a server that reads markup, and unchanged for others`(
        text: String, escaped: String
    ) throws {
        #expect(Array(try body(text, ["body", "body-markup"]).utf8) == Array(escaped.utf8))
        #expect(Array(try body(text, ["body"]).utf8) == Array(text.utf8))
    }

    @Test func `a hostile body has no markup on a server that reads markup`() throws {
        for text in HostileTexts.all {
            let body = try body(text, ["body", "body-markup"]).unicodeScalars
            #expect(!body.contains("<") && !body.contains(">"), "\(text.debugDescription)")
            #expect(
                body.allSatisfy {
                    $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
                })
        }
    }

    @Test func `a title is sent as typed to every server`() throws {
        let presentation = try Samples.presentation(content: .with { $0.title = "<b>&amp;</b>" })
        for capabilities in [["body", "body-markup"], ["body"], []] as [Set<String>] {
            let arguments = NotifyArguments(presentation, for: Samples.server("", capabilities))
            #expect(arguments.summary.hasPrefix("<b>&amp;</b>"))
        }
    }

    @Test func `the subtitle is the first line, and bold on a server that reads markup`() throws {
        let content = NotificationContent.with { $0.subtitle = "A & B" }
        let presentation = try Samples.presentation(content: content)
        let rich = NotifyArguments(presentation, for: Samples.server("", ["body", "body-markup"]))
        #expect(rich.body == "<b>A &amp; B</b>\nText")
        let plain = NotifyArguments(presentation, for: Samples.server("", ["body"]))
        #expect(plain.body == "A & B\nText")
        let alone = NotifyArguments(
            try Samples.presentation(
                content: .with {
                    $0.subtitle = "A"
                    $0.body = ""
                }), for: Samples.server("", ["body", "body-markup"]))
        #expect(alone.body == "<b>A</b>")
    }

    @Test(arguments: [
        ("a\nb", "a\nb", "a b"), ("a\r\nb", "a\nb", "a b"), ("a\rb", "a\nb", "a b"),
        ("a\u{2028}b\u{2029}c\u{85}d", "a\nb\nc\nd", "a b c d"),
        ("a\u{B}b\u{C}c", "a\nb\nc", "a b c"),
        ("a\tb", "a\tb", "a b"), ("a\u{0}\u{7}\u{1B}[31m\u{7F}\u{9B}b", "a[31mb", "a[31mb"),
        ("\n\r\n\r", "\n\n\n", "   "),
    ])
    func `a body keeps line breaks and tabs, a line gets spaces, and other controls are removed`(
        text: String, body: String, line: String
    ) {
        #expect(PlainText.body(text) == body)
        #expect(PlainText.line(text) == line)
    }

    @Test func `every control character is removed or becomes white space`() {
        for value in Array(0..<0x20) + Array(0x7F...0x9F) as [UInt32] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)b"
            let line = PlainText.line(text)
            #expect(["ab", "a b"].contains(line), "\(value)")
            #expect(["ab", "a\nb", "a\tb"].contains(PlainText.body(text)), "\(value)")
        }
    }

    /// Plasma 5.27 reads a body as XML, and drew only "before" of "before\u{FFFF}after".
    @Test func `a scalar that XML does not have is removed`() {
        #expect(PlainText.body("a\u{FFFE}b\u{FFFF}c\u{FFFD}d") == "abc\u{FFFD}d")
        #expect(PlainText.line("a\u{FFFF}b") == "ab")
    }

    @Test func `a million combining marks and ten megabytes are cut`() throws {
        let marks = "e" + String(repeating: "\u{301}", count: 1_000_000)
        let huge = String(repeating: "0123456789", count: 1_000_000)
        let content = NotificationContent.with {
            $0.title = huge
            $0.subtitle = marks
            $0.body = marks
        }
        let presentation = try Samples.presentation(content: content)
        for capabilities in [["body", "body-markup"], ["body"], []] as [Set<String>] {
            let arguments = NotifyArguments(presentation, for: Samples.server("", capabilities))
            #expect(arguments.summary.unicodeScalars.count <= Limits.screenLine.most + 1)
            #expect(arguments.summary.hasSuffix("…"))
            let limit = Limits.screenLine.most + Limits.screenText.most + 16
            #expect(arguments.body.unicodeScalars.count <= limit)
        }
        #expect(PlainText.line(String(repeating: "x", count: 512)).hasSuffix("x"))
        #expect(PlainText.line(String(repeating: "\u{0}", count: 10_000_000)) == "…")
    }

    @Test func `a cut body is still well-formed markup`() throws {
        let text = try body(String(repeating: "&", count: 100_000), ["body", "body-markup"])
        #expect(text == String(repeating: "&amp;", count: Limits.screenText.most) + "…")
    }
}
