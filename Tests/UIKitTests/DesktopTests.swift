import CenterInterface
import Foundation
import NotificationModel
import ScriptedService
import TestSupport
import Testing
import UIKit

/// Alerts and addresses, with programs that the test writes into the app's `PATH`.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct DesktopTests {
    /// An app with scripted programs, which write their arguments into a pipe that `said` reads.
    @MainActor private struct Stage {
        let test: TestApplication
        let said: RunningProgram

        init(_ programs: [String: String]) async throws {
            let folder = NSTemporaryDirectory() + "uikit-" + UUID().uuidString
            let pipe = "\(folder)/said"
            let report = "for a in \"$@\"; do echo \"<$a>\"; done >'\(pipe)'\n"
            for (name, script) in programs {
                try await ShellScript.write(report + script, to: "\(folder)/\(name)")
            }
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try #require(mkfifo(pipe, 0o600) == 0)
            // The reader also opens the pipe for writing. So the reader gets no end of file when a
            // program closes the pipe.
            said = try RunningProgram("sh", ["-c", "exec cat <>\"$1\"", "sh", pipe])
            test = try TestApplication(["PATH": folder, "DISPLAY": ":7"])
        }

        /// Presents an alert with one text field, and records the text that a button sends.
        func askName(
            _ chosen: Recording<String>, isSecret: Bool = false, on page: UIViewController
        ) {
            let alert = UIAlertController(
                title: "Rename", message: "A new name?", preferredStyle: .alert)
            alert.desktop = test.application.surroundings.desktop
            alert.addTextField {
                $0.placeholder = "Name"
                $0.text = "old"
                $0.isSecureTextEntry = isSecret
            }
            alert.addAction(
                UIAlertAction(title: "Rename", style: .default) { [unowned alert] _ in
                    chosen.append(alert.textFields?.first?.text ?? "")
                })
            alert.addAction(
                UIAlertAction(title: "Cancel", style: .cancel) { _ in chosen.append("cancelled") })
            page.present(alert, animated: true)
        }

        func alert(_ chosen: Recording<String>) -> UIAlertController {
            let alert = UIAlertController(
                title: "Notifications are off", message: "Turn them on?", preferredStyle: .alert)
            alert.desktop = test.application.surroundings.desktop
            for (title, style) in [("Later", UIAlertAction.Style.cancel), ("Settings", .default)] {
                alert.addAction(
                    UIAlertAction(title: title, style: style) {
                        chosen.append($0.title ?? "")
                    })
            }
            return alert
        }
    }

    @Test(arguments: [("echo Settings; exit 1", "Settings"), ("exit 1", "Later")])
    func `an alert is a dialog whose buttons call their handlers`(
        script: String, button: String
    ) async throws {
        let stage = try await Stage(["zenity": script])
        let chosen = Recording<String>()
        let page = UIViewController()
        page.present(stage.alert(chosen), animated: true)
        #expect(page.presentedViewController is UIAlertController)
        #expect(try await chosen.first(1) == [button])
        #expect(page.presentedViewController == nil)
        #expect(
            try await stage.said.lines.first(7) == [
                "<--question>", "<--no-markup>", "<--switch>", "<--title=Notifications are off>",
                "<--text=Turn them on?>", "<--extra-button=Settings>", "<--extra-button=Later>",
            ])
        await stage.said.stop()
    }

    @Test func `a dismissed alert closes its dialog and calls no handler`() async throws {
        // The pipe ends when the dialog's program ends.
        let pipe = NSTemporaryDirectory() + "dialog-" + UUID().uuidString
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        let dialog = try RunningProgram("cat", [pipe])
        let stage = try await Stage([
            "zenity": "exec 3>'\(pipe)'; echo open >&3; exec /bin/sleep 1000"
        ])
        let chosen = Recording<String>()
        let page = UIViewController()
        page.present(stage.alert(chosen), animated: true)
        try await dialog.lines.first(1)
        page.dismiss(animated: true)
        #expect(page.presentedViewController == nil)
        #expect(try await dialog.exit() == 0)
        // An answer of the first alert would come before the answer of this next alert.
        let next = try await Stage(["zenity": "echo Settings"])
        page.present(next.alert(chosen), animated: true)
        #expect(try await chosen.first(1) == ["Settings"])
        await stage.said.stop()
        await next.said.stop()
    }

    @Test func `the text field of an alert has the typed text`() async throws {
        let stage = try await Stage(["zenity": "echo 'new name'"])
        let chosen = Recording<String>()
        stage.askName(chosen, on: UIViewController())
        #expect(try await chosen.first(1) == ["new name"])
        #expect(
            try await stage.said.lines.first(6) == [
                "<--entry>", "<--title=Rename>", "<--text=A new name?", "Name>",
                "<--entry-text=old>", "<--ok-label=Rename>",
            ])
        await stage.said.stop()
    }

    /// The window shows a secret field empty, because other users can read a program's arguments.
    @Test(arguments: [("echo", "old"), ("echo 'new name'", "new name")])
    func `a secret text field keeps its text until the user types a new text`(
        script: String, text: String
    ) async throws {
        let stage = try await Stage(["zenity": script])
        let chosen = Recording<String>()
        stage.askName(chosen, isSecret: true, on: UIViewController())
        #expect(try await chosen.first(1) == [text])
        await stage.said.stop()
    }

    @Test func `closing the dialog of a text field chooses the cancel button`() async throws {
        let stage = try await Stage(["zenity": "exit 1"])
        let chosen = Recording<String>()
        stage.askName(chosen, on: UIViewController())
        #expect(try await chosen.first(1) == ["cancelled"])
        await stage.said.stop()
    }

    @Test func `an alert without a dialog program is a popup with its buttons`() async throws {
        let stage = try await Stage([:])
        let server = try await ScriptedServer.start(on: stage.test.session)
        let chosen = Recording<String>()
        for (number, (label, button)) in [("Settings", "Settings"), (nil, "Later")].enumerated() {
            let page = UIViewController()
            page.present(stage.alert(chosen), animated: true)
            let popup = try await server.calls.first(number + 1)[number]
            #expect(popup.summary == "Notifications are off" && popup.body == "Turn them on?")
            #expect(popup.actions.map(\.label) == ["Settings", "Later"] && popup.timeout == 0)
            if let key = popup.actions.first(where: { $0.label == label })?.key {
                try await server.click(popup.id, key)
            } else {
                try await server.close(popup.id, reason: 2)
            }
            #expect(try await chosen.first(number + 1).last == button)
            #expect(page.presentedViewController == nil)
        }
        await server.stop()
        await stage.said.stop()
    }

    @Test func `the popup of a dismissed alert is closed`() async throws {
        let stage = try await Stage([:])
        let server = try await ScriptedServer.start(on: stage.test.session)
        let page = UIViewController()
        page.present(stage.alert(Recording<String>()), animated: true)
        let popup = try await server.calls.first(1)[0]
        page.dismiss(animated: true)
        #expect(try await server.closings.first(1) == [popup.id])
        await server.stop()
        await stage.said.stop()
    }

    @Test func `an alert that is dismissed before its popup is shown closes the popup`()
        async throws
    {
        let stage = try await Stage([:])
        var script = ServerScript()
        script.replies = .held
        let server = try await ScriptedServer.start(on: stage.test.session, script: script)
        let page = UIViewController()
        page.present(stage.alert(Recording<String>()), animated: true)
        let popup = try await server.calls.first(1)[0]
        page.dismiss(animated: true)
        await server.release()
        #expect(try await server.closings.first(1) == [popup.id])
        await server.stop()
        await stage.said.stop()
    }

    @Test func `a popup on a server with replies has the text field of the alert`() async throws {
        let stage = try await Stage([:])
        let server = try await ScriptedServer.start(on: stage.test.session, script: .plasma64)
        let chosen = Recording<String>()
        stage.askName(chosen, on: UIViewController())
        let popup = try await server.calls.first(1)[0]
        #expect(popup.actions.first == NotifyCall.Action(key: "inline-reply", label: "Rename"))
        try await server.reply(popup.id, "new name")
        #expect(try await chosen.first(1) == ["new name"])
        await server.stop()
        await stage.said.stop()
    }

    @Test func `an alert without a dialog program or a server is dismissed`() async throws {
        let stage = try await Stage([:])
        let chosen = Recording<String>()
        let page = UIViewController()
        let alert = stage.alert(chosen)
        let ended = Recording<Bool>()
        page.present(alert, animated: true)
        alert.dialogEnded = { ended.append(true) }
        try await ended.first(1)
        #expect(page.presentedViewController == nil && chosen.all.isEmpty)
        await stage.said.stop()
    }

    @Test func `an address is opened by the desktop's program`() async throws {
        let stage = try await Stage(["xdg-open": ""])
        let file = try #require(URL(string: "file:///tmp/a%20b"))
        #expect(stage.test.application.canOpenURL(file))
        #expect(await stage.test.application.open(file, options: [:]))
        #expect(try await stage.said.lines.first(1) == ["<file:///tmp/a%20b>"])
        let opened = Recording<Bool>()
        stage.test.application.open(file) { opened.append($0) }
        #expect(try await opened.first(1) == [true])
        let unknown = try #require(URL(string: "no-such-scheme-\(UUID().uuidString):x"))
        #expect(!stage.test.application.canOpenURL(unknown))
        await stage.said.stop()
    }

    @Test func `an address is not opened if no program can open it`() async throws {
        let stage = try await Stage([:])
        let file = try #require(URL(string: "file:///tmp/a"))
        #expect(!stage.test.application.canOpenURL(file))
        #expect(await stage.test.application.open(file, options: [:]) == false)
        await stage.said.stop()
    }

    // If these properties were isolated to the main actor, this test would not compile.
    @Test func `code off the main actor reads the addresses of the settings`() async {
        let addresses = await Task.detached {
            [UIApplication.openSettingsURLString, UIApplication.openNotificationSettingsURLString]
        }.value
        #expect(addresses == ["app-settings:", "app-settings:notifications"])
    }

    @Test func `opening the settings URL opens the centre's notification settings`() async throws {
        let service = ScriptedService()
        let test = try TestApplication(center: ApplicationTests.center(service))
        let settings = try #require(URL(string: UIApplication.openSettingsURLString))
        #expect(test.application.canOpenURL(settings))
        #expect(await test.application.open(settings, options: [:]))
        #expect(service.inputs(of: Members.openNotificationSettings) == [.tocsin])
        await service.fail(
            Members.openNotificationSettings, with: NotificationError(.noSettings, "No page."))
        #expect(await test.application.open(settings, options: [:]) == false)
    }
}
