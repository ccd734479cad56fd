internal import DesktopBus
internal import Foundation
internal import HostingSupport
internal import TestSupport

// The long article, chapter by chapter.

extension SeedChapter {
    static let hangge = [
        SeedChapter(.hangge, "2.1 permission refused") { chapter in
            try await chapter.program("Permission", [], .embedded, .notAsked) { example in
                try await example.session.waitUntilShown(
                    "SeedHanggePermission would like to send you notifications")
                try await chapter.capture(example)
                try await example.answersPrompt("Don’t Allow")
                try await example.prints("用户不允许消息通知。")
            }
        },
        SeedChapter(.hangge, "2.2 alert about permission") { chapter in
            try await chapter.program("Settings", [], .embedded, .denied) { example in
                try await example.prints("是否允许通知:不允许")
                try await example.prints(beginning: "显示预览:")
                try await chapter.pressesAlert("取消", in: example)
            }
        },
        SeedChapter(.hangge, "3 after 30 seconds") { chapter in
            try await chapter.program("Simple") { example in
                try await chapter.showsPage(example, "做最好的开发者知识平台")
            }
        },
        SeedChapter(.hangge, "4 content") { chapter in
            try await chapter.program("Content") { example in
                try await example.session.waitUntilShown("hangge.com")
                try await example.session.waitUntilShown(
                    "航歌(二级标题)\n做最好的开发者知识平台")
                try await chapter.capture(example)
            }
        },
        SeedChapter(.hangge, "5 triggers") { chapter in
            try await chapter.program("Triggers") { example in
                // The date is in 2017, so it has no next date and is never shown.
                try await example.prints("date: scheduled, no date")
                try await example.prints("weekly: scheduled, Mon 08:00:30")
                try await example.prints("place: scheduled, no date")
                try await example.session.waitUntilShown("soon")
                try await chapter.capture(example)
            }
        },
        SeedChapter(.hangge, "5 triggers, entering the region") { try await $0.entersRegion() },
        SeedChapter(.hangge, "7 remote notification") { chapter in
            try await chapter.program("Remote", [], .daemon) { example in
                try await chapter.push(
                    """
                    {"aps": {"alert": {"title": "hangge.com", "subtitle": "航歌",
                     "body": "做最好的开发者知识平台"}, "sound": "default", "badge": 1}}
                    """, in: example)
                try await example.session.waitUntilShown("hangge.com")
                try await example.session.waitUntilShown("航歌\n做最好的开发者知识平台")
                try await chapter.capture(example)
            }
        },
        SeedChapter(.hangge, "8 find, update, remove") { chapter in
            try await chapter.program("Manage") { example in
                try await example.session.waitUntilShown("shown")
                try await example.session.waitUntilShown("remove")
                try await chapter.capture(example)
                try await example.session.choose("Remove all", of: "remove")
                try await example.prints(with: "UNNotificationRequest", and: "hangge.com")
                try await example.prints(with: "UNNotification:", and: "shown")
                try await example.prints("left: 0, 0")
                try await example.session.waitUntilGone("shown")
            }
        },
        SeedChapter(.hangge, "9 in front") { chapter in
            try await chapter.program("Foreground") { example in
                try await chapter.showsPage(example, "做最好的开发者知识平台")
            }
        },
        SeedChapter(.hangge, "10 click") { chapter in
            try await chapter.program("Response") { example in
                try await chapter.showsPage(example, "做最好的开发者知识平台")
                try await example.session.chooseDefault(labelled: "Open", of: "hangge.com")
                try await example.prints("做最好的开发者知识平台")
                try await example.prints(with: "articleId", and: "10086")
            }
        },
        SeedChapter(.hangge, "11 like") { try await $0.answers("点个赞", "你点击了“点个赞”按钮") },
        SeedChapter(.hangge, "11 cancel") { try await $0.answers("取消", "你点击了“取消”按钮") },
        SeedChapter(.hangge, "11 comment") { try await $0.comments() },
        SeedChapter(.hangge, "12 service extension") { chapter in
            try await chapter.program("Service", [], .daemon) { example in
                try await example.prints("waiting")
                try await chapter.push(
                    """
                    {"aps": {"alert": {"title": "最新资讯", "body": "2017全国文明城市公布"},
                     "sound": "default", "badge": 1, "mutable-content": 1}}
                    """, in: example)
                try await example.session.waitUntilShown(
                    "2017全国文明城市公布 【来自hangge.com】")
                try await chapter.capture(example)
            }
        },
        SeedChapter(.hangge, "13 picture") { chapter in
            try await chapter.program("Attachment", beside: ["Attachment/image.png"]) { example in
                try await chapter.showsPage(example, "囤积iPhoneX的黄牛赔到怀疑人生?")
                try await chapter.seesImage(example)
                try await example.session.chooseDefault(labelled: "Open", of: "hangge.com")
                try await example.prints("image: 64.0")
            }
        },
        SeedChapter(.hangge, "14 downloaded picture") { chapter in
            try await chapter.program(
                "Download", [], .daemon, environment: ["no_proxy": "127.0.0.1"]
            ) { example in
                try await example.prints("waiting")
                try await ImageSite.serving { site in
                    try await chapter.push(
                        """
                        {"aps": {"alert": {"title": "最新资讯", "body": "2017全国文明城市公布"},
                         "sound": "default", "badge": 1, "mutable-content": 1},
                         "image": "\(site)/town.png"}
                        """, in: example)
                    try await example.session.waitUntilShown("2017全国文明城市公布")
                    try await chapter.capture(example)
                    try await chapter.seesImage(example)
                }
            }
        },
    ]

    /// Moves the device into the region.
    ///
    /// The ages of its locations say that it stays there, so the test need not wait.
    private func entersRegion() async throws {
        let system = try PrivateBus()
        let geoClue = try await ScriptedGeoClue.start(on: system)
        let variables = ["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue]
        do {
            try await program("Triggers", environment: variables) { example in
                let session = example.session
                let question = "SeedHanggeTriggers would like to use your location"
                try await session.waitUntilShown(question)
                try await session.choose("Allow", of: question)
                try await geoClue.calls.first("the watch") { $0.hasPrefix("Start") }
                for (latitude, age) in [(52.20, 100.0), (52.10, 60), (52.10, 10)] {
                    try await geoClue.move(to: latitude, 51.11, age: age)
                }
                try await session.waitUntilShown("place")
                try await capture(example)
                try await session.chooseDefault(labelled: "Open", of: "place")
                try await session.waitUntilGone("place")
            }
        } catch {
            await geoClue.stop()
            throw error
        }
        await geoClue.stop()
    }

    private func showsPage(_ example: RunningExample, _ body: String) async throws {
        try await example.prints(
            "Time Interval Notification scheduled: com.hangge.testNotification")
        try await example.session.waitUntilShown("hangge.com")
        try await example.session.waitUntilShown(body)
        try await capture(example)
    }

    /// Presses a button of a popup of chapter 11, and reads the alert that follows.
    private func answers(_ button: String, _ message: String) async throws {
        try await program("Actions") { example in
            try await showsPage(example, "囤积iPhoneX的黄牛赔到怀疑人生?")
            try await example.session.choose(button, of: "hangge.com")
            try await reads(message, in: example)
        }
    }

    /// Xfce takes no text in a popup, so a dialog asks for the comment.
    private func comments() async throws {
        try await program("Actions") { example in
            try await showsPage(example, "囤积iPhoneX的黄牛赔到怀疑人生?")
            try await example.session.choose("评论", of: "hangge.com")
            let send = try await example.session.tree.waitUntilShown(.pushButton, "发送")
            try await example.session.screenshot("seed-hangge-11-comment-dialog")
            try await example.session.pointer.type("hao")
            try await example.session.pointer.click(send)
            try await reads("你输入的是:hao", in: example)
        }
    }

    private func reads(_ message: String, in example: RunningExample) async throws {
        try await example.session.waitUntilShown(message)
        try await pressesAlert("确定", in: example)
    }

    private func pressesAlert(_ button: String, in example: RunningExample) async throws {
        let place = try await example.session.tree.waitUntilShown(.pushButton, button)
        try await capture(example)
        try await example.session.pointer.click(place)
        try await example.session.tree.waitUntilGone(.pushButton, button)
    }

    private func seesImage(_ example: RunningExample) async throws {
        let screen = try await example.session.screenshot("seed-image")
        guard try await TestImage.pixels(in: screen) > 100 else {
            throw HarnessError("the image is not on the screen")
        }
    }

    private func push(_ payload: String, in example: RunningExample) async throws {
        let file = "\(example.session.bus.directory)/payload.json"
        try payload.write(toFile: file, atomically: true, encoding: .utf8)
        try await RunningProgram.run(
            try HostedService.program("tocsin"), ["push", "org.tocsin.Test", file],
            environment: example.session.environment)
    }
}
