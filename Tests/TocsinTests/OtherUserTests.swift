import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// `sudo -u anna tocsin …` and `runuser -u anna -- tocsin …`: the tool must find anna's session.
@Suite(.timeLimit(.minutes(5))) struct OtherUserTests {
    /// Files of user 1000 and of root, as user 1000 sees them; no other file exists.
    private static let files = EnvironmentOwner.Files(
        owner: { path in
            [
                "/": 0, "/h": 0, "/h/anna": 1_000, "/run/user/1000": 1_000,
                "/run/user/1000/bus": 1_000, "/run/user/0": 0,
                "/run/user/0/bus": EnvironmentOwner.Files.unreachable, "/h/root": 0,
                "/h/root/.local/state": EnvironmentOwner.Files.unreachable, "/tmp": 0,
            ][path]
        }, listener: { ["/tmp/dbus-root": 0, "/tmp/dbus-anna": 1_000][$0] },
        isWritable: { ["/tmp", "/h/anna"].contains($0) })

    private static func owner(
        _ user: UInt32, _ variables: [String: String]
    ) -> EnvironmentOwner {
        EnvironmentOwner(
            user: user, files: files,
            account: { $0 == 0 ? ("root", "/h/root") : ("anna", "/h/anna") },
            variable: { variables[$0] })
    }

    @Test func `root's variables are ignored, and anna's values replace them`() {
        let owner = Self.owner(
            1_000,
            [
                "HOME": "/h/root", "XDG_RUNTIME_DIR": "/run/user/0", "USER": "root",
                "DISPLAY": ":0",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/0/bus,guid=1",
                "XDG_STATE_HOME": "/h/root/.local/state", "XDG_DATA_HOME": "/h/root/new",
            ])
        #expect(
            owner.values == [
                "HOME": "/h/anna", "USER": "anna", "LOGNAME": "anna",
                "XDG_RUNTIME_DIR": "/run/user/1000",
            ])
        #expect(
            owner.ignored == [
                "DBUS_SESSION_BUS_ADDRESS", "XDG_STATE_HOME", "XDG_DATA_HOME", "DISPLAY",
                "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE",
            ])
    }

    @Test func `the user's own variables are kept`() {
        for variables in [
            [:],
            [
                "HOME": "/h/anna", "XDG_RUNTIME_DIR": "/run/user/1000", "DISPLAY": ":0",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=%2frun/user/1000/bus",
                "XDG_STATE_HOME": "/tmp/new/state", "XDG_CONFIG_HOME": "relative",
            ],
            ["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/tmp/dbus-anna,guid=1"],
            // The tool reports a mistake in an address instead of trying another address.
            ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"],
        ] as [[String: String]] {
            #expect(Self.owner(1_000, variables) == EnvironmentOwner(), "\(variables)")
        }
    }

    @Test(
        arguments: [
            "unix:abstract=/tmp/dbus-root,guid=1", "unix:abstract=%2ftmp%2fdbus-root",
            "unix:path=/nonexistent;unix:path=/run/user/0/bus",
        ])
    func `a bus of another user is ignored in every form of its address`(address: String) {
        let owner = Self.owner(1_000, ["DBUS_SESSION_BUS_ADDRESS": address])
        #expect(owner.ignored.contains("DBUS_SESSION_BUS_ADDRESS"))
    }

    /// sudo resets the variables, so the tool finds no variable of root.
    @Test(
        arguments: [("0", true), ("1001", true), ("1000", false), ("", false), ("root", false)])
    func `if another user called sudo, the error explains that the bus address is not set`(
        caller: String, isOther: Bool
    ) {
        let owner = Self.owner(1_000, ["HOME": "/h/anna", "SUDO_UID": caller])
        #expect(owner.isCalledBySudo == isOther)
        #expect(owner.ignored.isEmpty && owner.values.isEmpty)
        let text = owner.remedy("no bus")
        #expect((text == "no bus") != isOther)
        #expect(text.contains("DBUS_SESSION_BUS_ADDRESS is not set") == isOther)
        #expect(text.contains("loginctl enable-linger") == isOther)
    }

    @Test func `root's files go into root's home even if HOME names a user's home`() {
        let owner = Self.owner(
            0, ["HOME": "/h/anna", "XDG_STATE_HOME": "/h/anna/.local/state"])
        #expect(owner.values["HOME"] == "/h/root" && owner.ignored.contains("XDG_STATE_HOME"))
    }

    @Test func `the owner of an abstract socket is the user of its listener`() async throws {
        let name = "tocsin-test-" + UUID().uuidString
        let python = """
            import socket
            s = socket.socket(socket.AF_UNIX)
            s.bind("\\0\(name)"); s.listen(); print("up", flush=True); s.accept()
            """
        let program = try RunningProgram("/usr/bin/python3", ["-c", python])
        try await program.lines.first(1)
        #expect(EnvironmentOwner.Files.system.listener(name) == getuid())
        // The program ends after one connection, which `listener` made.
        #expect(try await program.exit() == 0)
        #expect(EnvironmentOwner.Files.system.listener("nobody-" + name) == nil)
    }

    // MARK: A user with a bus

    /// A script for separate namespaces: all its processes and mounts end with the script.
    ///
    /// Anna has a home from the beginning, and later a bus with a notification server. Each line of
    /// the output has a call's name, its status, and its output.
    private static let stage = #"""
        mount -t tmpfs none /run/user
        mkdir -p /run/user/65533 /run/user/stage/home /run/user/stage/bin /run/user/private
        { cat /etc/passwd; echo "anna:x:65533:65533::/run/user/stage/home:/bin/sh"; } \
          > /run/user/stage/passwd
        mount --bind /run/user/stage/passwd /etc/passwd
        mount --bind "$PRODUCTS" /run/user/stage/bin
        chown 65533:65533 /run/user/65533 /run/user/stage/home
        chmod 700 /run/user/65533 /run/user/stage/home /run/user/private
        : > /run/user/private/bus
        cd /run/user/stage
        # The variables stay, as with runuser.
        as_user() {
          setpriv --reuid "$1" --regid "$(id -g "$1")" --clear-groups -- "${@:3}"
        }
        call() {
          name=$1; user=$2; shift 2
          said=$($AS "$user" -- bin/tocsin "$@" 2>&1 < /dev/null) && status=0 || status=$?
          echo "$name $status" $said
        }
        call absent anna list
        call kept anna in 10h Later --id later
        call listed anna list --ids
        call homeless nobody in 10h Later
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
        call refused anna send Early
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
        call sent anna send "Backup failed"
        read -r summary <&3
        echo "popup 0 $summary"
        call taken anna list --ids
        call imported anna import -
        call removed anna remove --all
        echo "store 0 $(find home -path '*center.sqlite' -uid 65533 | grep -c .)"
        echo "foreign 0 $(find home ! -uid 65533 | grep -c .)"
        """#

    /// The reason why the namespaces cannot be made here; nil if they can be made.
    private static func obstacle(to command: String) async -> String? {
        guard getuid() == 0 else { return "only root acts as another user" }
        for program in [command, "unshare", "setpriv", "dbus-daemon", "python3"]
        where RunningProgram.path(of: program) == nil {
            return "\(program) is not installed"
        }
        let mount = ["-mpf", "--mount-proc", "mount", "-t", "tmpfs", "none", "/run/user"]
        guard (try? await RunningProgram.run("unshare", mount)) != nil else {
            return "namespaces are not allowed here"
        }
        return nil
    }

    /// Each command except `sudo -u` keeps root's variables in the environment.
    @Test(arguments: ["runuser -u", "sudo -u", "sudo -E -u", "setpriv"])
    func `root acts on the bus and in the store of another user`(command: String) async throws {
        let program = String(command.prefix { $0 != " " })
        if let obstacle = await Self.obstacle(to: program) {
            try Test.cancel("not tried with \(command): \(obstacle)")
        }
        let variables = [
            "AS": command == "setpriv" ? "as_user" : command,
            "PRODUCTS": ProgramTests.products, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root", "XDG_STATE_HOME": "/run/user/private", "TMPDIR": "/run/user/private",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/private/bus",
            "XDG_RUNTIME_DIR": "/run/user/private", "DISPLAY": ":77",
        ]
        let text = try await RunningProgram.run(
            "unshare", ["-mpf", "--mount-proc", "bash", "-ec", Self.stage], environment: variables,
            within: 60)
        let lines = text.split(separator: "\n").map(String.init)
        func said(_ call: String) throws -> String {
            try #require(lines.first { $0.hasPrefix(call + " ") }, "\(text)")
        }
        let remedy =
            "absent 75 tocsin: anna has no session bus: there is no socket at /run/user/65533/bus, "
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
