internal import CenterInterface
internal import Foundation
public import NotificationModel
public import NotificationStore

extension Configuration {
    /// The directory of all stores of this user on this machine.
    ///
    /// Source: XDG Base Directory Specification, `XDG_STATE_HOME`.
    public var stateDirectory: String { "\(stateHome)/tocsin/\(machineID)" }

    /// The file for the output of the development daemon that a program starts if it finds no
    /// daemon.
    public var daemonLog: String { "\(stateHome)/tocsin/tocsind.log" }

    private var stateHome: String {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let stated = environment["XDG_STATE_HOME"] ?? ""
        // The specification makes a relative path invalid.
        return stated.hasPrefix("/") ? stated : home + "/.local/state"
    }

    /// The store of the daemon.
    public var daemonLayout: StoreLayout { StoreLayout(directory: stateDirectory) }

    /// The store of a development daemon.
    public var developmentLayout: StoreLayout { StoreLayout(directory: stateDirectory + "/dev") }

    /// The directory where the command-line tool leaves requests while there is no bus.
    var inbox: String { stateDirectory + "/" + Inbox.name }

    func embeddedLayouts() -> [StoreLayout] {
        let folder = stateDirectory + "/apps"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { StoreLayout(directory: "\(folder)/\($0)") }
    }

    /// The store of an app that hosts its own engine.
    public func embeddedLayout(of app: ApplicationID) -> StoreLayout {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._"))
        let name = app.rawValue.addingPercentEncoding(withAllowedCharacters: plain) ?? "app"
        return StoreLayout(directory: "\(stateDirectory)/apps/\(Self.fileName(name))")
    }

    /// The name if it has at most 255 bytes; otherwise its beginning, a tilde, and a hash of the
    /// name.
    ///
    /// No other file name contains a tilde, because percent encoding replaces it.
    private static func fileName(_ name: String) -> String {
        guard name.utf8.count > 255 else { return name }
        // FNV-1a with 64 bits.
        let sum = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return name.prefix(200) + "~" + String(sum, radix: 16)
    }
}
