import NotificationModel
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("What a request must be")
struct RequestCheckTests {
    @Test
    func `an ordinary request passes, with any characters in its identifier`() throws {
        for identifier in [
            "a", "../../etc/passwd", "with/slash", "new\nline", "Ünïcode", "\u{202E}",
        ] {
            #expect(throws: Never.self) { try RequestCheck.check(.sample(identifier)) }
        }
        let longest = String(repeating: "x", count: Limits.identifier.most)
        #expect(throws: Never.self) { try RequestCheck.check(.sample(longest)) }
    }

    @Test
    func `an identifier has 1 to 1,024 bytes`() {
        for identifier in [
            "", String(repeating: "x", count: 1_025), String(repeating: "ü", count: 513),
        ] {
            let error = #expect(throws: NotificationError.self) {
                try RequestCheck.check(.sample(identifier))
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test
    func `a NUL is refused in every text that goes to the server`() {
        let changes: [(inout NotificationRequest) -> Void] = [
            { $0.identifier = "a\0b" }, { $0.content.title = "\0" }, { $0.content.subtitle = "\0" },
            { $0.content.body = "a\0" }, { $0.content.categoryIdentifier = "\0" },
            { $0.content.threadIdentifier = "\0" },
            { $0.content.sound = NotificationSound(.named("\0")) },
            {
                var desktop = DesktopOptions()
                desktop.hints = ["a": .string("\0")]
                $0.content.desktop = desktop
            },
        ]
        for change in changes {
            var request = NotificationRequest.sample("a")
            change(&request)
            #expect(throws: NotificationError.self) { try RequestCheck.payload(of: request) }
        }
        let action = NotificationAction(identifier: "a", title: "\0")
        #expect(throws: NotificationError.self) {
            try RequestCheck.check(
                [NotificationCategory(identifier: "c", actions: [action])], of: .tocsin)
        }
    }

    @Test
    func `userInfo may nest at most 16 levels`() {
        var request = NotificationRequest.sample("a")
        var value = PropertyListValue.string("leaf")
        for _ in 1..<16 { value = .array([value]) }
        request.content.userInfo = ["k": value]
        #expect(throws: Never.self) { try RequestCheck.check(request) }
        request.content.userInfo = ["k": .array([value])]
        #expect(throws: NotificationError.self) { try RequestCheck.check(request) }
    }

    @Test
    func `a request has at most 16 attachments and 256 KiB of text`() {
        var request = NotificationRequest.sample("a")
        let attachment = NotificationAttachment(identifier: "i", path: "/p", type: "public.png")
        request.content.attachments = Array(repeating: attachment, count: 16)
        #expect(throws: Never.self) { try RequestCheck.check(request) }
        request.content.attachments.append(attachment)
        let error = #expect(throws: NotificationError.self) { try RequestCheck.check(request) }
        #expect(error?.code == .attachmentInvalid)
        var large = NotificationRequest.sample("a")
        // The other fields need some of the 256 KiB.
        large.content.body = String(repeating: "x", count: 255 << 10)
        #expect(throws: Never.self) { try RequestCheck.payload(of: large) }
        large.content.body = String(repeating: "x", count: 256 << 10)
        #expect(throws: NotificationError.self) { try RequestCheck.payload(of: large) }
    }

    @Test(arguments: [0, -1, .nan, .infinity, -.infinity, 1e300, 1e12])
    func `an interval that is not positive, not finite or too long is refused`(seconds: Double) {
        let error = #expect(throws: NotificationError.self) {
            try RequestCheck.check(.sample("a", .interval(seconds: seconds, repeats: false)))
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `a repeating interval must have at least 60 seconds`() {
        #expect(throws: NotificationError.self) {
            try RequestCheck.check(.sample("a", .interval(seconds: 59.9, repeats: true)))
        }
        #expect(throws: Never.self) {
            try RequestCheck.check(.sample("a", .interval(seconds: 60, repeats: true)))
        }
    }

    @Test
    func `an error quotes input so that the input cannot forge a line of a log`() {
        let error = #expect(throws: NotificationError.self) {
            _ = try RequestCheck.payload(of: .sample("a\n\0 root: all is well"))
        }
        #expect(error?.message.contains("\n") == false)
    }
}
