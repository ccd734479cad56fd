internal import NotificationModel
internal import Reactor

/// The app's name and its quick actions in the `Info.plist` beside a program.
///
/// A title is a key of `InfoPlist.strings`, as on Apple's platforms. Without a text for this key,
/// the user reads the title itself. `InfoPlist.strings` lies in a folder such as `de.lproj`, beside
/// the program or in one of its resource bundles.
///
/// Apple: https://developer.apple.com/documentation/bundleresources/information-property-list/uiapplicationshortcutitems,
/// https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundledisplayname
struct InfoPlist {
    private static let prefix = "UIApplicationShortcutItem"

    /// A text and its translations; each key is a language as desktop files name it.
    struct LocalizedText: Hashable {
        var text: String
        var translations: [String: String] = [:]
    }

    /// The program's directory and its resource bundles.
    private let directories: [String]
    private let path: String
    private let values: [String: PropertyListValue]

    /// Reads the property list beside a program; `program` is the program's absolute path.
    ///
    /// A file that is missing or cannot be read counts as empty.
    ///
    /// - Throws: An error with the exit status 65 if the file is no property list in XML.
    init(besides program: String) throws(ToolError) {
        let folder = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(program[..<$0]) }
        let own = folder ?? ""
        let names = (Directory.names(in: own) ?? []).filter { Self.hasEnd(".resources", $0) }
        directories = [own] + names.sorted().map { "\(own)/\($0)" }
        path = own + "/Info.plist"
        values = try Self.values(of: path)
    }

    private static func values(
        of path: String
    ) throws(ToolError) -> [String: PropertyListValue] {
        guard case .bytes(let bytes) = UserFile.read(path, limit: Limits.configurationFile) else {
            return [:]
        }
        do throws(PropertyListReader.Failure) {
            guard case .dictionary(let values) = try PropertyListReader.value(of: bytes) else {
                return [:]
            }
            return values
        } catch {
            throw ToolError.data(
                "\(path.quotedForMessage()) cannot be read: \(error.reason). Correct it, or "
                    + "register the program from another directory.")
        }
    }

    /// The app's name: `CFBundleDisplayName`, or else `CFBundleName`; nil if both are missing.
    ///
    /// A name with a variable of Xcode, such as `$(PRODUCT_NAME)`, counts as missing.
    func displayName() -> LocalizedText? {
        for key in ["CFBundleDisplayName", "CFBundleName"] {
            guard case .string(let value) = values[key], !value.contains("$(") else { continue }
            let tables = translations()
            let name = ArgumentSanitizer.cleaned(tables[""]?[key] ?? value)
            guard !name.isEmpty else { continue }
            let texts = tables.compactMapValues { $0[key].map(ArgumentSanitizer.cleaned) }
            return LocalizedText(
                text: name, translations: texts.filter { !$0.key.isEmpty && !$0.value.isEmpty })
        }
        return nil
    }

    /// The actions in the order of the file; none if the file has no actions or is missing.
    ///
    /// - Throws: An error with the exit status 65 if an action has no type or title.
    func quickActions() throws(ToolError) -> [QuickAction] {
        guard case .array(let items) = values[Self.prefix + "s"] else { return [] }
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

    /// The texts by language; the key `""` has the texts for all other languages.
    private func translations() -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        for directory in directories.reversed() {
            var own: [String: [String: String]] = [:]
            // Two folders, such as `sr` and `sr-Cyrl`, may be the same language. The texts of the
            // last folder are used.
            let names = (Directory.names(in: directory) ?? []).sorted()
            for name in names where Self.hasEnd(".lproj", name) {
                let path = "\(directory)/\(name)/InfoPlist.strings"
                guard case .bytes(let bytes) = UserFile.read(path, limit: Limits.configurationFile)
                else { continue }
                let texts = StringsReader.texts(of: bytes)
                let language = Self.language(ofFolder: name)
                // Without `Base.lproj`, all other languages get the English texts.
                let places = language == "Base" ? [""] : language == "en" ? ["", "en"] : [language]
                for place in places {
                    own[place, default: [:]].merge(texts) { old, new in
                        place.isEmpty && language == "en" ? old : new
                    }
                }
            }
            tables.merge(own) { $0.merging($1) { $1 } }
        }
        return tables
    }

    /// The language of a folder, as desktop files name it: `pt_BR` for `pt-BR.lproj`, and
    /// `sr@latin` for `sr-Latn.lproj`.
    ///
    /// The case of the name is ignored, because SwiftPM writes the name in lower case.
    ///
    /// Source: Desktop Entry Specification 1.5, "Localized values for keys".
    private static func language(ofFolder name: String) -> String {
        // The name becomes part of a desktop file's key, so only letters and digits may stay.
        let words = name.utf8.dropLast(".lproj".utf8.count)
            .split { !$0.isASCIIAlphanumeric }.map { String(Substring($0)).lowercased() }
        let language = words.first ?? ""
        if words == ["base"] { return "Base" }
        var (country, modifier) = ("", "")
        for word in words.dropFirst() {
            switch word.utf8.count {
            // A region has two letters or three digits, and a script has four letters.
            case 2, 3: country = "_" + word.uppercased()
            case 4: modifier = LanguageName.localeEnding(of: language, in: word)
            default: modifier = "@\(word)"
            }
        }
        // A Chinese locale names a country in place of the script: `zh_TW` for `zh-Hant`.
        if modifier.hasPrefix("_") { return language + (country.isEmpty ? modifier : country) }
        return language + country + modifier
    }

    private static func hasEnd(_ end: String, _ name: String) -> Bool {
        name.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
