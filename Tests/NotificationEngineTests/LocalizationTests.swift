import Foundation
import NotificationEngine
import NotificationModel
import Reactor
import StoreSupport
import TestSupport
import Testing

@Suite("Texts in the user's language, and sounds, at delivery", .timeLimit(.minutes(2)))
struct LocalizationTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private var resources: String { fixture.directory.path + "/app.resources" }

    private func strings(
        _ language: String, _ text: String, encoding: String.Encoding = .utf8
    ) throws {
        let folder = resources + "/\(language).lproj"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try text.write(
            toFile: folder + "/Localizable.strings", atomically: true, encoding: encoding)
    }

    private func resources(_ languages: String...) -> AppResources {
        AppResources(
            of: ApplicationIdentity(id: app, name: "T", resources: [resources]),
            in: ResourceSurroundings(languages: languages))
    }

    @Test
    func `the first of the user's languages that has the key gives the text`() throws {
        try strings(
            "en", "/* a comment */\n\"MAIL\" = \"%@ wrote %@\"; // another\nONLY = \"only\";\n")
        try strings("de", "\"MAIL\" = \"%2$@ von %1$@ \\\"%%\\\"\";", encoding: .utf16)
        try strings("pt-BR", "\"MAIL\" = \"%@ escreveu\";")
        let text = LocalizedText(key: "MAIL", arguments: ["Anna", "two"])
        #expect(resources("de_DE.UTF-8").text(text) == "two von Anna \"%\"")
        #expect(resources("de_AT@euro", "en").text(text) == "two von Anna \"%\"")
        #expect(resources("pt_BR.UTF-8").text(text) == "Anna escreveu")
        #expect(
            resources("fr_FR").text(text) == "Anna wrote two",
            "without French texts, the app's development language is used")
        #expect(resources().text(text) == "Anna wrote two")
        #expect(resources("de").text(LocalizedText(key: "ONLY")) == "only")
        #expect(resources("de").text(LocalizedText(key: "NONE")) == nil)
        #expect(resources("../de", "").text(text) == "Anna wrote two")
    }

    /// A vowel sign and the `@` before it form one `Character`.
    @Test func `an argument is inserted even if a vowel sign follows its placeholder`()
        throws
    {
        try strings("bn", #""FROM" = "%@ের বার্তা"; "BOTH" = "%2$@ের %1$@ের";"#)
        let names = ["অনিক", "মীনা"]
        #expect(
            resources("bn_BD.UTF-8").text(LocalizedText(key: "FROM", arguments: names))
                == "অনিকের বার্তা")
        #expect(
            resources("bn_BD.UTF-8").text(LocalizedText(key: "BOTH", arguments: names))
                == "মীনাের অনিকের")
    }

    @Test(arguments: [
        ("zh_CN.UTF-8", "zh-Hans"), ("zh_CN", "zh-hans"), ("zh_TW", "zh-Hant"),
        ("zh_HK", "zh-hant"), ("pt_BR", "pt-br"), ("zh_CN", "zh"), ("zh_HK", "zh-Hant-HK"),
        ("zh_Hans_TW", "zh-Hans"), ("sr_RS.UTF-8@latin", "sr-Latn"), ("sr@latin", "sr-latn"),
        ("sr_RS", "sr-Cyrl"), ("uz_UZ@cyrillic", "uz-Cyrl"), ("ca_ES@valencia", "ca"),
    ])
    func `a language's folder is found by its script, and also in SwiftPM's spelling`(
        language: String, folder: String
    ) throws {
        try strings(folder, "\"TEA\" = \"found\";")
        try strings("en", "\"TEA\" = \"tea\";")
        #expect(resources(language).text(LocalizedText(key: "TEA")) == "found")
        #expect(resources("de_DE").text(LocalizedText(key: "TEA")) == "tea")
    }

    @Test func `the script of a locale is preferred to the usual script of the language`() throws {
        try strings("sr", "\"TEA\" = \"чај\";")
        try strings("sr-Latn", "\"TEA\" = \"čaj\";")
        let text = LocalizedText(key: "TEA")
        #expect(resources("sr_RS.UTF-8@latin").text(text) == "čaj")
        #expect(resources("sr_RS.UTF-8").text(text) == "чај")
    }

    @Test
    func `a strings file may be any property list, and a damaged strings file is skipped`() throws {
        try strings("en", "\"K\" = \"old\";")
        try strings(
            "de",
            """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>K</key><string>xml</string></dict></plist>
            """)
        try strings("fr", "\"K\" = ;;;")
        #expect(resources("de").text(LocalizedText(key: "K")) == "xml")
        #expect(resources("fr").text(LocalizedText(key: "K")) == "old")
    }

    @Test(
        arguments: [
            (["LANG": "de_DE.UTF-8"], ["de_DE.UTF-8"]),
            (["LANG": "de_DE", "LC_MESSAGES": "fr_FR"], ["fr_FR"]),
            (["LANG": "de_DE", "LANGUAGE": "pt_BR:es", "LC_ALL": ""], ["pt_BR", "es", "de_DE"]),
            (["LANG": "C", "LANGUAGE": "de"], []), ([:], []),
        ] as [([String: String], [String])])
    func `the user's languages are read from the environment as gettext reads them`(
        variables: [String: String], languages: [String]
    ) {
        #expect(ResourceSurroundings(environment: variables).languages == languages)
    }

    private func start(
        in language: String = "de_DE", needsPermission: Bool = false
    ) async throws -> CenterEngine {
        var configuration = EngineConfiguration(
            layout: fixture.layout, hosting: "embedded", version: "1.0", zones: .sample)
        configuration.surroundings = ResourceSurroundings(languages: [language])
        let engine = try await CenterEngine.start(
            configuration, presenter: presenter, clock: fixture.clock, reactor: fixture.reactor)
        var application = ApplicationIdentity(id: app, name: "T", resources: [resources])
        application.needsPermission = needsPermission
        _ = try await engine.connect(application, asksBeforePresenting: false) { _ in }
        return engine
    }

    @Test
    func `the permission question is in the user's language`() async throws {
        let engine = try await start(needsPermission: true)
        let answer = Task { try await engine.requestAuthorization(.alert, for: .tocsin) }
        let question = try await presenter.presentations.first(1)[0]
        #expect(
            question.notification.request.content.title == "„T“ möchte dir Mitteilungen senden")
        #expect(question.category?.actions.map(\.title) == ["Erlauben", "Nicht erlauben"])
        presenter.respond(PermissionPopup.key(of: app), .custom(PermissionPopup.allow))
        #expect(try await answer.value)
    }

    @Test
    func `the summary of late notifications is in the user's language`() async throws {
        let engine = try await start()
        for index in 1...12 {
            try await engine.add(.after(Double(index), "r\(index)"), attachments: [], for: app)
        }
        try await engine.rest()
        fixture.clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(10)
        try await engine.rest()
        fixture.clock.advance(by: .seconds(1))
        let shown = try await presenter.presentations.first(11)
        let content = try #require(shown.last).notification.request.content
        #expect(content.title == "2 weitere Mitteilungen")
        #expect(content.body == "Während deiner Abwesenheit: r11, r12")
    }

    @Test
    func `a key is looked up when its request is due, not when the request is added`() async throws
    {
        let engine = try await start()
        var request = NotificationRequest.after(60, "a")
        request.content.title = "You have mail"
        request.content.subtitle = "stays"
        request.content.localization = ContentLocalization(
            title: LocalizedText(key: "MAIL"), subtitle: LocalizedText(key: "UNKNOWN"))
        try await engine.add(request, attachments: [], for: app)
        let pending = try await engine.pending(of: app)
        #expect(pending.map(\.request) == [request])
        try strings("de", "\"MAIL\" = \"Du hast Post\";")
        fixture.clock.advance(by: .seconds(60))
        let shown = try await presenter.presentations.first(1)[0].notification.request.content
        #expect(shown.title == "Du hast Post" && shown.subtitle == "stays")
        try await engine.rest()
        let kept = try await engine.delivered(of: app).first?.request.content
        #expect(kept?.title == "Du hast Post")
        #expect(
            kept?.localization == nil, "the delivered notification has the shown text, and no key")
    }

    /// If the first firing stored its texts, later firings would keep the first language.
    @Test
    func `a repeating request keeps its keys and fires in the user's current language`()
        async throws
    {
        try strings("de", "\"MAIL\" = \"Du hast Post\";")
        try strings("fr", "\"MAIL\" = \"Vous avez du courrier\";")
        var request = NotificationRequest.after(60, "a", repeats: true)
        request.content.title = "You have mail"
        request.content.localization = ContentLocalization(title: LocalizedText(key: "MAIL"))
        let german = try await start()
        try await german.add(request, attachments: [], for: app)
        fixture.clock.advance(by: .seconds(60))
        try await presenter.presentations.first(1)
        try await german.rest()
        #expect(try await german.pending(of: app).map(\.request) == [request])
        await german.stop()
        let french = try await start(in: "fr_FR")
        fixture.clock.advance(by: .seconds(60))
        let shown = try await presenter.presentations.first(2)
        #expect(
            shown.map(\.notification.request.content.title)
                == ["Du hast Post", "Vous avez du courrier"])
        await french.stop()
    }

    @Test
    func `a push shows the texts of its keys, or a key itself if the key has no text`() async throws
    {
        try strings("de", "\"SCORE\" = \"%@ zu %@\";")
        let engine = try await start()
        let payload = #"""
            {"aps":{"alert":{"title-loc-key":"GOAL","loc-key":"SCORE","loc-args":["1","0"]}}}
            """#
        _ = try await engine.push(
            Array(payload.utf8), collapseIdentifier: nil, for: app)
        let content = try await presenter.presentations.first(1)[0].notification.request.content
        #expect(content.title == "GOAL" && content.body == "1 zu 0")
    }

    @Test(arguments: [
        ("short.wav", SoundChoice.file("short.wav")), ("long.wav", .standard),
        ("missing.wav", .standard), ("bell-terminal", .theme("bell-terminal")),
    ])
    func `a named sound is a file, a sound of the theme, or the default sound`(
        name: String, choice: SoundChoice
    ) async throws {
        try FileManager.default.createDirectory(
            atPath: resources, withIntermediateDirectories: true)
        for (name, seconds) in [("short.wav", 1), ("long.wav", 31)] {
            try Data(SoundFileTests.wave(seconds: seconds)).write(
                to: URL(fileURLWithPath: resources + "/" + name))
        }
        let engine = try await start()
        var request = NotificationRequest.sample("a")
        request.content.sound = NotificationSound(.named(name))
        try await engine.add(request, attachments: [], for: app)
        let shown = try await presenter.presentations.first(1)[0]
        if case .file(let name) = choice {
            #expect(shown.sound == .file(resources + "/" + name))
        } else {
            #expect(shown.sound == choice)
        }
        #expect(shown.notification.request.content.sound == request.content.sound)
    }

    // MARK: Files that hang

    @Test(arguments: ["pipe", "zeros", "folder", "large"])
    func `a path that is not a usable strings file is skipped at once`(kind: String) throws {
        try strings("en", "\"K\" = \"english\";")
        let folder = resources + "/de.lproj"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/Localizable.strings"
        switch kind {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "zeros":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "/dev/zero")
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        default:
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(truncate(path, 1 << 40) == 0)
        }
        #expect(resources("de").text(LocalizedText(key: "K")) == "english")
        #expect(resources("de").sound(named: "de.lproj/Localizable.strings")?.isPlayable != true)
    }

    @Test func `an app whose files hang gets untranslated popups and delays no other app`()
        async throws
    {
        let engine = try await fixture.start()
        let hung = try ApplicationID("org.example.Hung")
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // The read never returns, as on a file system that is gone.
        let end = ends[0]
        let given = await engine.readFiles(of: hung, within: .milliseconds(20)) {
            var byte: UInt8 = 0
            return read(end, &byte, 1)
        }
        #expect(given == nil)
        var request = NotificationRequest.sample("hung", nil, title: "as it is")
        request.content.localization = ContentLocalization(title: LocalizedText(key: "K"))
        request.content.sound = NotificationSound(.named("chime.wav"))
        try await engine.add(request, attachments: [], for: hung)
        try await engine.add(.sample("other"), attachments: [], for: app)
        let shown = try await presenter.presentations.first(2)
        #expect(
            Set(shown.map(\.notification.request.content.title)) == ["as it is", "other"])
        let path = try fixture.directory.write(TestPNG.bytes, to: "a.png")
        request.content.attachments = [
            NotificationAttachment(identifier: "a", path: path, type: "public.png")
        ]
        let file = try OpenFile(path: path)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(request, attachments: [file], for: hung)
        }
        #expect(error?.code == .attachmentNotStored)
        _ = write(ends[1], "x", 1)
        await engine.stop()
    }
}
