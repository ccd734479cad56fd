import DesktopBus
import Foundation
import TestSupport

/// A peer that uses another implementation, python3-dbus, and exports `test.Interface`.
final class PythonPeer: Sendable {
    let process: ChildProcess

    static var isMissing: Bool {
        (try? ChildProcess("/usr/bin/python3", ["-c", "import dbus, gi"], errorFile: "/dev/null"))?
            .waitUntilExit() != 0
    }

    init(_ bus: PrivateBus) throws {
        process = try ChildProcess(
            "/usr/bin/python3", ["-u", "-c", Self.program], environment: bus.environment)
    }

    /// The peer's unique name, which the peer prints as soon as it can answer calls.
    func name() async throws -> BusName {
        let line = await withCheckedContinuation { continuation in
            Thread.detachNewThread { [process] in
                continuation.resume(returning: process.output.availableData)
            }
        }
        return try BusName(
            String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static let program = """
        import dbus, dbus.service, os
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        class Peer(dbus.service.Object):
            total = 0
            @dbus.service.method("test.Interface", in_signature="u")
            def Count(self, number):
                self.total += 1
            @dbus.service.method("test.Interface", out_signature="u")
            def Total(self):
                return self.total
            @dbus.service.method("test.Interface", in_signature="v", out_signature="v")
            def Echo(self, value):
                return value
            @dbus.service.method("test.Interface", in_signature="h", out_signature="s")
            def Read(self, descriptor):
                with os.fdopen(descriptor.take(), "r") as file:
                    return file.read()
            @dbus.service.method("test.Interface", in_signature="s")
            def Emit(self, text):
                self.Happened(text)
            @dbus.service.signal("test.Interface", signature="s")
            def Happened(self, text):
                pass
            @dbus.service.method("test.Interface", in_signature="s", out_signature="aia{sv}")
            def CallBack(self, name):
                other = dbus.Interface(bus.get_object(name, "/test/Object"), "test.Interface")
                def error(work):
                    try:
                        work()
                    except dbus.DBusException as failure:
                        return failure.get_dbus_name()
                return ([other.Add(20, 22)], {
                    "echo": other.Echo(dbus.Dictionary({"k": dbus.Byte(1)}, signature="sv")),
                    "named": error(other.FailByName),
                    "wrong": error(lambda: other.Count("text", signature="s")),
                })
        peer = Peer(bus, "/test/Object")
        print(bus.get_unique_name())
        GLib.MainLoop().run()
        """
}
