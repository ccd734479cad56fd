internal import Foundation
public import NotificationModel

/// The localisations and sounds of one app, as they are on the disk now.
///
/// They lie where the app said they do: beside its program, or in its resource bundles. So the
/// daemon finds them while the app does not run. A sandboxed app's cannot be read from outside;
/// then the texts stay as the app made them.
///
/// Every look may hang with the file system that they lie on.
public struct AppResources: Sendable {
    private let directories: [String]
    private let app: ApplicationID?
    private let surroundings: ResourceSurroundings

    /// The resources of an app.
    public init(of application: ApplicationIdentity, in surroundings: ResourceSurroundings) {
        directories = application.resources ?? []
        app = application.id
        self.surroundings = surroundings
    }

    // MARK: Texts

    /// The text in the first of the person's languages that has it, its places filled.
    public func text(_ text: LocalizedText) -> String? {
        format(text.key).map { LocalizedFormat($0).filled(with: text.arguments) }
    }

    /// The content with those of its texts in the person's language that are found.
    func localized(_ content: NotificationContent) -> NotificationContent {
        guard let texts = content.localization else { return content }
        var content = content
        content.localization = nil
        content.title = filled(texts.title, content.title)
        content.subtitle = filled(texts.subtitle, content.subtitle)
        content.body = filled(texts.body, content.body)
        return content
    }

    private func filled(_ text: LocalizedText?, _ given: String) -> String {
        guard let text else { return given }
        return self.text(text) ?? given
    }

    /// Everywhere in one language before anywhere in the next.
    private func format(_ key: String) -> String? {
        for folder in folders() {
            for directory in directories {
                let path = "\(directory)/\(folder).lproj/Localizable.strings"
                guard let bytes = OpenFile(following: path)?.bytes(upTo: Limits.translations.most),
                    let table = try? PropertyListSerialization.propertyList(
                        from: Data(bytes), format: nil) as? [String: Any],
                    let text = table[key] as? String
                else { continue }
                return text
            }
        }
        return nil
    }

    /// `de_DE.UTF-8@euro` → `de-DE`, `de_DE`, `de`; at the end the language of development.
    private func folders() -> [String] {
        var folders: [String] = []
        for language in surroundings.languages {
            let name = String(language.prefix { $0 != "." && $0 != "@" })
            let parts = name.split(whereSeparator: { $0 == "_" || $0 == "-" })
            folders += [
                parts.joined(separator: "-"), parts.joined(separator: "_"),
                String(parts.first ?? ""),
            ]
        }
        folders.append(contentsOf: ["Base", "en"])
        var seen: Set<String> = []
        // A name comes from the environment, and becomes a path.
        return folders.filter { !$0.isEmpty && !$0.contains("/") && seen.insert($0).inserted }
    }

    // MARK: Sounds

    /// The file of a named sound, or nil where there is none that can be used.
    ///
    /// Looked for, as on Apple's platforms, with the person's own sounds of the app, then with the
    /// app, and then with the sounds of all: `XDG_DATA_HOME/APP/sounds`, the app's resources and
    /// their `sounds`, and `sounds` in each data directory.
    func sound(named name: String) -> SoundFile? {
        paths(ofSound: name).lazy.compactMap { SoundFile(path: $0) }.first
    }

    private func paths(ofSound name: String) -> [String] {
        if name.hasPrefix("/") { return [name] }
        guard !name.split(separator: "/").contains("..") else { return [] }
        var folders: [String] = []
        if let app, let home = surroundings.dataDirectories.first {
            folders.append("\(home)/\(app.rawValue)/sounds")
        }
        folders += directories.flatMap { [$0, $0 + "/sounds"] }
        folders += surroundings.dataDirectories.map { $0 + "/sounds" }
        return folders.map { "\($0)/\(name)" }
    }
}

/// Where the person's languages and sounds are found.
public struct ResourceSurroundings: Hashable, Sendable {
    /// The person's languages, the preferred one first, `de_DE`.
    public var languages: [String]
    /// The directories of `XDG_DATA_HOME` and `XDG_DATA_DIRS`, in order.
    public var dataDirectories: [String]

    /// Makes a value.
    public init(languages: [String] = [], dataDirectories: [String] = []) {
        self.languages = languages
        self.dataDirectories = dataDirectories
    }

    /// Reads the environment.
    ///
    /// Sources: gettext, "Locale Environment Variables"; XDG Base Directory Specification.
    public init(environment: [String: String]) {
        let home = environment["HOME"] ?? ""
        let stated = environment["XDG_DATA_HOME"] ?? ""
        let others = environment["XDG_DATA_DIRS"] ?? ""
        // The specification: a relative path is invalid and ignored.
        dataDirectories = [stated.hasPrefix("/") ? stated : home + "/.local/share"]
        dataDirectories += (others.isEmpty ? "/usr/local/share:/usr/share" : others)
            .split(separator: ":").map(String.init)
        dataDirectories.removeAll { !$0.hasPrefix("/") }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        let list = environment["LANGUAGE"] ?? ""
        // Without a locale the list of languages does not count either.
        let isPlain = locale == nil || locale == "C" || locale == "POSIX"
        languages =
            isPlain ? [] : list.split(separator: ":").map(String.init) + [locale ?? ""]
    }
}
