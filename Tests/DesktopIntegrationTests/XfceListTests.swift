import DesktopBus
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import DesktopIntegration

/// The lists of apps in a played Xfconf; each change writes a whole list.
@Suite(.timeLimit(.minutes(2))) struct XfceListTests {
    private static let app = ApplicationID.tocsin

    /// An Xfconf that keeps its properties; a property in `unreadable` gives an error.
    private final class Xfconf: Sendable {
        private let values: Mutex<[String: BusValue]>
        private let unreadable: Set<String>

        init(_ lists: [String: [String]] = [:], unreadable: Set<String> = []) {
            values = Mutex(lists.mapValues { BusValue.variant(.strings($0)) })
            self.unreadable = unreadable
        }

        func list(_ property: String) -> [String] {
            values.withLock { $0[property] }.flatMap(XfceSwitch.list) ?? []
        }

        var table: InterfaceTable {
            let name = [ArgumentEntry("channel", "s"), ArgumentEntry("property", "s")]
            return InterfaceTable(
                name: XfceSwitch.interface,
                methods: [
                    MethodEntry("GetProperty", in: name, out: [ArgumentEntry("value", "v")]) {
                        let property = $0.arguments[1].stringValue ?? ""
                        guard !self.unreadable.contains(property) else { throw SomeFailure() }
                        guard let value = self.values.withLock({ $0[property] }) else {
                            throw BusError.remote(
                                try ErrorName(XfceSwitch.unset), "no such property")
                        }
                        return [value]
                    },
                    MethodEntry("SetProperty", in: name + [ArgumentEntry("value", "v")]) { call in
                        let property = call.arguments[1].stringValue ?? ""
                        self.values.withLock { $0[property] = call.arguments[2] }
                        return []
                    },
                ])
        }
    }

    private struct SomeFailure: Error {}

    private func with(
        _ xfconf: Xfconf, _ body: (SystemPreferences) async throws -> Void
    ) async throws {
        let desktop = try await PlayedDesktop()
        try await BusRecorder.recording(desktop.bus) {
            try await desktop.offer(XfceSwitch.bus, at: XfceSwitch.path, xfconf.table)
            await desktop.follow("Xfce Notify Daemon")
            try await body(desktop.preferences)
        }
        await desktop.stop()
    }

    @Test func `a list of known apps that cannot be read is not changed`() async throws {
        let xfconf = Xfconf(
            [XfceSwitch.known: ["a", "b"]], unreadable: [XfceSwitch.known])
        try await with(xfconf) { preferences in
            let value = try await preferences.setDesktopSwitch(false, for: Self.app)
            #expect(value?.isOn == false)
        }
        #expect(xfconf.list(XfceSwitch.known) == ["a", "b"])
        #expect(xfconf.list(XfceSwitch.muted) == ["\(Self.app)"])
    }

    @Test func `if the list of muted apps cannot be read, the change of a switch is an error`()
        async throws
    {
        let xfconf = Xfconf([XfceSwitch.known: ["a"]], unreadable: [XfceSwitch.muted])
        try await with(xfconf) { preferences in
            let error = await #expect(throws: NotificationError.self) {
                try await preferences.setDesktopSwitch(false, for: Self.app)
            }
            #expect(error?.code == .noSettings)
        }
        #expect(xfconf.list(XfceSwitch.known) == ["a"])
    }

    @Test func `two apps that are muted at the same time are both muted`() async throws {
        let xfconf = Xfconf()
        let other = try ApplicationID("org.example.Other")
        try await with(xfconf) { preferences in
            async let first = preferences.setDesktopSwitch(false, for: Self.app)
            async let second = preferences.setDesktopSwitch(false, for: other)
            let values = try await [first, second]
            #expect(values.allSatisfy { $0?.isOn == false })
        }
        for list in [XfceSwitch.known, XfceSwitch.muted] {
            #expect(Set(xfconf.list(list)) == ["\(Self.app)", "\(other)"])
        }
    }
}
