import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("A request as it is stored", .timeLimit(.minutes(2)))
struct StoredRequestTests {
    func stored(_ request: NotificationRequest) throws -> NotificationRequest {
        try PayloadCoding.decodeRequest(from: PayloadCoding.encode(request))
    }

    @Test func `every field of a request is read back unchanged`() throws {
        for request in NotificationRequest.everyField { #expect(try stored(request) == request) }
        let empty = NotificationRequest(identifier: "", content: NotificationContent())
        #expect(try stored(empty) == empty)
    }

    @Test func `an empty or zero value is not read back as a missing value`() throws {
        var content = NotificationContent.everyField
        (content.badge, content.progress) = (0, 0)
        (content.targetContentIdentifier, content.filterCriteria) = ("", "")
        content.desktop = DesktopOptions()
        content.userInfo = [
            "": .array([.string(""), .real(.infinity), .integer(0), .data([]), .array([])])
        ]
        let request = NotificationRequest(identifier: "id", content: content)
        #expect(try stored(request) == request)
    }

    @Test
    func `every trigger and every sound is read back unchanged`() throws {
        var components = CalendarComponents()
        components.hour = 9
        components.timeZone = "Europe/Berlin"
        let triggers: [NotificationTrigger?] = [
            nil, .push, .at(ManualClock.start), .interval(seconds: 0.1, repeats: false),
            .interval(seconds: 60, repeats: true), .calendar(components, repeats: true),
            .calendar(CalendarComponents(), repeats: false),
            .region(.home, repeats: false), .region(.home, repeats: true),
        ]
        for trigger in triggers {
            #expect(try stored(.sample("a", trigger)).trigger == trigger)
        }
        let sources: [NotificationSound.Source] = [
            .standard, .ringtone, .named(""), .named("a"), .ringtoneNamed("a"),
        ]
        for source in sources {
            var request = NotificationRequest.sample("a")
            request.content.sound = NotificationSound(source)
            #expect(try stored(request) == request)
        }
    }

    @Test
    func `a field with its default value takes no space`() throws {
        let request = NotificationRequest(
            identifier: "a", content: NotificationContent(title: "t"),
            trigger: .interval(seconds: 5, repeats: false))
        let text = String(decoding: try PayloadCoding.encode(request), as: UTF8.self)
        #expect(
            text == #"{"id":"a","title":"t","trigger":{"kind":"interval","seconds":5}}"#)
    }

    @Test
    func `a value that JSON cannot hold is refused with an error`() {
        var request = NotificationRequest.sample("a")
        request.content.relevanceScore = .nan
        let refused = request
        let error = #expect(throws: NotificationError.self) { try PayloadCoding.encode(refused) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `a service extension may change every repeat of a rule with a count`() async throws {
        let store = try StoreFixture().open()
        let request = NotificationRequest.sample(
            "counted", .rule(NotificationRule("every 1h", count: 3)))
        let new = NewRequest(
            app: .tocsin, identifier: "counted",
            payload: try PayloadCoding.encode(request, isMutable: true),
            due: DueTime(wall: ManualClock.start), files: [])
        _ = try await store.add([.request(new)], for: .tocsin)
        for hour in 0..<3 {
            let now = ClockReading.sample(
                wall: ManualClock.start.adding(microseconds: Int64(hour) * 3_600_000_000),
                boot: Int64(hour + 1) * 3_600_000_000)
            let claimed = try #require(
                try await store.claim(limit: 1, excluding: [], now: now).first)
            #expect(claimed.isMutable, "at hour \(hour)")
            #expect(claimed.request.trigger == .rule(NotificationRule("every 1h", count: 3 - hour)))
            try await store.settle(
                [Settlement(claimed: claimed, outcome: .delivered(nil), date: now.wall)], now: now)
        }
        #expect(try await store.identifiers().isEmpty)
    }
}
