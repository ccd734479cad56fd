internal import DesktopBus
internal import Foundation

/// What GNOME Shell shows: its own scene, asked by `org.gnome.Shell.Eval`, which is there with
/// `--unsafe-mode`.
package final class GnomeShell: Eyes {
    private let connection: BusConnection

    /// Connects to the shell on this bus.
    package init(on bus: PrivateBus) async throws {
        connection = try await BusConnection.open(on: bus, name: "shell")
    }

    /// Returns when the shell has started and what it has to say about that has gone.
    package func settle() async throws {
        // The name is on the bus before the shell can answer.
        try await waitUntil("Main.layoutManager._startingUp", is: "false")
        // It starts in the overview, over which no banner comes.
        try await run("Main.overview.hide()")
        try await waitUntil(
            "Main.overview.visible || Main.overview.animationInProgress", is: "false")
        try await run("Main.messageTray.getSources().forEach(s => s.destroy())")
        try await waitUntil("Main.messageTray._banner === null", is: "true")
    }

    /// Runs a script and returns its value as JSON.
    @discardableResult
    package func run(_ script: String) async throws -> String {
        let answer = try await connection.call(
            MethodCall(
                destination: "org.gnome.Shell", path: "/org/gnome/Shell",
                interface: "org.gnome.Shell", member: "Eval", arguments: [.string(script)])
        ).arguments
        guard answer.first?.boolValue == true, let value = answer.last?.stringValue else {
            throw HarnessError("the shell answered \(answer) to \(script)")
        }
        return value
    }

    /// Leaves the bus.
    package func leave() async {
        await connection.close()
    }

    package func widgets() async throws -> [Widget] {
        let text = try await run(Self.listing)
        let found = try JSONDecoder().decode([Found].self, from: Data(text.utf8))
        return found.map {
            Widget(
                role: $0.role == "St_Button" ? .pushButton : .label, text: $0.text,
                center: ScreenPoint(x: $0.x, y: $0.y))
        }
    }

    package func waitUntilShown(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws -> ScreenPoint {
        var last: ScreenPoint?
        return try await eventually("\(role.rawValue) \"\(label)\"", within: seconds) {
            let place = try await place(of: role, label)
            // Twice at the same place: a banner still sliding in would be missed by the click.
            defer { last = place }
            return place == last ? place : nil
        }
    }

    package func waitUntilGone(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws {
        try await eventually("the end of \(role.rawValue) \"\(label)\"", within: seconds) {
            try await place(of: role, label) == nil ? () : nil
        }
    }

    private func place(of role: Widget.Role, _ label: String) async throws -> ScreenPoint? {
        try await widgets().first { $0.role == role && $0.text == label }?.center
    }

    private func waitUntil(_ script: String, is value: String) async throws {
        try await eventually("\(script) = \(value)") {
            // Just after its start the shell may refuse or fail to evaluate.
            (try? await run(script)) == value ? () : nil
        }
    }

    /// What a line of the listing holds.
    private struct Found: Decodable {
        var role: String
        var text: String
        var x: Int
        var y: Int
    }

    private static let listing = """
        (() => {
            const banner = Main.messageTray._banner, found = [];
            const walk = actor => {
                if (!actor.mapped) return;
                const [x, y] = actor.get_transformed_position();
                const [width, height] = actor.get_transformed_size();
                const text = actor === banner._closeButton
                    ? 'Close' : actor.label || (actor.clutter_text ? actor.clutter_text.text : '');
                if (text && width > 0)
                    found.push({role: actor.constructor.name, text: text,
                        x: Math.round(x + width / 2), y: Math.round(y + height / 2)});
                actor.get_children().forEach(walk);
            };
            if (banner) walk(banner);
            return found;
        })()
        """
}
