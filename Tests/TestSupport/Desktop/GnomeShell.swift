internal import DesktopBus
internal import Foundation

/// The widgets of GNOME Shell, read with `org.gnome.Shell.Eval`, which needs `--unsafe-mode`.
///
/// It owns a connection to the shell's bus. It promises that a widget has stopped moving when
/// `waitUntilShown` returns. It never uses the mouse or the keyboard.
package final class GnomeShell: Eyes {
    private static let evalReportsNothing = "`Eval` signals no change in the shell"

    private let connection: BusConnection

    /// Connects to the shell on this bus.
    package init(on bus: PrivateBus) async throws {
        connection = try await BusConnection.open(on: bus, name: "shell")
    }

    /// Returns once the shell has started and its own startup messages are gone.
    package func settle() async throws {
        // The name is on the bus before the shell can answer.
        try await waitUntil("Main.layoutManager._startingUp", is: "false")
        // Turn off the hot corner: a pointer that passes through it would open the overview. While
        // the overview is open, no window is in front.
        try await run(
            """
            new Gio.Settings({schema_id: 'org.gnome.desktop.interface'})
                .set_boolean('enable-hot-corners', false)
            """)
        // The shell starts in its overview, which shows no banner.
        try await run("Main.overview.hide()")
        try await waitUntil(
            "Main.overview.visible || Main.overview.animationInProgress", is: "false")
        // Remove the shell's own messages and keep ours, which may have arrived already.
        try await run(
            """
            Main.messageTray.getSources()
                .filter(s => s.constructor.name !== 'FdoNotificationDaemonSource')
                .forEach(s => s.destroy())
            """)
        // Turn off the timeout of banners: they leave after four seconds, and a listing may take
        // longer.
        try await run(
            """
            Main.messageTray._updateNotificationTimeout =
                function () { this._notificationTimeoutId = 1 }
            """)
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
    package func disconnect() async {
        await connection.close()
    }

    package func widgets() async throws -> [Widget] {
        try await readBanner().widgets
    }

    /// Returns the banner's widgets, and whether the banner is moving.
    private func readBanner() async throws -> (widgets: [Widget], isMoving: Bool) {
        let text = try await run(Self.listing)
        let found = try JSONDecoder().decode(Listing.self, from: Data(text.utf8))
        let widgets = found.widgets.map {
            Widget(
                role: $0.role.hasSuffix("Button") ? .pushButton : .label, text: $0.text,
                center: ScreenPoint(x: $0.x, y: $0.y))
        }
        return (widgets, found.isMoving)
    }

    package func waitUntilShown(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws -> ScreenPoint {
        try await polled(
            "\(role.rawValue) \"\(label)\"", because: Self.evalReportsNothing, within: seconds
        ) {
            let (widgets, isMoving) = try await readBanner()
            // A click would miss a banner that is still sliding in.
            return isMoving ? nil : Self.place(of: role, label, in: widgets)
        }
    }

    package func waitUntilGone(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws {
        try await polled(
            "the end of \(role.rawValue) \"\(label)\"", because: Self.evalReportsNothing,
            within: seconds
        ) {
            Self.place(of: role, label, in: try await widgets()) == nil ? () : nil
        }
    }

    private static func place(
        of role: Widget.Role, _ label: String, in widgets: [Widget]
    ) -> ScreenPoint? {
        widgets.first { $0.role == role && $0.text == label }?.center
    }

    private func waitUntil(_ script: String, is value: String) async throws {
        try await polled("\(script) = \(value)", because: Self.evalReportsNothing) {
            // Just after its start the shell may refuse or fail to evaluate.
            (try? await run(script)) == value ? () : nil
        }
    }

    /// The result of the listing script.
    private struct Listing: Decodable {
        struct Found: Decodable {
            var role: String
            var text: String
            var x: Int
            var y: Int
        }

        var widgets: [Found]
        var isMoving: Bool
    }

    private static let listing = """
        (() => {
            const tray = Main.messageTray, banner = tray._banner, found = [];
            // Since GNOME 46 the header has the close button, and there is no stack of bodies.
            const close = banner && (banner._closeButton || banner._header.closeButton);
            // The close button is transparent while the pointer is not over the banner.
            const walk = actor => {
                if (!actor.mapped || actor.opacity === 0) return;
                const [x, y] = actor.get_transformed_position();
                const [width, height] = actor.get_transformed_size();
                const text = actor === close
                    ? 'Close' : actor.label || (actor.clutter_text ? actor.clutter_text.text : '');
                if (text && width > 0)
                    found.push({role: actor.constructor.name, text: text,
                        x: Math.round(x + width / 2), y: Math.round(y + height / 2)});
                actor.get_children().forEach(walk);
            };
            if (!banner) return {widgets: found, isMoving: false};
            walk(banner);
            // In state 2 the banner has slid in. Its parts still move if the pointer reaches the
            // banner, because the banner then expands.
            const isMoving = tray._notificationState !== 2
                || [[tray._bannerBin, 'y'], [banner._bodyStack, '@layout.expansion'],
                    [banner._actionBin, 'scale-y']]
                    .some(([actor, property]) => actor && actor.get_transition(property) !== null);
            return {widgets: found, isMoving: isMoving};
        })()
        """
}
