import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// `tocsin --user NAME`: root acts as another user.
@Suite struct UserSwitchTests {
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor(hosted: "unused"))

    @Test func aUserIsNamedFirst() throws {
        func split(_ arguments: [String]) throws -> [String] {
            let (user, rest) = try UserSwitch.split(arguments)
            return [user ?? "-"] + rest
        }
        #expect(try split(["--user", "anna", "list"]) == ["anna", "list"])
        #expect(try split(["--user=anna", "list"]) == ["anna", "list"])
        #expect(try split(["send", "--user", "x"]) == ["-", "send", "--user", "x"])
        #expect(try split([]) == ["-"])
        #expect(throws: ToolError.self) { try split(["--user"]) }
        #expect(throws: ToolError.self) {
            try UserSwitch.become("no such user", [], in: Self.environment)
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root acts as another user"))
    func rootActsAsAnotherUserOnThatUsersBus() async throws {
        let run = try await ProgramTests.run(
            "tocsin", ["--user", "nobody", "list"],
            environment: ["HOME": "/root", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"])
        #expect(run.status == 75 || run.errors.contains("cannot run"))
        #expect(!run.errors.contains("unix:path=/x"))
        let own = try await ProgramTests.run(
            "tocsin", ["--user=root", "--version"], environment: [:])
        #expect(own.status == 0)
    }

    // MARK: A user with a bus

    /// A machine of its own for processes, mounts and users: nothing of it outlives the script.
    ///
    /// Anna has a home and, from half-way on, a bus with a notification server. Each line of the output is a call's name, its status, and what it said.
    private static let stage = #"""
        mount -t tmpfs none /run/user
        mkdir -p /run/user/65533 /run/user/stage/home /run/user/stage/bin /run/user/private
        { cat /etc/passwd; echo "anna:x:65533:65533::/run/user/stage/home:/bin/sh"; } \
          > /run/user/stage/passwd
        mount --bind /run/user/stage/passwd /etc/passwd
        mount --bind "$PRODUCTS" /run/user/stage/bin
        chown 65533:65533 /run/user/65533 /run/user/stage/home
        chmod 700 /run/user/65533 /run/user/stage/home /run/user/private
        cd /run/user/stage
        call() {
          name=$1; shift
          said=$(bin/tocsin "$@" 2>&1 < /dev/null) && status=0 || status=$?
          echo "$name $status" $said
        }
        call absent --user anna list
        call kept --user anna in 10h Later --id later
        call listed --user anna list --ids
        call homeless --user nobody in 10h Later
        cat > bus.conf <<'END'
        <busconfig>
          <type>session</type><listen>unix:path=/run/user/65533/bus</listen><auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*"/><allow own="*"/><allow receive_sender="*"/>
          </policy>
        </busconfig>
        END
        as_anna() {
          setpriv --reuid 65533 --regid 65533 --clear-groups env -i PATH=/usr/bin:/bin "$@"
        }
        mkfifo -m 666 ready shown
        as_anna dbus-daemon --config-file=bus.conf --nofork --print-address=1 > ready 2> bus.log &
        read -r address < ready
        call refused --user anna send Early
        as_anna DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/65533/bus python3 -c '
        import dbus, dbus.service, dbus.mainloop.glib
        from gi.repository import GLib
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        shown = open("shown", "w", buffering=1)
        name = "org.freedesktop.Notifications"
        class Server(dbus.service.Object):
            @dbus.service.method(name, in_signature="susssasa{sv}i", out_signature="u")
            def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
                print(summary, file=shown)
                return dbus.UInt32(1)
            @dbus.service.method(name, out_signature="as")
            def GetCapabilities(self): return ["body", "actions"]
            @dbus.service.method(name, out_signature="ssss")
            def GetServerInformation(self): return ("Anna", "Tests", "1", "1.2")
        bus = dbus.SessionBus()
        server = Server(bus, "/org/freedesktop/Notifications")
        owned = dbus.service.BusName(name, bus)
        print("up", file=shown)
        GLib.MainLoop().run()
        ' &
        exec 3< shown
        read -r up <&3
        call sent --user anna send "Backup failed"
        read -r summary <&3
        echo "popup 0 $summary"
        call taken --user anna list --ids
        call imported --user=anna import -
        call removed --user anna remove --all
        echo "store 0 $(find home -path '*center.sqlite' -uid 65533 | grep -c .)"
        echo "foreign 0 $(find home ! -uid 65533 | grep -c .)"
        """#

    /// Why the machine cannot be made here; nil where it can.
    private static func obstacle() async -> String? {
        guard getuid() == 0 else { return "only root acts as another user" }
        for program in ["unshare", "setpriv", "dbus-daemon", "python3"]
        where RunningProgram.path(of: program) == nil {
            return "\(program) is not installed"
        }
        let mount = ["-mpf", "--mount-proc", "mount", "-t", "tmpfs", "none", "/run/user"]
        guard (try? await RunningProgram.run("unshare", mount)) != nil else {
            return "namespaces are not allowed here"
        }
        return nil
    }

    @Test func rootSchedulesAndShowsOnTheBusAndInTheStoreOfAnotherUser() async throws {
        if let obstacle = await Self.obstacle() {
            print("not tried: \(obstacle)")
            return
        }
        let variables = [
            "PRODUCTS": ProgramTests.products, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root", "XDG_STATE_HOME": "/run/user/private", "TMPDIR": "/run/user/private",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/private/bus",
        ]
        let text = try await RunningProgram.run(
            "unshare", ["-mpf", "--mount-proc", "sh", "-ec", Self.stage], environment: variables,
            within: 60)
        let lines = text.split(separator: "\n").map(String.init)
        func said(_ call: String) throws -> String {
            try #require(lines.first { $0.hasPrefix(call + " ") }, "\(text)")
        }
        let remedy =
            "absent 75 tocsin: anna has no session bus: there is no socket at /run/user/65533/bus."
        #expect(try said("absent").hasPrefix(remedy))
        #expect(try said("absent").contains("loginctl enable-linger anna"))
        #expect(try said("kept").hasPrefix("kept 0 later: "))
        #expect(try said("listed").hasPrefix("listed 0 "))
        #expect(try said("listed").contains(" later"))
        #expect(try said("homeless").hasPrefix("homeless 75 tocsin: nobody has no session bus"))
        #expect(try said("homeless").contains("could not be made"))
        #expect(try said("refused").hasPrefix("refused 69 tocsin: No notification server"))
        #expect(try said("sent") == "sent 0")
        #expect(try said("popup") == "popup 0 Backup failed")
        #expect(try said("taken").hasPrefix("taken 0 later"))
        #expect(try said("imported").hasPrefix("imported 0 0 imported."))
        #expect(try said("removed").hasPrefix("removed 0"))
        #expect(try said("store") == "store 0 1")
        #expect(try said("foreign") == "foreign 0 0")
    }
}
