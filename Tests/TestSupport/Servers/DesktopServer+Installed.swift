internal import Foundation

extension DesktopServer {
    /// Whether tests of this server run.
    ///
    /// They run if the server is installed, or if `TOCSIN_REQUIRE_SERVERS` (names joined by commas,
    /// or `all`) names it. A named server that is not installed is a failure.
    package var isWanted: Bool { isRequired || executable != nil }

    /// Whether the tests of the desktop matrix run on this server.
    ///
    /// They run only on request, because one desktop takes minutes.
    package var isMeasured: Bool { isRequired }

    /// The message of a skipped test of the desktop matrix.
    package var unmeasuredReason: String {
        "tested only on request: run 'make test-desktops SERVERS=\(name)'"
    }

    /// The message of a skipped test.
    package var skipReason: String {
        "\(name) is not installed: apt-get install \(packages.joined(separator: " "))"
    }

    private var isRequired: Bool {
        let names = ProcessInfo.processInfo.environment["TOCSIN_REQUIRE_SERVERS"] ?? ""
        let required = names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return required.contains(name) || required.contains("all")
    }

    /// The program's path and arguments; nil if the program or its window manager is not installed.
    package var executable: (path: String, arguments: [String])? {
        if let manager = session.windowManager.first, RunningProgram.path(of: manager) == nil {
            return nil
        }
        switch program {
        case .named(let name, let arguments):
            return RunningProgram.path(of: name).map { ($0, arguments) }
        case .service(let name):
            guard let text = try? Self.serviceFile(name) else { return nil }
            let command = text.split(separator: "\n").first { $0.hasPrefix("Exec=") }
            let words = command?.dropFirst(5).split(separator: " ").map(String.init) ?? []
            return words.first.flatMap(RunningProgram.path(of:)).map {
                ($0, Array(words.dropFirst()))
            }
        case .path(let paths):
            return paths.lazy.compactMap(RunningProgram.path(of:)).first.map { ($0, []) }
        }
    }

    /// The entries of `extraServices` that are installed.
    var installedExtraServices: [String] {
        extraServices.filter { FileManager.default.fileExists(atPath: Self.servicePath($0)) }
    }

    private static func servicePath(_ name: String) -> String {
        "/usr/share/dbus-1/services/\(name).service"
    }

    /// The text of an installed D-Bus service file.
    package static func serviceFile(_ name: String) throws -> String {
        let path = servicePath(name)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError("\(path) is not there: run `make setup`")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
