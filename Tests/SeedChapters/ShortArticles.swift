internal import DesktopBus
internal import Foundation
internal import HostingSupport
internal import TestSupport

// The articles of one or two programs.

extension SeedChapter {
    static let localNotificationManager = [
        SeedChapter(.localNotificationManager, "step by step") { chapter in
            try await chapter.program("Steps", [], .embedded, .notAsked) { example in
                try await example.answersPrompt("Allow")
                try await chapter.showsReminders(example)
            }
        },
        // If the complete listing has to ask for permission, it schedules nothing in that run.
        SeedChapter(.localNotificationManager, "complete code") { chapter in
            try await chapter.program("Complete") { example in
                try await chapter.showsReminders(example)
            }
        },
    ]

    private func showsReminders(_ example: RunningExample) async throws {
        for number in 1...3 {
            try await example.prints("Notification scheduled! --- ID = reminder-\(number)")
        }
        let title = "Remember the milk!"
        try await example.session.waitUntilShown(title)
        try await capture(example)
        try await example.session.chooseDefault(labelled: "Open", of: title)
        // The click lists what is scheduled for tomorrow.
        try await example.prints(with: "UNNotificationRequest", and: "reminder-3")
    }

    static let focusSession = [
        SeedChapter(.focusSession, "after 15 seconds") { chapter in
            try await chapter.program("", [], .embedded, .notAsked, beside: ["Info.plist"]) {
                example in
                let session = example.session
                try await session.waitUntilShown(
                    "We use notifications to alert you when it's time to take a break or start a "
                        + "new focus session.")
                try await session.screenshot("seed-focussession-permission")
                try await example.answersPrompt("Allow")
                try await example.prints("registered: 1")
                try await session.waitUntilShown("Hello")
                try await session.waitUntilShown("休息结束了")
                try await chapter.capture(example)
                try await session.chooseDefault(labelled: "Open", of: "Hello")
                try await session.waitUntilGone("Hello")
            }
        }
    ]

    static let meetingNotes = [
        SeedChapter(.meetingNotes, "accepted") { try await $0.invites("accepts", "Accept") },
        SeedChapter(.meetingNotes, "declined") { try await $0.invites("declines", "Decline") },
        SeedChapter(.meetingNotes, "dismissed") { try await $0.invites("postpones", nil) },
    ]

    private func invites(_ verb: String, _ button: String?) async throws {
        try await program { example in
            let title = "Weekly staff meeting"
            try await example.session.waitUntilShown(title)
            try await capture(example)
            if let button {
                try await example.session.choose(button, of: title)
            } else {
                try await example.session.dismiss(title)
            }
            try await example.prints("ada \(verb) staff-tuesday")
        }
    }

    static let localNotification = [
        SeedChapter(.localNotification, "every minute") { chapter in
            let system = try PrivateBus()
            let logind = try await ScriptedLogind.start(on: system)
            let variables = ["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue]
            do {
                try await chapter.program(environment: variables) {
                    try await chapter.minutes($0, logind)
                }
            } catch {
                await logind.stop()
                throw error
            }
            await logind.stop()
        },
        SeedChapter(.localNotification, "quick action") { chapter in
            try await chapter.program(beside: ["Info.plist"], isRegistered: true) { example in
                try await example.prints("register notification success")
                let type = "com.harry.HDLocalNotification.wear"
                let launcher = QuickActionLauncher(environment: example.session.environment)
                try await launcher.choose(
                    type.replacingOccurrences(of: ".", with: "-2E"), of: "org.tocsin.Test")
                try await example.prints("shortcutItem.type: \(type)")
                try await chapter.capture(example)
            }
        },
    ]

    /// Clicks the popup of the first minute; then the session is locked and unlocked.
    private func minutes(_ example: RunningExample, _ logind: ScriptedLogind) async throws {
        try await example.prints("register notification success")
        try await example.prints(with: "index : 0", and: "success")
        // The app is in front, so the centre asks it when the minute has passed.
        try await example.prints(beginning: "categoryIdentifier: local_notification", within: 90)
        let title = "通知标题-_-"
        try await example.session.waitUntilShown(title)
        try await example.session.waitUntilShown("通知实体*_*")
        try await capture(example)
        try await example.session.choose("点击进入app", of: title)
        try await example.prints("response.actionIdentifier: sure_action")
        // While the session is locked, the app runs a background task, which delays the sleep.
        try await logind.lock()
        try await logind.inhibitors.first("the background task") { $0.mode == "delay" }
        try await logind.lock(false)
        try await example.prints(beginning: "dateInt:")
    }
}
