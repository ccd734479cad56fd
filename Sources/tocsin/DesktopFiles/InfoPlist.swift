internal import NotificationModel
internal import Reactor

/// The quick actions in the `Info.plist` beside a program.
///
/// A title is a key of `InfoPlist.strings`, as on Apple's platforms; a title that has no
/// translation is the text itself. The strings lie in `de.lproj` beside the program or in one of its
/// resource bundles.
///
/// Apple: https://developer.apple.com/documentation/bundleresources/information-property-list/uiapplicationshortcutitems
struct InfoPlist {
    private static let prefix = "UIApplicationShortcutItem"

    /// The program's directory and its resource bundles.
    private let directories: [String]

    /// The property list beside a program; its path is absolute.
    init(besides program: String) {
        let folder = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(program[..<$0]) }
        let own = folder ?? ""
        let names = (Directory.names(in: own) ?? []).filter { Self.hasEnd(".resources", $0) }
        directories = [own] + names.sorted().map { "\(own)/\($0)" }
    }

    /// The actions in their order; none without a file.
    ///
    /// - Throws: 65 if the file is no property list in XML, or an action has no type or title.
    func quickActions() throws(ToolError) -> [QuickAction] {
        let path = (directories.first ?? "") + "/Info.plist"
        guard case .bytes(let bytes) = UserFile.read(path, limit: Limits.configurationFile) else {
            return []
        }
        let list: PropertyListValue
        do throws(PropertyListReader.Failure) {
            list = try PropertyListReader.value(of: bytes)
        } catch {
            throw ToolError.data(
                "\(path.quotedForMessage()) cannot be read: \(error.reason). Correct it, or "
                    + "register the program from another directory.")
        }
        guard case .dictionary(let values) = list,
            case .array(let items) = values[Self.prefix + "s"]
        else { return [] }
        let tables = translations()
        var actions: [QuickAction] = []
        for item in items.prefix(Limits.quickActions.most) {
            guard case .dictionary(let item) = item, let type = text("Type", of: item),
                let title = text("Title", of: item)
            else {
                throw ToolError.data(
                    "A quick action in \(path.quotedForMessage()) has no \(Self.prefix)Type or "
                        + "\(Self.prefix)Title. Give it both.")
            }
            actions.append(action(type, title, item, tables))
        }
        return actions
    }

    private func action(
        _ type: String, _ title: String, _ item: [String: PropertyListValue],
        _ tables: [String: [String: String]]
    ) -> QuickAction {
        func original(_ key: String) -> String { tables[""]?[key] ?? key }
        var action = QuickAction(
            kind: .fixed, type: type, title: ArgumentSanitizer.cleaned(original(title)))
        for (language, texts) in tables where !language.isEmpty {
            guard let text = texts[title] else { continue }
            action.titles[language] = ArgumentSanitizer.cleaned(text)
        }
        action.subtitle = text("Subtitle", of: item).map(original) ?? ""
        action.icon = icon(of: item) ?? ""
        if case .dictionary(let values) = item[Self.prefix + "UserInfo"] {
            action.userInfo = values
        }
        return action
    }

    private func text(_ name: String, of item: [String: PropertyListValue]) -> String? {
        guard case .string(let text) = item[Self.prefix + name], !text.isEmpty else { return nil }
        return text
    }

    private func icon(of item: [String: PropertyListValue]) -> String? {
        if let name = text("IconFile", of: item) {
            let suffixes = ["", ".png", "@2x.png", ".svg", ".jpg", ".jpeg"]
            let paths = directories.flatMap { folder in suffixes.map { "\(folder)/\(name)\($0)" } }
            if let path = paths.first(where: UserFile.isRegular) { return path }
        }
        let symbol =
            text("IconSymbolName", of: item).flatMap { QuickActionSymbol(systemName: $0) }
            ?? text("IconType", of: item).flatMap { QuickActionSymbol(propertyListName: $0) }
        return symbol?.iconName
    }

    // MARK: Translations

    /// The texts by language; those of the development language have no name.
    private func translations() -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        for directory in directories.reversed() {
            for name in (Directory.names(in: directory) ?? []) where Self.hasEnd(".lproj", name) {
                let path = "\(directory)/\(name)/InfoPlist.strings"
                guard case .bytes(let bytes) = UserFile.read(path, limit: Limits.configurationFile)
                else { continue }
                let texts = StringsReader.texts(of: bytes)
                let language = Self.language(ofFolder: name)
                // English is the text for every language without one, unless `Base` has it.
                let places = language == "Base" ? [""] : language == "en" ? ["", "en"] : [language]
                for place in places {
                    tables[place, default: [:]].merge(texts) { old, new in
                        place.isEmpty && language == "en" ? old : new
                    }
                }
            }
        }
        return tables
    }

    /// `pt-BR.lproj` gives `pt_BR`, as desktop files name the language.
    private static func language(ofFolder name: String) -> String {
        let scripts = ["zh-Hans": "zh_CN", "zh-Hant": "zh_TW"]
        let tag = String(Substring(name.utf8.dropLast(".lproj".utf8.count)))
        // The name becomes part of a key, so every other sign is left out.
        let plain = tag.unicodeScalars.filter { scalar in
            scalar.isASCII
                && (UInt8(ascii: scalar).isASCIIAlphanumeric || scalar == "-" || scalar == "_")
        }
        return scripts[tag] ?? String(String.UnicodeScalarView(plain)).replacingScalars(["-": "_"])
    }

    private static func hasEnd(_ end: String, _ name: String) -> Bool {
        name.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
