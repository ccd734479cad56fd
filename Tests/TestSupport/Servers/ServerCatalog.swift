internal import Foundation

/// The real servers that tests run on.
package enum ServerCatalog {
    /// Draws no buttons: a middle click opens a menu, here a script that picks what it is told.
    package static let dunst = DesktopServer(
        name: "dunst", packages: ["dunst"], program: .named("dunst", ["-config", "@/dunstrc"]),
        services: [],
        files: [
            "dunstrc": """
            [global]
             markup = full
             origin = top-right
             idle_threshold = 0
             dmenu = @/pick
             mouse_left_click = do_action, close_current
             mouse_middle_click = context
             mouse_right_click = close_current
            """,
            // Its lines look like "#Like (Summary) [3,like]".
            "pick": """
            #!/bin/sh
            : > @/opened
            exec grep -m1 -F -e "#$(cat @/choice)"
            """,
        ],
        action: .menu("Dunst", .middle), defaultAction: .window("Dunst", .left),
        dismissal: .window("Dunst", .right), draws: [.image], actionCloses: false)

    /// Draws `default` as one of its buttons.
    package static let xfce = DesktopServer(
        name: "xfce4-notifyd", packages: ["xfce4-notifyd"],
        program: .service("org.xfce.xfce4-notifyd.Notifications"),
        services: ["org.a11y.Bus", "org.xfce.Xfconf"], files: [:],
        action: .button, defaultAction: .button, dismissal: .text,
        draws: [.image, .buttons], actionCloses: true)

    /// All of them.
    package static let all = [dunst, xfce]
}

extension DesktopServer {
    /// Whether tests of this server run: it is installed, or `TOCSIN_REQUIRE_SERVERS` (names
    /// joined by commas, or `all`) asks for it, and then its absence is a failure.
    package var isWanted: Bool { isRequired || executable != nil }

    /// What a skipped test says.
    package var skipReason: String {
        "\(name) is not installed: apt-get install \(packages.joined(separator: " "))"
    }

    private var isRequired: Bool {
        let names = ProcessInfo.processInfo.environment["TOCSIN_REQUIRE_SERVERS"] ?? ""
        let required = names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return required.contains(name) || required.contains("all")
    }

    /// The program's path and arguments; nil if it is not installed.
    package var executable: (path: String, arguments: [String])? {
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
        }
    }

    /// The text of an installed D-Bus service file.
    package static func serviceFile(_ name: String) throws -> String {
        let path = "/usr/share/dbus-1/services/\(name).service"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError("\(path) is not there: run `make setup`")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
