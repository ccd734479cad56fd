import CenterInterface
import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing

/// Other implementations of D-Bus use the interface as the XML describes it.
@Suite(.timeLimit(.minutes(2))) struct OtherClientTests {
    private static let target = [
        "call", "--session", "-d", "org.tocsin.NotificationCenter1", "-o",
        "/org/tocsin/NotificationCenter1", "-m",
    ]

    private static func call(
        _ center: RemoteServiceTests.Center, _ member: String, _ arguments: [String]
    ) async throws -> String {
        try await RunningProgram.run(
            "gdbus", target + ["org.tocsin.NotificationCenter1.\(member)"] + arguments,
            environment: center.bus.environment)
    }

    @Test(.enabled(if: RunningProgram.path(of: "gdbus") != nil, "gdbus is not installed"))
    func `gdbus adds a request, and the request is listed`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let request = """
            {'id': <'a'>, 'title': <'Tea'>, 'badge': <3>, \
            'trigger': <{'kind': <'interval'>, 'seconds': <600>}>}
            """
        _ = try await Self.call(center, "Add", ["org.example.App", request, "@ah []"])
        let added = try #require(center.service.inputs(of: Members.add).first?.1)
        #expect(added.content.title == "Tea")
        #expect(added.content.badge == 3)
        #expect(added.trigger == .interval(seconds: 600, repeats: false))
        let listed = try await Self.call(center, "Pending", ["''", "{}"])
        #expect(listed.contains("'title': <'Tea'>"))
        #expect(listed.contains("'state': <'pending'>"))
    }

    @Test(.enabled(if: RunningProgram.path(of: "gdbus") != nil, "gdbus is not installed"))
    func `gdbus gets an error that names the wrong key`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let error = try await #require(throws: HarnessError.self) {
            try await Self.call(
                center, "Add", ["org.example.App", "{'id': <'a'>, 'title': <5>}", "@ah []"])
        }
        #expect(error.description.contains("org.tocsin.Error.InvalidArgument"))
        #expect(error.description.contains("'title'"))
    }

    /// gdbus sends no descriptors.
    ///
    /// libdbus then returns -1, as for too many open files, so the error could name a wrong cause.
    @Test(.enabled(if: RunningProgram.path(of: "gdbus") != nil, "gdbus is not installed"))
    func `gdbus gets an error that names a handle without a descriptor`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let request = """
            {'id': <'a'>, 'attachments': \
            <[{'id': <'0'>, 'path': <'a.png'>, 'type': <'public.png'>}]>}
            """
        let error = try await #require(throws: HarnessError.self) {
            try await Self.call(center, "Add", ["org.example.App", request, "@ah [0]"])
        }
        #expect(error.description.contains("org.freedesktop.DBus.Error.InvalidArgs"))
        #expect(error.description.contains("did not come with the message"))
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(
                atPath: "/usr/lib/python3/dist-packages/dbus/__init__.py"),
            "python3-dbus is not installed"))
    func `a Python program adds a request with a file, and reads a property`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let file = center.bus.directory + "/a.png"
        try Data("12345".utf8).write(to: URL(filePath: file))
        let program = """
            import dbus, sys
            o = dbus.SessionBus().get_object(
                'org.tocsin.NotificationCenter1', '/org/tocsin/NotificationCenter1')
            c = dbus.Interface(o, 'org.tocsin.NotificationCenter1')
            a = dbus.Array([dbus.Dictionary(
                {'id': '0', 'path': 'a.png', 'type': 'public.png'}, signature='sv')],
                signature='a{sv}')
            with open(sys.argv[1]) as f:
                c.Add('org.example.App', {'id': 'p', 'title': 'Py', 'attachments': a},
                    dbus.Array([dbus.types.UnixFd(f)], signature='h'))
            p = dbus.Interface(o, 'org.freedesktop.DBus.Properties')
            print(p.Get('org.tocsin.NotificationCenter1', 'PendingCount'))
            """
        let output = try await RunningProgram.run(
            "/usr/bin/python3", ["-c", program, file], environment: center.bus.environment)
        #expect(output == "1")
        let added = try #require(center.service.inputs(of: Members.add).first)
        #expect(try added.2.map { try $0.size } == [5])
    }
}
