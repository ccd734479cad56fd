import NotificationModel
import TestSupport
import Testing

/// Quick actions in the text of a desktop file.
struct QuickActionTextTests {
    private static let base = """
        # written by hand
        [Desktop Entry]
        Type=Application
        Name=Tea
        Exec=env TOCSIN_APP_ID=org.example.Tea /opt/tea %U
        Actions=brew;

        [Desktop Action brew]
        Name=Brew

        """

    private let app: ApplicationID

    init() throws { app = try ApplicationID("org.example.Tea") }

    @Test(arguments: HostileTexts.all + ["a.b", "a-b", "-", "--2", "a--2", "-41", "new-window"])
    func `a quick action's type is read back from its action name`(type: String) {
        for number in [1, 2, 17] {
            let name = ActionNameEscaping.name(type, number: number)
            #expect(name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") })
            #expect(!name.isEmpty)
            #expect(ActionNameEscaping.type(name).map { Array($0.utf8) } == Array(type.utf8))
        }
    }

    @Test func `different types and numbers have different action names`() {
        let types = Array(Set(HostileTexts.all.map { Array($0.utf8) }))
        let names = types.flatMap { type in
            [1, 2].map {
                ActionNameEscaping.name(String(decoding: type, as: UTF8.self), number: $0)
            }
        }
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [
        "", "new-window", "a-2e", "a--1", "a--02", "a---2", "a-FF", "ä", "a_b", "-41",
    ])
    func `an action name that encodes no type is refused`(name: String) {
        #expect(ActionNameEscaping.type(name) == nil)
    }

    @Test func `setting a duplicate key leaves one line, and removing the key leaves no line`() {
        let twice = "[Desktop Entry]\nName=Tea\nIcon=a\nExec=tea\nIcon=b\n"
        var text = DesktopFileText(twice)
        text.setValue("c", of: "Icon")
        #expect(text.value("Icon") == "c")
        #expect(text.text == "[Desktop Entry]\nName=Tea\nIcon=c\nExec=tea\n")
        text = DesktopFileText(twice)
        text.setValue(nil, of: "Icon")
        #expect(text.text == "[Desktop Entry]\nName=Tea\nExec=tea\n")
    }

    @Test func `quick actions come after the packager's actions, and a removal restores the text`()
    {
        var text = DesktopFileText(Self.base)
        var action = QuickAction(kind: .fixed, type: "tea.new", title: "New")
        action.icon = "list-add"
        action.titles = ["de": "Neu"]
        text.replaceQuickActions(.fixed, with: [action], app: app)
        text.replaceQuickActions(
            .dynamic, with: [QuickAction(kind: .dynamic, type: "brew", title: "Again")], app: app)
        #expect(
            text.text == """
                # written by hand
                [Desktop Entry]
                Type=Application
                Name=Tea
                Exec=env TOCSIN_APP_ID=org.example.Tea /opt/tea %U
                Actions=brew;tea-2Enew;brew--2;

                [Desktop Action brew]
                Name=Brew
                [Desktop Action tea-2Enew]
                Name=New
                Name[de]=Neu
                Icon=list-add
                Exec=env TOCSIN_QUICK_ACTION=tea-2Enew env TOCSIN_APP_ID=org.example.Tea /opt/tea %U
                X-Tocsin-QuickAction=static
                [Desktop Action brew--2]
                Name=Again
                Exec=env TOCSIN_QUICK_ACTION=brew--2 env TOCSIN_APP_ID=org.example.Tea /opt/tea %U
                X-Tocsin-QuickAction=dynamic

                """)
        text.replaceQuickActions(.fixed, with: [], app: app)
        text.replaceQuickActions(.dynamic, with: [], app: app)
        #expect(text.text == Self.base)
    }

    /// The user may have written these comments.
    @Test func `blank lines and comments after an action are kept when the action is replaced`() {
        let end = """

            # made by hand
            [Desktop Action steep]
            Name=Steep

            # the end

            """
        var text = DesktopFileText(Self.base)
        text.replaceQuickActions(
            .fixed, with: [QuickAction(kind: .fixed, type: "new", title: "New")], app: app)
        text = DesktopFileText(text.text + end)
        text.replaceQuickActions(
            .dynamic, with: [QuickAction(kind: .dynamic, type: "new", title: "Again")], app: app)
        text.replaceQuickActions(.fixed, with: [], app: app)
        text = DesktopFileText(text.text + "\n# last\n")
        text.replaceQuickActions(.dynamic, with: [], app: app)
        #expect(text.text == Self.base + end + "\n# last\n")
    }

    @Test func `a comment after the file's first action is kept when the action is removed`() {
        let start = """
            [Desktop Action new]
            Name=New
            X-Tocsin-QuickAction=static
            # the app

            """
        var text = DesktopFileText(start + "[Desktop Entry]\nName=Tea\n")
        text.replaceQuickActions(.fixed, with: [], app: app)
        #expect(text.text == "# the app\n[Desktop Entry]\nName=Tea\n")
    }

    @Test(arguments: HostileTexts.withoutNUL)
    func `every text of an action is read back unchanged`(hostile: String) {
        var action = QuickAction(kind: .dynamic, type: hostile, title: hostile)
        action.subtitle = hostile
        action.icon = hostile
        action.userInfo = [hostile: .array([.string(hostile), .real(2), .data([0, 10])])]
        var text = DesktopFileText(Self.base)
        text.replaceQuickActions(.dynamic, with: [action, action], app: app)
        var expected = action
        expected.name = ActionNameEscaping.name(hostile)
        var second = action
        second.name = ActionNameEscaping.name(hostile, number: 2)
        let read = DesktopFileText(text.text)
        #expect(read.quickActions == [expected, second])
        #expect(read.value("Name") == "Tea")
        #expect(read.text.utf8.split(separator: UInt8(ascii: "[")).count >= 4)
    }

    @Test func `a symbol is found by each of its names, and each symbol has an icon`() {
        #expect(
            QuickActionSymbol(propertyListName: "UIApplicationShortcutIconTypeCapturePhoto")
                == .capturePhoto)
        #expect(QuickActionSymbol(propertyListName: "UIApplicationShortcutIconType") == nil)
        #expect(QuickActionSymbol(systemName: "heart.fill") == .love)
        #expect(QuickActionSymbol(systemName: "plus.circle.fill") == .add)
        #expect(QuickActionSymbol(systemName: "checkmark.circle.fill") == .taskCompleted)
        #expect(QuickActionSymbol(systemName: "circle.fill") == .task)
        #expect(QuickActionSymbol(systemName: "square.and.arrow.up.fill") == .share)
        #expect(QuickActionSymbol(systemName: "person.2.fill") == .contact)
        #expect(QuickActionSymbol(systemName: "hare") == nil)
        for symbol in QuickActionSymbol.allCases { #expect(!symbol.iconName.isEmpty) }
    }
}
