internal import Foundation

/// The widgets on a display by label and role, as assistive technologies see them.
///
/// It owns the environment of one session. It promises that a widget has stopped moving when
/// `waitUntilShown` returns. It never uses the mouse or the keyboard.
package struct AccessibilityTree: Eyes {
    private let environment: [String: String]
    /// The position of the surface, for widgets that report their place on the surface.
    private let origin: ScreenPoint

    /// The tree of the session that `environment` describes.
    package init(environment: [String: String], origin: ScreenPoint = ScreenPoint(x: 0, y: 0)) {
        self.environment = environment
        self.origin = origin
    }

    package func waitUntilShown(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws -> ScreenPoint {
        let text = try await search(role, label, "shown", seconds)
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else {
            throw HarnessError("the accessibility search answered \"\(text)\"")
        }
        return origin.moved(x: numbers[0], y: numbers[1])
    }

    package func waitUntilGone(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws {
        _ = try await search(role, label, "gone", seconds)
    }

    package func widgets() async throws -> [Widget] {
        let lines = try await search(.other, "", "all", 20).split(separator: "\n")
        return try lines.map { line in
            let found = try JSONDecoder().decode(Found.self, from: Data(line.utf8))
            return Widget(
                role: Widget.Role(rawValue: found.role) ?? .other, text: found.text,
                center: origin.moved(x: found.x, y: found.y))
        }
    }

    /// The title of the active window; nil if no window is active.
    func activeWindow() async throws -> String? {
        let title = try await search(.other, "", "active", 20)
        return title.isEmpty ? nil : title
    }

    /// One widget in the output of the search.
    private struct Found: Decodable {
        var role: String
        var text: String
        var x: Int
        var y: Int
    }

    private func search(
        _ role: Widget.Role, _ label: String, _ wanted: String, _ seconds: Int
    ) async throws -> String {
        // Use the system's own Python, because another Python on PATH may lack gi.
        try await RunningProgram.run(
            "/usr/bin/python3",
            ["-W", "ignore", "-c", Self.script, label, role.rawValue, wanted, "\(seconds)"],
            environment: environment, within: seconds + 10)
    }

    /// The script polls: AT-SPI sends no event for widgets of a program that joined the tree late.
    ///
    /// The pause grows, so that the search does not slow the searched program.
    private static let script = """
        import json, sys, time, gi
        gi.require_version('Atspi', '2.0')
        from gi.repository import Atspi, GLib

        label, role, wanted, seconds = sys.argv[1:]
        Atspi.set_timeout(1500, 4000)

        def nodes(node, depth=0):
            # The program answers each question in its own loop, so ask only what is needed.
            if node is None or depth > 25:
                return
            try:
                yield node
                # Depth 1 is an application, depth 2 a window. Skip windows that are not shown.
                if depth == 2 and not node.get_state_set().contains(Atspi.StateType.SHOWING):
                    return
                for index in range(node.get_child_count()):
                    yield from nodes(node.get_child_at_index(index), depth + 1)
            except GLib.Error:
                pass  # the widget went away during the search

        def place(node):
            if not node.get_state_set().contains(Atspi.StateType.SHOWING):
                return None
            box = node.get_extents(Atspi.CoordType.SCREEN)
            return (box.x + box.width // 2, box.y + box.height // 2) if box.width > 0 else None

        def text(node):
            name, words = node.get_name(), node.get_text_iface()
            return name or (Atspi.Text.get_text(words, 0, -1) if words else '')

        # AT-SPI 2.54 and Qt 6 renamed two roles.
        RENAMED = {'button': 'push button', 'heading': 'label'}

        def role_of(node):
            name = node.get_role_name()
            return RENAMED.get(name, name)

        def describe(node):
            found = place(node)
            if not found:
                return None
            return json.dumps(dict(role=role_of(node), text=text(node), x=found[0], y=found[1]))

        def match(node):
            if node.get_name() != label or role_of(node) != role:
                return None
            found = place(node)
            return found and f'{found[0]} {found[1]}'

        def look(describe):
            for node in nodes(Atspi.get_desktop(0)):
                try:
                    found = describe(node)
                    if found:
                        yield found
                except GLib.Error:
                    pass

        if wanted == 'all':
            print('\\n'.join(look(describe)))
            sys.exit(0)
        if wanted == 'active':
            desktop = Atspi.get_desktop(0)
            for app in (desktop.get_child_at_index(i) for i in range(desktop.get_child_count())):
                for index in range(app.get_child_count() if app else 0):
                    window = app.get_child_at_index(index)
                    if window and window.get_state_set().contains(Atspi.StateType.ACTIVE):
                        print(window.get_name())
                        sys.exit(0)
            sys.exit(0)
        end, pause, last = time.monotonic() + float(seconds), 0.03, None
        while time.monotonic() < end:
            found = list(look(match))
            if wanted == 'gone' and not found:
                sys.exit(0)
            # Wait until two searches find the same place: a click would miss a moving popup.
            if wanted == 'shown' and found and found[-1] == last:
                print(last)
                sys.exit(0)
            last = found[-1] if found else None
            time.sleep(pause)
            pause = min(pause * 1.5, 0.3)
        sys.exit(f'the {role} "{label}" was not {wanted} within {seconds} s')
        """
}
