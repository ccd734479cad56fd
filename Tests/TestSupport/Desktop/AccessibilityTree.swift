/// What a display shows, as assistive technologies see it: widgets by label and role.
package struct AccessibilityTree: Sendable {
    /// What a widget is, in AT-SPI's words.
    package enum Role: String, Sendable {
        case pushButton = "push button"
        case label
    }

    private let environment: [String: String]

    /// The tree of the session that `environment` describes.
    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// The centre of the widget, waiting until it is on the screen.
    package func waitUntilShown(
        _ role: Role, _ label: String, within seconds: Int = 20
    ) async throws -> ScreenPoint {
        let text = try await search(role, label, "shown", seconds)
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else {
            throw HarnessError("the accessibility search answered \"\(text)\"")
        }
        return ScreenPoint(x: numbers[0], y: numbers[1])
    }

    /// Returns once no such widget is on the screen.
    package func waitUntilGone(
        _ role: Role, _ label: String, within seconds: Int = 20
    ) async throws {
        _ = try await search(role, label, "gone", seconds)
    }

    private func search(
        _ role: Role, _ label: String, _ wanted: String, _ seconds: Int
    ) async throws -> String {
        // The system's own Python: another one on PATH has no gi.
        try await RunningProgram.run(
            "/usr/bin/python3",
            ["-W", "ignore", "-c", Self.script, label, role.rawValue, wanted, "\(seconds)"],
            environment: environment, within: seconds + 10)
    }

    /// Polls, because AT-SPI sends no event for widgets of a program that joined the tree late;
    /// the pause grows so that the search does not slow the program it looks at.
    private static let script = """
        import sys, time, gi
        gi.require_version('Atspi', '2.0')
        from gi.repository import Atspi, GLib

        label, role, wanted, seconds = sys.argv[1:]
        Atspi.set_timeout(1500, 4000)

        def matches(node, depth=0):
            if node is None or depth > 25:
                return
            try:
                if (node.get_name() == label and node.get_role_name() == role
                        and node.get_state_set().contains(Atspi.StateType.SHOWING)):
                    box = node.get_extents(Atspi.CoordType.SCREEN)
                    if box.width > 0:
                        yield f'{box.x + box.width // 2} {box.y + box.height // 2}'
                for index in range(node.get_child_count()):
                    yield from matches(node.get_child_at_index(index), depth + 1)
            except GLib.Error:
                pass  # it went away while we looked

        end, pause, last = time.monotonic() + float(seconds), 0.03, None
        while time.monotonic() < end:
            found = list(matches(Atspi.get_desktop(0)))
            if wanted == 'gone' and not found:
                sys.exit(0)
            # Twice at the same place: a popup still sliding in would be missed by the click.
            if wanted == 'shown' and found and found[-1] == last:
                print(last)
                sys.exit(0)
            last = found[-1] if found else None
            time.sleep(pause)
            pause = min(pause * 1.5, 0.3)
        sys.exit(f'no {role} "{label}" was {wanted} within {seconds} s')
        """
}
