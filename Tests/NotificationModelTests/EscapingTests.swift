import Foundation
import NotificationModel
import TestSupport
import Testing

/// Each parser reads an escaped text back unchanged, whatever the text contains.
///
/// The parsers are real ones: sh, GLib, Python, systemd. They read bytes or scalars. An escaper
/// that compares `Character`s fails here when U+0301 follows a special character.
@Suite(.timeLimit(.minutes(5))) struct EscapingTests {
    /// An escaped text, and the text that the reader must return.
    private struct Trial: Encodable {
        var reader: String
        var written: String
        var expected: String
    }

    /// Runs the readers in Python and returns the differences that they found.
    private static func differences(_ trials: [Trial]) async throws -> String {
        let folder = NSTemporaryDirectory() + "escaping-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try JSONEncoder().encode(trials).write(to: URL(filePath: "\(folder)/trials"))
        return try await RunningProgram.run(
            "/usr/bin/python3", ["-c", program, "\(folder)/trials"], within: 120)
    }

    private static let program = #"""
        import json, re, subprocess, sys, unicodedata, urllib.parse, xml.etree.ElementTree
        from gi.repository import Gio, GLib

        def key(written, name):
            text = "[Desktop Entry]\nType=Application\nAAA=1\nName=%s\nZZZ=last\n" % written
            file = GLib.KeyFile()
            file.load_from_bytes(GLib.Bytes.new(text.encode()), GLib.KeyFileFlags.NONE)
            assert file.get_groups()[0] == ["Desktop Entry"], "another group"
            assert file.get_keys("Desktop Entry")[0] == ["Type", "AAA", "Name", "ZZZ"]
            return file.get_string("Desktop Entry", "Name")
        def sh(shell, written):
            command = "printf '%%s\\0' before %s after" % written
            out = subprocess.run([shell, "-c", command], capture_output=True, check=True).stdout
            return out.decode().split("\0")[1:-2]
        def exec_words(written):
            ok, words = GLib.shell_parse_argv(key(written, "Exec"))
            assert not re.search("%(?!%)", "".join(words).replace("%%", "")), "a field code"
            return [word.replace("%%", "%") for word in words]
        def xml_text(written):
            node = xml.etree.ElementTree.fromstring("<a b=\"%s\"><c/>%s</a>" % (written, written))
            assert len(node) == 1 and list(node.attrib) == ["b"]
            return node[0].tail or ""
        def calendar(written):
            lines = re.sub("\r\n[ \t]", "", written).split("\r\n")
            assert len(lines) == 2 and lines[1] == "", lines
            assert all(len(l.encode()) <= 75 for l in written.split("\r\n")), "a long line"
            value = lines[0].removeprefix("X:")
            assert not re.search(r"(?<!\\)(\\\\)*[;,]", value), "a separator"
            return re.sub(r"\\(.)", lambda m: "\n" if m[1] in "nN" else m[1], value)
        def harmless(written, allowed):
            for c in written:
                if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp"):
                    assert c in allowed + "\u200c\u200d", repr(c)
        def json_text(written):
            harmless(written, "")
            return json.loads(written)
        def terminal(written, allowed):
            harmless(re.sub("\x1b\\[[0-9;]{0,8}m", "", written), allowed)
        readers = {
            "value": lambda w: key(w, "Name"),
            "sh": lambda w: " ".join(sh("sh", w)), "bash": lambda w: " ".join(sh("bash", w)),
            "exec": lambda w: " ".join(exec_words(w)),
            "gvariant": lambda w: GLib.Variant.parse(None, w, None, None).unpack(),
            "gvariants": lambda w: "".join(GLib.Variant.parse(None, w, None, None).unpack()),
            "xml": xml_text, "calendar": calendar, "json": json_text,
            "uri": lambda w: Gio.File.new_for_uri(w).get_path(),
            "unquote": lambda w: urllib.parse.unquote(w.removeprefix("file://")),
            "line": lambda w: terminal(w, ""), "output": lambda w: terminal(w, "\n\t"),
        }
        for trial in json.load(open(sys.argv[1])):
            try:
                found = readers[trial["reader"]](trial["written"])
                if found is not None and found != trial["expected"]:
                    print(trial["reader"], ascii(trial["written"]), "is", ascii(found))
            except Exception as error:
                print(trial["reader"], ascii(trial["written"]), "fails:", ascii(str(error)))
        """#

    @Test(.enabled(if: pythonReads, "python3 with GLib is not installed"))
    func `each parser reads an escaped hostile text back unchanged`() async throws {
        var trials: [Trial] = []
        func add(_ reader: String, _ written: String, _ expected: String) {
            trials.append(Trial(reader: reader, written: written, expected: expected))
        }
        for text in HostileTexts.all {
            let whole = text.replacing("\0", with: "")
            for shell in ["sh", "bash"] {
                add(shell, ShellQuoting.word(text), whole)
                add(shell, ShellQuoting.line(["x", whole]), "x \(whole)")
            }
            add("value", DesktopFileEscaping.value(text), whole)
            add("exec", DesktopFileEscaping.value(Self.exec(["a", text])), "a \(whole)")
            add("gvariant", GVariantEscaping.string(text), whole)
            add("gvariants", GVariantEscaping.strings([text, "b"]), whole + "b")
            add("json", JSONEscaping.string(text), text)
            add(
                "calendar", ICalendarEscaping.folded("X:" + ICalendarEscaping.text(text)),
                Self.breaks(text))
            add("line", TerminalEscaping.line(text), "")
            add("line", text.quotedForMessage(), "")
            add("output", TerminalEscaping.output(text), "")
            add("unquote", FileURI.text(ofPath: "/" + text), "/" + text)
        }
        for text in HostileTexts.withoutNUL {
            let path = "/a/\(text)b"
            #expect(FileURI.path(of: FileURI.text(ofPath: path)) == path)
            add("uri", FileURI.text(ofPath: path), path)
            // XML permits no control characters, not even as entities. The presenter removes them
            // before it escapes a text.
            let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter(Self.isXML)))
            add("xml", MarkupEscaping.text(plain), plain)
        }
        #expect(try await Self.differences(trials) == "")
    }

    @Test(
        arguments: [
            "file:///%+f", "file:///%-1", "file:///%f", "file:///a%", "file:///%zz", "file:///%00",
            "file:///%ff", "file://host/a", "/a",
        ])
    func `a text that is not a file URI has no path`(text: String) {
        #expect(FileURI.path(of: text) == nil)
    }

    private static func exec(_ words: [String]) -> String {
        words.map(DesktopFileEscaping.execArgument).joined(separator: " ")
    }

    /// Returns a text as iCalendar keeps it: with line feeds for line breaks, with tabs, and
    /// without other control characters.
    private static func breaks(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}": result.append("\n")
            case _ where scalar != "\t" && (scalar.value < 0x20 || scalar.value == 0x7F): break
            default: result.append(scalar)
            }
            previous = scalar
        }
        return String(result)
    }

    private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
    }

    private static var pythonReads: Bool {
        let program = "from gi.repository import Gio"
        let python = try? ChildProcess(
            "/usr/bin/python3", ["-c", program], errorFile: "/dev/null")
        return python?.waitUntilExit() == 0
    }

    @Test(
        .enabled(
            if: RunningProgram.path(of: "systemd-escape") != nil, "systemd-escape is not installed")
    )
    func `systemd reads an escaped part of a unit name back unchanged`() async throws {
        let texts = HostileTexts.withoutNUL.filter { !$0.isEmpty }
        let names = texts.map(SystemdEscaping.unitName)
        for name in names {
            #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        }
        // No text contains this separator.
        let script = "for name do systemd-escape -u -- \"$name\"; echo '<end>'; done"
        let read = try await RunningProgram.run("sh", ["-c", script, "sh"] + names)
        #expect(read + "\n" == texts.map { $0 + "\n<end>\n" }.joined())
    }

    @Test func `the parsers of Tocsin read back the texts that Tocsin's escapers write`() throws {
        for text in HostileTexts.all {
            let json = try JSONReader.value(of: Array(JSONEscaping.string(text).utf8))
            #expect(json == .string(text))
            let value = ICalendarEscaping.text(text)
            #expect(
                Array(ICalendarEscaping.unescaped(value).unicodeScalars)
                    == Array(Self.breaks(text).unicodeScalars))
            let whole = text.replacing("\0", with: "")
            #expect(
                Array(DesktopFileEscaping.text(ofValue: DesktopFileEscaping.value(text)).utf8)
                    == Array(whole.utf8))
            let name = ActionNameEscaping.name(text)
            #expect(ActionNameEscaping.type(name).map { Array($0.utf8) } == Array(text.utf8))
            let argument = SystemdEscaping.argument(text).unicodeScalars
            #expect(argument.count { $0 == "$" } == 2 * text.unicodeScalars.count { $0 == "$" })
            let group = DesktopFileEscaping.group(text).utf8
            #expect(!group.contains { $0 < 0x20 || "[]".utf8.contains($0) })
        }
    }

    /// Returns the text that a reader finds; nil if a special character is not escaped.
    private static func read(
        _ written: String, _ sequences: [(String, String)], signs: String
    ) -> String? {
        var result = String.UnicodeScalarView()
        var rest = written.unicodeScalars[...]
        while let scalar = rest.first {
            if let (sequence, meaning) = sequences.first(where: {
                rest.starts(with: $0.0.unicodeScalars)
            }) {
                result.append(contentsOf: meaning.unicodeScalars)
                rest = rest.dropFirst(sequence.unicodeScalars.count)
            } else {
                guard !signs.unicodeScalars.contains(scalar) else { return nil }
                result.append(rest.removeFirst())
            }
        }
        return String(result)
    }

    /// kdialog, zenity, man, systemd and KConfig are not installed everywhere, so none of these
    /// programs runs here.
    @Test func `each escaper escapes all special characters of its reader`() {
        let entities = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("<br>", "\n")]
        let manual = [("\\e", "\\"), ("\\-", "-"), ("\\&", ""), ("\\(dq", "\"")]
        let bytes = (UInt8.min...UInt8.max).map { byte in
            (String(format: "%02x", byte), String(Unicode.Scalar(byte)))
        }
        let group = [("\\\\", "\\"), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r")]
        func same(_ found: String?, _ text: String) -> Bool {
            found.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars)
        }
        for text in HostileTexts.all {
            let rich = String(
                String.UnicodeScalarView(
                    MarkupEscaping.richText(text).unicodeScalars.dropFirst(4).dropLast(5)))
            #expect(
                same(
                    Self.read(rich, entities + [("&#92;", "\\")], signs: "&<>\n\\"), text))
            let label = MarkupEscaping.zenityLabel(text)
            #expect(same(Self.read(label, [("\\\\", "\\"), ("__", "_")], signs: "\\_"), text))
            let button = MarkupEscaping.zenityButton(text)
            #expect(same(Self.read(button, [("__", "_")], signs: "_"), text))
            // The escaper changes only labels with a `<`, so each label here begins with `<`.
            let tagged = MarkupEscaping.label("<" + text)
            #expect(same(Self.read(tagged, entities, signs: "&<>"), "<" + text))
            let mnemonic = MarkupEscaping.mnemonicLabel(text + "& &")
            let marks = [("&&\u{A0}", "& "), ("&&", "&")]
            #expect(same(Self.read(mnemonic, marks, signs: "&"), text + "& &"))
            let line = text.replacingScalars { $0 == "\n" || $0 == "\r" ? " " : nil }
            for (written, signs) in [
                (MarkupEscaping.manual(text), "\\-\n\r"),
                (MarkupEscaping.manualArgument(text), "\\-\n\r\""),
            ] {
                #expect(same(Self.read(written, manual, signs: signs), line))
                #expect(!written.hasPrefix(".") && !written.hasPrefix("'"))
            }
            let name = DesktopFileEscaping.group(text)
            let known = group + bytes.map { ("\\x" + $0.0, $0.1) }
            #expect(same(Self.read(name, known, signs: "\\[]$\n"), text))
            let label8 = Self.read(
                SystemdEscaping.busLabel(text), bytes.map { ("_" + $0.0, $0.1) }, signs: "_")
            #expect(label8?.unicodeScalars.map(\.value) == text.utf8.map { UInt32($0) })
        }
    }

    @Test func `these tests use every escaper`() throws {
        let file = URL(filePath: #filePath)
        let tables = try String(contentsOf: file, encoding: .utf8)
        let folder = file.deletingLastPathComponent().appending(
            path: "../../Sources/NotificationModel/Escaping")
        let sources = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        var escapers = 0
        for source in sources {
            let type = source.deletingPathExtension().lastPathComponent
            let text = try String(contentsOf: source, encoding: .utf8)
            for match in text.matches(of: /package static func (?!is[A-Z])(\w+)/) {
                escapers += 1
                #expect(tables.contains("\(type).\(match.1)"))
            }
        }
        #expect(escapers > 20)
    }

    @Test func `a word that needs no quotes has no special character of any shell`() {
        for text in HostileTexts.all where ShellQuoting.isPlain(text) {
            #expect(text.utf8.allSatisfy { !"'\"\\$`;&|<>*~#(){}[] \n\r\t!?^".utf8.contains($0) })
        }
        #expect(ShellQuoting.line(["A=b", "A=b"]) == "'A=b' A=b")
    }

    @Test func `output for a terminal keeps its colours and escapes every other control character`()
    {
        let text = "a\u{1B}[1;32mgood\u{1B}[0m\n\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}m\u{202E}\u{1B}[1"
        #expect(
            TerminalEscaping.output(text)
                == "a\u{1B}[1;32mgood\u{1B}[0m\n\\u{1b}[2J\\u{1b}]0;x\\u{7}\\u{9b}m\\u{202e}\\u{1b}[1"
        )
    }
}
