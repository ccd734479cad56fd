import Foundation
import Testing

/// A build of the client package: where its programs are, and how they were linked.
struct ClientBuild: Sendable, CustomTestStringConvertible {
    let name: String
    private let folder: String

    /// The builds that `TOCSIN_CLIENTS` names, `dynamic=FOLDER;static=FOLDER`.
    static let all: [ClientBuild] =
        (ProcessInfo.processInfo.environment["TOCSIN_CLIENTS"] ?? "")
        .split(separator: ";").compactMap { entry in
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? ClientBuild(name: parts[0], folder: parts[1]) : nil
        }

    /// The builds with the program of swift-custom-dump; the static build leaves that program out.
    static let withDumps = all.filter { $0.name == "dynamic" }

    var testDescription: String { name }

    func path(of program: String) -> String { "\(folder)/\(program)" }
}
