internal import Foundation
internal import NotificationEngine
public import NotificationModel

extension Configuration {
    /// The person's languages and the directories of data.
    var surroundings: ResourceSurroundings { ResourceSurroundings(environment: environment) }

    /// Where this program's localisations and sounds lie: beside it, and in the resource bundles
    /// that SwiftPM puts there.
    var resources: [String] {
        let folder = (executable as NSString).deletingLastPathComponent
        guard folder.hasPrefix("/") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return [folder]
            + names.filter { $0.hasSuffix(".resources") }.sorted().map { folder + "/" + $0 }
    }
}

/// The texts of this program in the person's language.
public enum AppTexts {
    private static let resources: AppResources = {
        let configuration = Configuration.current()
        return AppResources(
            of: configuration.identity(), in: configuration.surroundings)
    }()

    /// The text of a key with its places filled, or nil where no localisation has it.
    public static func text(_ text: LocalizedText) -> String? {
        resources.text(text)
    }
}
