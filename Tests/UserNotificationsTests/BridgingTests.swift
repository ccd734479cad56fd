import NotificationModel
import TestSupport
import Testing

@testable import UserNotifications

@Suite struct BridgingTests {
    @Test func `every value of content goes to the model and back`() throws {
        let model = NotificationContent.everyField
        let content = UNNotificationContent(values: ContentValues(model))
        #expect(try content.values.content() == model)
        #expect(content.title == "Title")
        #expect(content.badge == 3)
        #expect(content.attachments.first?.url.path == "/a.png")
        #expect(content.interruptionLevel == .timeSensitive)
        #expect(content.userInfo["whole"] as? Int == .min)
    }

    @Test func `the content values that an app sets reach the model`() throws {
        let content = UNMutableNotificationContent()
        content.title = "Title"
        content.subtitle = "Subtitle"
        content.body = "Body"
        content.badge = 1
        content.sound = .default
        content.categoryIdentifier = "category"
        content.threadIdentifier = "thread"
        content.launchImageName = "launch"
        content.targetContentIdentifier = "target"
        content.interruptionLevel = .critical
        content.relevanceScore = 1
        content.filterCriteria = "filter"
        content.setProgress(1.5)
        var expected = NotificationContent(title: "Title", body: "Body")
        expected.subtitle = "Subtitle"
        expected.badge = 1
        expected.sound = NotificationSound(.standard)
        expected.categoryIdentifier = "category"
        expected.threadIdentifier = "thread"
        expected.launchImageName = "launch"
        expected.targetContentIdentifier = "target"
        expected.interruptionLevel = .critical
        expected.relevanceScore = 1
        expected.filterCriteria = "filter"
        expected.progress = 1
        #expect(try content.values.content() == expected)
    }

    @Test(arguments: [-1, 1.5])
    func `a negative or fractional badge is refused`(badge: Double) {
        let content = UNMutableNotificationContent()
        content.badge = NSNumber(value: badge)
        let error = #expect(throws: NotificationError.self) { try content.values.content() }
        #expect(error?.code == .badgeInvalid)
    }

    @Test(arguments: [
        NotificationTrigger.interval(seconds: 5, repeats: false),
        .interval(seconds: 60, repeats: true), .push,
    ])
    func `a trigger goes to the model and back`(trigger: NotificationTrigger) throws {
        #expect(try UNNotificationTrigger.made(of: trigger).trigger() == trigger)
    }

    @Test func `every date component goes to the model and back`() throws {
        var components = CalendarComponents()
        for (index, field) in CalendarComponents.fields.enumerated() {
            components[keyPath: field.path] = index + 1
        }
        components.calendar = "gregorian"
        components.timeZone = "Europe/Berlin"
        components.isLeapMonth = false
        #expect(try CalendarComponents(components.dateComponents) == components)
        var morning = CalendarComponents()
        morning.hour = 8
        #expect(try CalendarComponents(DateComponents(hour: 8)) == morning)
    }

    @Test(arguments: [Calendar.Identifier.gregorian, .iso8601, .hebrew, .japanese, .chinese])
    func `date components keep the kind of their calendar`(identifier: Calendar.Identifier) throws {
        let components = DateComponents(
            calendar: Calendar(identifier: identifier), timeZone: .gmt, hour: 1)
        let back = try CalendarComponents(components).dateComponents
        #expect(back.calendar?.identifier == identifier)
        #expect(back.timeZone?.identifier == "GMT")
    }

    @Test func `a chosen time zone reaches the model, and the current time zone does not`() throws {
        let floating = DateComponents(calendar: .current, hour: 8)
        #expect(try CalendarComponents(floating).timeZone == nil)
        var autoupdating = DateComponents(hour: 8)
        autoupdating.timeZone = .autoupdatingCurrent
        #expect(try CalendarComponents(autoupdating).timeZone == nil)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Pacific/Chatham"))
        #expect(
            try CalendarComponents(DateComponents(calendar: calendar, hour: 8)).timeZone
                == "Pacific/Chatham")
        var offset = DateComponents(hour: 8)
        offset.timeZone = TimeZone(secondsFromGMT: 3600)
        #expect(try CalendarComponents(offset).timeZone == "Etc/GMT-1")
    }

    // `dateComponents(in:from:)` also sets the day of the year, the quarter, and the weeks by the
    // calendar's week rule. The second case has Germany's rule.
    @Test(
        arguments: [(.gregorian, 1, 1), (.gregorian, 2, 4), (.iso8601, 2, 4), (.persian, 2, 1)]
            as [(Calendar.Identifier, Int, Int)])
    func `a trigger with all components of a date fires on that date`(
        identifier: Calendar.Identifier, firstWeekday: Int, minimumDays: Int
    ) throws {
        var calendar = Calendar(identifier: identifier)
        calendar.firstWeekday = firstWeekday
        calendar.minimumDaysInFirstWeek = minimumDays
        // The first date is a Sunday, which the week rules put into different weeks. The second
        // date is 31 March, which Foundation puts into quarter 2.
        for seconds in [3_997_408_000, 3_984_016_000] as [TimeInterval] {
            let date = Date(timeIntervalSince1970: seconds)
            let components = calendar.dateComponents(in: .gmt, from: date)
            #expect(components.quarter != nil)
            let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
            #expect(trigger.nextTriggerDate() == date)
        }
    }

    @Test func `the day of a year without a month is refused`() {
        var components = DateComponents(year: 2096)
        components.dayOfYear = 246
        let error = #expect(throws: NotificationError.self) {
            try CalendarComponents(components)
        }
        #expect(error?.code == .invalidArgument)
    }

    /// The model's weeks begin on Sunday.
    ///
    /// In a calendar whose weeks begin on Monday, a Sunday could come one week early.
    @Test(arguments: [0, 1, 2, 3, 4, 5, 6])
    func `a week and a weekday of the current calendar give the right day`(offset: Double) throws {
        let calendar = Calendar.current
        let soon = Date(timeIntervalSinceNow: 30 * 86_400 + offset * 86_400)
        let day = calendar.startOfDay(for: soon)
        let parts: Set<Calendar.Component> = [.yearForWeekOfYear, .weekOfYear, .weekday]
        for components in [
            calendar.dateComponents(parts, from: day),
            calendar.dateComponents(parts.union([.calendar]), from: day),
        ] {
            let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
            #expect(trigger.nextTriggerDate() == day)
            let model = try trigger.trigger()
            let back = try #require(
                UNNotificationTrigger.made(of: model) as? UNCalendarNotificationTrigger)
            #expect(back.nextTriggerDate() == day)
        }
    }

    /// The week rule of the app's current calendar may differ from that of the components.
    @Test(arguments: [(nil, nil), (2, 1), (4, 5)] as [(Int?, Int?)])
    func `weeks without a calendar keep the week rule of the program that added them`(
        first: Int?, days: Int?
    ) throws {
        var components = CalendarComponents()
        components.weekOfYear = 5
        (components.firstWeekday, components.minimumDaysInFirstWeek) = (first, days)
        let back = try CalendarComponents(components.dateComponents)
        #expect(back.weekOfYear == 5)
        #expect((back.firstWeekday ?? 1) == (first ?? 1))
        #expect((back.minimumDaysInFirstWeek ?? 1) == (days ?? 1))
    }

    @Test func `an instant of another program becomes a calendar trigger for that date`() throws {
        let instant = try #require(Instant(secondsSince1970: 1_800_000_000))
        let trigger = try #require(
            UNNotificationTrigger.made(of: .at(instant)) as? UNCalendarNotificationTrigger)
        let calendar = try #require(trigger.dateComponents.calendar)
        #expect(calendar.date(from: trigger.dateComponents) == Date(instant))
        #expect(!trigger.repeats)
    }

    @Test func `a category and its actions go to the model and back`() {
        let category = UNNotificationCategory(
            identifier: "news",
            actions: [
                UNTextInputNotificationAction(
                    identifier: "reply", title: "Reply", options: [.foreground],
                    icon: UNNotificationActionIcon(systemImageName: "mail-reply"),
                    textInputButtonTitle: "Send", textInputPlaceholder: "Text"),
                UNNotificationAction(
                    identifier: "delete", title: "Delete",
                    options: [.destructive, .authenticationRequired]),
            ], intentIdentifiers: ["intent"], hiddenPreviewsBodyPlaceholder: "%u",
            categorySummaryFormat: "%u more", options: [.customDismissAction, .allowInCarPlay])
        let back = UNNotificationCategory(value: category.value)
        #expect(back == category)
        #expect(back.actions == category.actions)
        let reply = back.actions.first as? UNTextInputNotificationAction
        #expect(reply?.textInputButtonTitle == "Send")
        #expect(reply?.textInputPlaceholder == "Text")
        #expect(reply?.icon == UNNotificationActionIcon(templateImageName: "mail-reply"))
        #expect(back.actions.last?.options == [.destructive, .authenticationRequired])
        #expect(back.options == [.customDismissAction, .allowInCarPlay])
        #expect(back.categorySummaryFormat == "%u more")
        #expect(back.intentIdentifiers == ["intent"])
        #expect(Set([category, back]).count == 1)
    }

    @Test func `every kind of response has its identifier and class`() {
        func made(_ action: NotificationResponse.Action) -> UNNotificationResponse {
            .made(of: TestCenter.response(1, action))
        }
        #expect(made(.standard).actionIdentifier == UNNotificationDefaultActionIdentifier)
        #expect(made(.dismiss).actionIdentifier == UNNotificationDismissActionIdentifier)
        #expect(made(.custom("like")).actionIdentifier == "like")
        let reply = made(.reply("comment", text: "Hello"))
        #expect(reply.actionIdentifier == "comment")
        #expect((reply as? UNTextInputNotificationResponse)?.userText == "Hello")
        // An app casts the response of a text action with `as!`. A plain response would crash the
        // app at each start.
        let untyped = made(.reply("comment", text: nil))
        #expect(untyped.actionIdentifier == "comment")
        #expect((untyped as? UNTextInputNotificationResponse)?.userText == "")
        #expect(reply.notification.request.identifier == "n1")
        #expect(reply.notification.date == Date(timeIntervalSince1970: 1))
    }

    @Test func `the old alert option means list and banner`() {
        #expect(PresentationOptions(.init(rawValue: 4)) == [.list, .banner])
        #expect(PresentationOptions([.sound, .badge]) == [.sound, .badge])
    }
}
