internal import Foundation

/// The windows of a session of sway, as sway lists them.
///
/// Source: sway-ipc(7), `GET_TREE`.
struct SwayWindows: Windows {
    let environment: [String: String]

    private struct Node: Decodable {
        struct Area: Decodable {
            var x: Int
            var y: Int
            var width: Int
            var height: Int
        }

        var name: String?
        var pid: Int?
        var focused: Bool
        var rect: Area
        var nodes: [Node]
        var floating_nodes: [Node]

        /// The windows among this node and its descendants; a node without `pid` is no window.
        var windows: [Node] {
            (pid == nil ? [] : [self]) + (nodes + floating_nodes).flatMap(\.windows)
        }
    }

    func area(of title: String) async throws -> ScreenArea? {
        try await windows().last { $0.name == title }.map { window in
            let area = window.rect
            return ScreenArea(x: area.x, y: area.y, width: area.width, height: area.height)
        }
    }

    func titleInFront() async throws -> String? {
        try await windows().first(where: \.focused)?.name
    }

    private func windows() async throws -> [Node] {
        let text = try await RunningProgram.run(
            "swaymsg", ["--raw", "--type", "get_tree"], environment: environment)
        return try JSONDecoder().decode(Node.self, from: Data(text.utf8)).windows
    }
}
