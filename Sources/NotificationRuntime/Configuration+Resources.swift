internal import Foundation
internal import NotificationEngine
public import NotificationModel

extension Configuration {
    var surroundings: ResourceSurroundings { ResourceSurroundings(environment: environment) }

    /// `XDG_DATA_HOME` and the directories of `XDG_DATA_DIRS`, in this order.
    var dataDirectories: [String] { surroundings.dataDirectories }

    /// The directories of this program's localisations and sounds.
    ///
    /// These are the program's own directory and the resource bundles that SwiftPM puts there.
    public var resources: [String] {
        let folder = (executable as NSString).deletingLastPathComponent
        guard folder.hasPrefix("/") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return [folder]
            + names.filter { $0.hasSuffix(".resources") }.sorted().map { folder + "/" + $0 }
    }
}

/// The texts of this program in the user's language.
public enum AppTexts {
    private static let resources: AppResources = {
        let configuration = Configuration.current()
        return AppResources(
            of: configuration.identity(), in: configuration.surroundings)
    }()

    /// The text of a key with its placeholders filled; nil if no localisation has it.
    public static func text(_ text: LocalizedText) -> String? {
        resources.text(text)
    }
}
