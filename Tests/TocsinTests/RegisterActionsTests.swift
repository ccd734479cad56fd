import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import tocsin

/// The name and the quick actions of an `Info.plist` beside a registered program.
@Suite(.timeLimit(.minutes(2))) struct RegisterActionsTests {
    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/x.dtd">
        <!-- <dict> in a comment -->
        <plist version="1.0">
        <dict>
            <key>CFBundleName</key><string/>
            <key>UIApplicationShortcutItems</key>
            <array>
                <dict>
                    <key>UIApplicationShortcutItemType</key><string>tea.new</string>
                    <key>UIApplicationShortcutItemTitle</key><string>NEW_TEA</string>
                    <key>UIApplicationShortcutItemSubtitle</key><string>A &amp; B &#65;</string>
                    <key>UIApplicationShortcutItemIconFile</key><string>leaf</string>
                    <key>UIApplicationShortcutItemUserInfo</key>
                    <dict><key>hot</key><true/><key>cups</key><integer>2</integer></dict>
                </dict>
                <dict>
                    <key>UIApplicationShortcutItemType</key><string>tea.find</string>
                    <key>UIApplicationShortcutItemTitle</key>
                    <string><![CDATA[Find <all>]]></string>
                    <key>UIApplicationShortcutItemIconSymbolName</key>
                    <string>magnifyingglass</string>
                </dict>
            </array>
        </dict>
        </plist>
        """

    /// An `Info.plist` with only the name.
    private static let tea = Data(
        "<plist><dict><key>CFBundleName</key><string>Tea</string></dict></plist>".utf8)

    private struct Run {
        var status: Int32
        var errors: String
        var entry: DesktopFileText
    }

    /// Registers a program with these files beside it.
    private func registered(
        _ files: [String: Data], id: String = "org.example.Tea"
    ) async throws -> Run {
        let home = NSTemporaryDirectory() + "actions-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: home) }
        for (name, data) in files {
            let path = URL(fileURLWithPath: "\(home)/app/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: path)
        }
        try await ShellScript.write("exit", to: home + "/app/tea")
        let run = try await ProgramTests.run(
            "tocsin", ["register", home + "/app/tea", "--id", id],
            environment: ["HOME": home, "PATH": "/usr/bin:/bin", "XDG_DATA_HOME": home + "/data"])
        let entry = FileManager.default.contents(
            atPath: "\(home)/data/applications/\(id).desktop")
        let text = String(decoding: entry ?? Data(), as: UTF8.self)
            .replacingOccurrences(of: home, with: "HOME")
        return Run(status: run.status, errors: run.errors, entry: DesktopFileText(text))
    }

    @Test func `the actions, their titles in each language and their icons are registered`()
        async throws
    {
        let german = try #require("\"NEW_TEA\" = \"Neuer \\\"Tee\\\"\";\n".data(using: .utf16))
        let run = try await registered([
            "Info.plist": Data(Self.plist.utf8), "leaf@2x.png": Data([1]),
            "en.lproj/InfoPlist.strings": Data("/* c */ NEW_TEA = \"New tea\"; // x\n".utf8),
            "de.lproj/InfoPlist.strings": german,
            "Tea_Tea.resources/pt-BR.lproj/InfoPlist.strings": Data(
                "<plist><dict><key>NEW_TEA</key><string>Novo</string></dict></plist>".utf8),
        ])
        #expect(run.status == 0, "\(run.errors)")
        let actions = run.entry.quickActions
        #expect(actions.map(\.title) == ["New tea", "Find <all>"])
        let first = try #require(actions.first)
        #expect(first.titles == ["en": "New tea", "de": "Neuer \"Tee\"", "pt_BR": "Novo"])
        #expect(first.subtitle == "A & B A")
        #expect(first.icon.hasSuffix("HOME/app/leaf@2x.png"))
        #expect(first.userInfo == ["hot": .boolean(true), "cups": .integer(2)])
        #expect(actions.last?.icon == "edit-find")
        #expect(run.entry.value("Actions") == "tea-2Enew;tea-2Efind;")
    }

    @Test func `the registered name and its translations come from the Info.plist`() async throws {
        let list = Data(
            "<plist><dict><key>CFBundleDisplayName</key><string>Tea</string></dict></plist>".utf8)
        let run = try await registered([
            "Info.plist": list,
            "Tea_Tea.resources/zh-hans.lproj/InfoPlist.strings": Data(
                "CFBundleDisplayName = \"茶\";".utf8),
            "fr.lproj/InfoPlist.strings": Data("CFBundleName = \"Thé\";".utf8),
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.entry.value("Name") == "Tea")
        #expect(run.entry.value("Name[zh_CN]") == "茶")
        #expect(run.entry.value("Name[fr]") == nil)
    }

    /// Readers of desktop files look for `sr@latin`, and would never show the texts of `sr_latn`.
    @Test func `a language with a script or a variant has the key that desktops look for`()
        async throws
    {
        let names = [
            "sr-Latn": "sr@latin", "sr-cyrl": "sr", "uz-Cyrl-UZ": "uz_UZ@cyrillic",
            "ca-valencia": "ca@valencia", "zh-Hant-HK": "zh_HK", "zh-hant": "zh_TW",
            "es-419": "es_419", "az-Arab": "az@arab", "az-Latn": "az", "be-Cyrl": "be",
            "bs-Latn": "bs", "ks-Arab": "ks", "sd-Arab": "sd", "tt-Cyrl": "tt",
        ]
        var files = ["Info.plist": Self.tea]
        for name in names.keys {
            files["\(name).lproj/InfoPlist.strings"] = Data("CFBundleName = \"\(name)\";".utf8)
        }
        let run = try await registered(files)
        #expect(run.status == 0, "\(run.errors)")
        for (name, key) in names {
            #expect(run.entry.value("Name[\(key)]") == name)
        }
    }

    /// The order of the folders in the file system must not decide which texts are used.
    @Test func `of two language folders with the same key, the last by name gives the texts`()
        async throws
    {
        let names = ["sr", "sr-Cyrl", "zh-Hant-HK", "zh-HK"]
        var files = ["Info.plist": Self.tea]
        for name in names {
            files["\(name).lproj/InfoPlist.strings"] = Data("CFBundleName = \"\(name)\";".utf8)
        }
        let run = try await registered(files)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.entry.value("Name[sr]") == "sr")
        #expect(run.entry.value("Name[zh_HK]") == "zh-Hant-HK")
    }

    @Test func `the app's own English texts come before those of its bundles`() async throws {
        let run = try await registered([
            "Info.plist": Self.tea,
            "en.lproj/InfoPlist.strings": Data("CFBundleName = \"Own\";".utf8),
            "A_A.resources/en.lproj/InfoPlist.strings": Data("CFBundleName = \"A\";".utf8),
            "B_B.resources/en.lproj/InfoPlist.strings": Data("CFBundleName = \"B\";".utf8),
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.entry.value("Name") == "Own")
    }

    @Test func `a name with an Xcode variable is replaced by the program's name`() async throws {
        let run = try await registered([
            "Info.plist": Data(
                "<plist><dict><key>CFBundleName</key><string>$(PRODUCT_NAME)</string></dict></plist>"
                    .utf8)
        ])
        #expect(run.entry.value("Name") == "tea")
    }

    @Test func `a program without an Info.plist, or without actions in it, has no actions`()
        async throws
    {
        let empty = Data("<plist><dict/></plist>".utf8)
        for files in [[:], ["Info.plist": empty]] as [[String: Data]] {
            let run = try await registered(files)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.entry.quickActions.isEmpty)
        }
    }

    @Test func `an unreadable Info.plist and an id that is no bus name are errors`() async throws {
        let binary = try await registered(["Info.plist": Data("bplist00".utf8)])
        #expect(binary.status == 65)
        #expect(binary.errors.contains("binary property list"))
        let nameless = try await registered(["Info.plist": Data(Self.plist.utf8)], id: "tea")
        #expect(nameless.status == 64)
        #expect(nameless.errors.contains("is not a valid bus name"))
    }

    @Test(
        arguments: [
            (#""\U00e9\u00E9""#, "éé"), (#""\UD83D\UDE00!""#, "😀!"), (#""\UD83D""#, "\u{FFFD}"),
            (#""\U+0e9\U41""#, "+0e941"), (#""a\n\"\\""#, "a\n\"\\"),
        ])
    func `an escape in a strings file becomes its character`(written: String, text: String) {
        #expect(StringsReader.texts(of: Array("k = \(written);".utf8)) == ["k": text])
    }

    @Test(arguments: [
        "", "<plist>", "<plist><dict>", "<plist><dict><key>a</key></dict></plist>",
        "<plist><string>",
        "<plist><integer>x</integer></plist>", "<plist><data>*</data></plist>", "<plist><", "<!--",
        "<plist><string>&bad;</string></plist>", "<plist><string><![CDATA[x</string></plist>",
    ])
    func `a text that is no property list is an error`(text: String) {
        #expect(throws: PropertyListReader.Failure.self) {
            try PropertyListReader.value(of: Array(text.utf8))
        }
    }

    // `plutil` reads the same values.
    @Test(
        arguments: [
            ("<integer> 5</integer>", .integer(5)), ("<integer>\n+ 7</integer>", .integer(7)),
            ("<integer>0xFF</integer>", .integer(255)), ("<integer>-0X10</integer>", .integer(-16)),
            ("<real> 1.5</real>", .real(1.5)), ("<integer>--5</integer>", nil),
            ("<integer>+-5</integer>", nil), ("<integer>0x</integer>", nil),
            ("<integer/>", nil), ("<integer>5 </integer>", nil),
        ] as [(String, PropertyListValue?)])
    func `the numbers of a property list are read as Apple's readers read them`(
        written: String, value: PropertyListValue?
    ) {
        let list = Array("<plist>\(written)</plist>".utf8)
        #expect((try? PropertyListReader.value(of: list)) == value)
    }

    @Test func `the error about a tag without an end names the missing end`() {
        let failure = #expect(throws: PropertyListReader.Failure.self) {
            try PropertyListReader.value(of: Array("<plist><string".utf8))
        }
        #expect(failure?.reason == "a tag has no end")
    }

    /// Another user may have written the file, for example if the program lies in /tmp.
    @Test(arguments: ["<key>TEXT</key></dict>", "<key>a</key><string>&TEXT;</string></dict>"])
    func `the error about a property list contains no line break or control character`(
        written: String
    ) {
        let list = "<plist><dict>" + written.replacing("TEXT", with: "\n\u{1B}[2J") + "</plist>"
        let failure = #expect(throws: PropertyListReader.Failure.self) {
            try PropertyListReader.value(of: Array(list.utf8))
        }
        #expect(failure?.reason.contains(#"\u{a}\u{1b}[2J"#) == true)
        #expect(failure?.reason.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test(arguments: ["k = v;", "<plist><dict><key>k</key><string>v</string></dict></plist>"])
    func `a strings file of either form may begin with a byte order mark`(text: String) {
        #expect(StringsReader.texts(of: Array(("\u{FEFF}" + text).utf8)) == ["k": "v"])
    }

    @Test(arguments: ["/* a *//* b */", "/* a */ // b\n", "/*/ k = x; /*/", "/***/", "// a /*\n"])
    func `an entry after a comment of a strings file is read`(comment: String) {
        #expect(StringsReader.texts(of: Array((comment + "k = v;").utf8)) == ["k": "v"])
    }

    @Test(
        arguments: [
            ("a<!--c-->b", "ab"), ("<!-- </string> -->a<!----><!--d-->", "a"),
            ("a<![CDATA[<!--b-->]]>c<![CDATA[]]>", "a<!--b-->c"), ("&lt;!--a-->", "<!--a-->"),
        ])
    func `the text of an element continues after a comment`(written: String, text: String) throws {
        let list = "<plist><string>\(written)</string></plist>"
        #expect(try PropertyListReader.value(of: Array(list.utf8)) == .string(text))
    }

    @Test func `a property list that nests too deep is an error`() {
        let text = "<plist>" + String(repeating: "<array>", count: 10_000)
        #expect(throws: PropertyListReader.Failure.self) {
            try PropertyListReader.value(of: Array(text.utf8))
        }
    }

    @Test func `every incomplete property list is an error`() throws {
        let bytes = Array(Self.plist.utf8)
        let end = try #require(Self.plist.range(of: "</dict>\n</plist>"))
        let complete = Self.plist[..<end.lowerBound].utf8.count
        for count in 0..<complete {
            #expect(throws: PropertyListReader.Failure.self) {
                try PropertyListReader.value(of: Array(bytes.prefix(count)))
            }
        }
    }
}
