internal import Foundation
public import NotificationModel

/// The localisations and sounds of one app, read from disk at each call.
///
/// The app names the folders, such as its program's folder and its resource bundles. So the daemon
/// can read the files while the app does not run. If the app is sandboxed, the daemon cannot read
/// its files, and the texts stay as the app wrote them.
///
/// Every call may hang if the file system of these folders does not answer.
public struct AppResources: Sendable {
    private let directories: [String]
    private let app: ApplicationID
    private let surroundings: ResourceSurroundings

    /// The resources of an app.
    public init(of application: ApplicationIdentity, in surroundings: ResourceSurroundings) {
        directories = application.resources ?? []
        app = application.id
        self.surroundings = surroundings
    }

    // MARK: Texts

    /// The text with its arguments, in the first of the user's languages that has the text's key.
    ///
    /// The result is nil if no language has the key.
    public func text(_ text: LocalizedText) -> String? {
        string(text.key).map { LocalizedFormat($0).filled(with: text.arguments) }
    }

    /// The string of a key, in the first of the user's languages whose table has the key.
    ///
    /// The result is nil if no language has the key.
    ///
    /// The name of a table is the name of a strings file without its extension, such as
    /// `InfoPlist`.
    public func string(_ key: String, table: String = "Localizable") -> String? {
        // The language counts more than the directory: search all directories for each language.
        for folder in folders() {
            for directory in directories {
                let path = "\(directory)/\(folder).lproj/\(table).strings"
                guard let bytes = OpenFile(following: path)?.bytes(upTo: Limits.translations.most),
                    let strings = try? PropertyListSerialization.propertyList(
                        from: Data(bytes), format: nil) as? [String: Any],
                    let string = strings[key] as? String
                else { continue }
                return string
            }
        }
        return nil
    }

    /// The content with its texts in the user's language; a text without a translation stays.
    func localized(_ content: NotificationContent) -> NotificationContent {
        guard let texts = content.localization else { return content }
        var content = content
        content.localization = nil
        content.title = texts.title.flatMap { text($0) } ?? content.title
        content.subtitle = texts.subtitle.flatMap { text($0) } ?? content.subtitle
        content.body = texts.body.flatMap { text($0) } ?? content.body
        return content
    }

    /// The folder names of the languages: `de_DE.UTF-8@euro` gives `de-DE`, `de_DE` and `de`.
    ///
    /// A language with several scripts also gives its script: `zh_CN` gives `zh-Hans`, too. Each
    /// name also comes in lower case, because SwiftPM makes such folders. `Base` and `en`, for the
    /// development language, come last.
    private func folders() -> [String] {
        var folders: [String] = []
        for name in surroundings.languages.map(LanguageName.init) {
            let plain = [name.parts.joined(separator: "-"), name.parts.joined(separator: "_")]
            var scripted: [String] = []
            if let script = name.script {
                let rest = name.parts.dropFirst().filter { $0 != script }
                let base = [name.language, script]
                scripted = [(base + rest).joined(separator: "-"), base.joined(separator: "-")]
            }
            // If the name has a modifier (`sr_RS@latin`), the folders with the script (`sr-Latn`)
            // come first: the texts in `sr-RS` may be in another script.
            folders += name.modifier.isEmpty ? plain + scripted : scripted + plain
            folders.append(name.language)
        }
        folders = (folders + ["Base", "en"]).flatMap { [$0, $0.lowercased()] }
        var seen: Set<String> = []
        // A name comes from the environment and becomes part of a path, so it must have no slash.
        return folders.filter { !$0.isEmpty && !$0.contains("/") && seen.insert($0).inserted }
    }

    // MARK: Sounds

    /// The file of a named sound; nil if no such file can be read.
    ///
    /// The order is Apple's: the user's own sounds for the app, the app's sounds, then shared
    /// sounds. The folders are `XDG_DATA_HOME/APP/sounds`, the app's resources and their `sounds`,
    /// and `sounds` in each data directory.
    package func sound(named name: String) -> SoundFile? {
        paths(ofSound: name).lazy.compactMap { SoundFile(path: $0) }.first
    }

    private func paths(ofSound name: String) -> [String] {
        if name.hasPrefix("/") { return [name] }
        guard !name.split(separator: "/").contains("..") else { return [] }
        var folders: [String] = []
        if let home = surroundings.dataDirectories.first {
            folders.append("\(home)/\(app.rawValue)/sounds")
        }
        folders += directories.flatMap { [$0, $0 + "/sounds"] }
        folders += surroundings.dataDirectories.map { $0 + "/sounds" }
        return folders.map { "\($0)/\(name)" }
    }
}

/// The user's languages, and the data directories that hold sounds.
public struct ResourceSurroundings: Hashable, Sendable {
    /// The user's languages, such as `de_DE`; the preferred language is first.
    public var languages: [String]
    /// The directories of `XDG_DATA_HOME` and `XDG_DATA_DIRS`, in this order.
    public var dataDirectories: [String]

    /// The language of Tocsin's own texts.
    package var wordingLanguage: WordingLanguage { .first(of: languages) }

    /// Makes a value.
    public init(languages: [String] = [], dataDirectories: [String] = []) {
        self.languages = languages
        self.dataDirectories = dataDirectories
    }

    /// Reads the environment.
    ///
    /// Source: XDG Base Directory Specification.
    public init(environment: [String: String]) {
        let home = environment["HOME"] ?? ""
        let stated = environment["XDG_DATA_HOME"] ?? ""
        let others = environment["XDG_DATA_DIRS"] ?? ""
        // The specification says that a relative path is invalid and must be ignored. Without a
        // home, the default path would lie in the root directory.
        let standard = home.isEmpty ? "" : home + "/.local/share"
        dataDirectories = [stated.hasPrefix("/") ? stated : standard]
        dataDirectories += (others.isEmpty ? "/usr/local/share:/usr/share" : others)
            .split(separator: ":").map(String.init)
        dataDirectories.removeAll { !$0.hasPrefix("/") }
        languages = LanguageName.preferred { environment[$0] }
    }
}
