public import DesktopBus
import Foundation
import Glibc

/// A private message bus: a `dbus-daemon` with its own configuration and XDG directories.
///
/// It owns the process and its directory.
///
/// It promises a bus that listens, at the same address after `restart()`.
///
/// It never touches the user's own session or files.
///
/// Unchecked Sendable: `lock` guards the process; everything else is constant.
public final class PrivateBus: @unchecked Sendable {
    /// A failure to start a bus.
    public struct Failure: Error, CustomStringConvertible {
        /// A description of the failure.
        public let description: String
    }

    /// The address on which the bus listens; the same after `restart()`.
    public let address: BusAddress
    /// The environment of a program on this bus.
    public let environment: [String: String]
    /// The bus's own directory, removed with this object.
    public let directory: String

    private let lock = NSLock()
    private var process: ChildProcess?

    /// Starts a bus.
    ///
    /// `services` maps the names of D-Bus service files to their texts. `limits` maps the names of
    /// limits in the bus's configuration to their values.
    public init(services: [String: String] = [:], limits: [String: Int] = [:]) throws {
        // The directory has a short name, because the path of a socket has at most 107 bytes.
        var template = Array("/tmp/bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(
                description: "no temporary directory: \(String(cString: strerror(errno)))")
        }
        let directory = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        self.directory = directory
        address = try BusAddress(socketPath: "\(directory)/run/bus")
        var environment = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_STARTER_ADDRESS", "TOCSIN_MODE"] {
            environment[name] = nil
        }
        environment["DBUS_SESSION_BUS_ADDRESS"] = address.rawValue
        // The tests read English texts.
        environment["LC_ALL"] = "C.UTF-8"
        environment["LANGUAGE"] = nil
        // The tests play no sound.
        environment["CANBERRA_DRIVER"] = "null"
        for (name, folder) in Self.folders {
            let path = "\(directory)/\(folder)"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            environment[name] = path
        }
        self.environment = environment
        let folder = "\(directory)/services"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (file, text) in services {
            try text.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
        }
        let configuration = Self.configuration(
            address: address, services: folder, limits: limits)
        try configuration.write(
            toFile: "\(directory)/bus.conf", atomically: true, encoding: .utf8)
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The process id of the bus; nil while the bus is stopped.
    public var processIdentifier: Int32? {
        lock.withLock { process?.processIdentifier }
    }

    /// Kills the bus and waits for its end.
    public func stop() {
        lock.withLock {
            guard let process else { return }
            process.killAndWait()
            self.process = nil
            try? FileManager.default.removeItem(atPath: "\(directory)/run/bus")
        }
    }

    /// Kills the bus and starts another bus at the same address.
    public func restart() throws {
        stop()
        try start()
    }

    /// Starts the bus after `stop()`; returns when it listens.
    public func start() throws {
        try lock.withLock {
            guard process == nil else { return }
            // Standard error goes to a log, which is read only if the start fails. The bus always
            // warns there that it may not raise its own limits.
            let log = "\(directory)/bus.log"
            let process = try ChildProcess(
                "/usr/bin/dbus-daemon",
                ["--config-file=\(directory)/bus.conf", "--nofork", "--print-address=1"],
                environment: environment, errorFile: log)
            // The bus prints its address once it listens.
            guard !process.output.availableData.isEmpty else {
                let reason = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw Failure(
                    description: "dbus-daemon ended with \(process.waitUntilExit()): \(reason)")
            }
            self.process = process
        }
    }

    private static let folders = [
        "HOME": "home", "XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "home/.local/state",
        "XDG_DATA_HOME": "home/.local/share", "XDG_CONFIG_HOME": "home/.config",
        "XDG_CACHE_HOME": "home/.cache",
    ]

    private static func configuration(
        address: BusAddress, services: String, limits: [String: Int]
    ) -> String {
        // The limits of a desktop's session bus, which are far above the built-in limits.
        var values = [
            "max_incoming_bytes": 1_000_000_000, "max_outgoing_bytes": 1_000_000_000,
            "max_message_size": 1_000_000_000, "service_start_timeout": 120_000,
            "auth_timeout": 240_000, "pending_fd_timeout": 150_000,
            "max_completed_connections": 100_000, "max_incomplete_connections": 10_000,
            "max_connections_per_user": 100_000, "max_pending_service_starts": 10_000,
            "max_names_per_connection": 50_000, "max_match_rules_per_connection": 50_000,
            "max_replies_per_connection": 50_000,
        ]
        values.merge(limits) { _, given in given }
        let lines = values.sorted { $0.key < $1.key }
            .map { "  <limit name=\"\($0.key)\">\($0.value)</limit>" }
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <keep_umask/>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(services)</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            \(lines.joined(separator: "\n"))
            </busconfig>

            """
    }
}

extension PrivateBus {
    /// Installs the desktop file of an app for the programs on this bus.
    package func install(_ id: String, name: String, icon: String = "") throws {
        let folder = "\(environment["XDG_DATA_HOME"] ?? "")/applications"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try """
        [Desktop Entry]
        Type=Application
        Name=\(name)
        Exec=/bin/true
        Icon=\(icon)

        """.write(toFile: "\(folder)/\(id).desktop", atomically: true, encoding: .utf8)
    }
}
