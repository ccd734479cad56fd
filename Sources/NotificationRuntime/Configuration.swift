internal import CenterInterface
internal import Foundation
internal import Glibc
public import NotificationModel

/// The surroundings of a process.
///
/// In the daemon and in the library, only this type reads the environment and the command line.
public struct Configuration: Sendable {
    /// The environment.
    public var environment: [String: String]
    /// The command line, without the program's name.
    public var arguments: [String]
    /// The absolute path of the program.
    public var executable: String
    /// The directory in which the program was started.
    public var directory: String
    /// The id of the user.
    public var userID: UInt32
    /// The control groups of the process, as proc(5) lists them.
    public var controlGroups = ""
    /// The machine's id (machine-id(5)).
    ///
    /// Machines may share a home directory, and each machine has its own store.
    public var machineID: String

    /// Makes a configuration; tests give each value.
    public init(
        environment: [String: String], arguments: [String] = [], executable: String,
        directory: String, userID: UInt32, machineID: String
    ) {
        self.environment = environment
        self.arguments = arguments
        self.executable = executable
        self.directory = directory
        self.userID = userID
        self.machineID = machineID
    }

    /// Reads this process's surroundings.
    public static func current() -> Configuration {
        let machine = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
        let name = machine?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        var configuration = Configuration(
            environment: ProcessInfo.processInfo.environment,
            arguments: Array(CommandLine.arguments.dropFirst()),
            executable: CompanionProgram.executable ?? CommandLine.arguments.first
                ?? "",
            directory: FileManager.default.currentDirectoryPath, userID: geteuid(),
            machineID: name.isEmpty ? "local" : name)
        let groups = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
        configuration.controlGroups = groups ?? ""
        return configuration
    }

    /// The user's decision about an app that hosts its own centre, from `TOCSIN_PERMISSION`.
    ///
    /// The value is `allow`, `deny` or `reset`. The variable is needed because such an app keeps
    /// its permission in its own store, which `tocsin settings` does not reach.
    public var permissionDecision: PermissionDecision? {
        environment["TOCSIN_PERMISSION"].flatMap(PermissionDecision.init)
    }

    /// The identifier of the request whose response started this process: `TOCSIN_LAUNCHED_FOR`.
    public var launchedFor: String? {
        environment["TOCSIN_LAUNCHED_FOR"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The quick action that started this process: `TOCSIN_QUICK_ACTION`.
    public var quickActionChoice: QuickActionChoice? {
        guard let name = environment[DesktopFileText.actionVariable], !name.isEmpty else {
            return nil
        }
        let token = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        return QuickActionChoice(name: name, activationToken: token)
    }

    /// The name of the push distributor to use, from `UNIFIEDPUSH_DISTRIBUTOR`.
    ///
    /// Other connectors of UnifiedPush read this variable too.
    public var pushDistributor: String? {
        environment["UNIFIEDPUSH_DISTRIBUTOR"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The process that runs the service: `TOCSIN_MODE`, or `automatic` if the variable is not set
    /// or has an unknown value.
    public var hostingMode: HostingMode {
        environment["TOCSIN_MODE"].flatMap(HostingMode.init) ?? .automatic
    }
}

/// The process that runs an app's notification centre.
public enum HostingMode: String, Hashable, Sendable {
    /// The daemon if one runs or can be started, otherwise the app.
    case automatic
    /// The daemon only.
    case daemon
    /// The app only.
    case embedded
}
