import UserNotifications
import XCTest

@testable import Habits

final class MockNotificationCenter: UserNotificationCenter {
    weak var delegate: UNUserNotificationCenterDelegate?
    var status = UNAuthorizationStatus.notDetermined
    var grants = true
    var addError: Error?
    private(set) var askedOptions: [UNAuthorizationOptions] = []
    private(set) var categories: Set<UNNotificationCategory> = []
    private(set) var requests: [String: UNNotificationRequest] = [:]
    private(set) var removedDelivered: [String] = []

    func requestAuthorization(
        options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void
    ) {
        askedOptions.append(options)
        status = grants ? .authorized : .denied
        completionHandler(grants, nil)
    }

    func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void) {
        let coder = MockCoder()
        coder.values = ["authorizationStatus": Int64(status.rawValue)]
        completionHandler(UNNotificationSettings(coder: coder)!)
    }

    func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        self.categories = categories
    }

    func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: ((Error?) -> Void)?
    ) {
        if addError == nil { requests[request.identifier] = request }
        completionHandler?(addError)
    }

    func getPendingNotificationRequests(
        completionHandler: @escaping ([UNNotificationRequest]) -> Void
    ) {
        completionHandler(Array(requests.values))
    }

    func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        for identifier in identifiers { requests[identifier] = nil }
    }

    func removeAllPendingNotificationRequests() { requests = [:] }

    func getDeliveredNotifications(completionHandler: @escaping ([UNNotification]) -> Void) {
        completionHandler([])
    }

    func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        removedDelivered += identifiers
    }
}

/// Only the system makes notifications and responses; tests make them with a coder.
final class MockCoder: NSCoder {
    var values: [String: Any] = [:]
    override var allowsKeyedCoding: Bool { true }
    override func containsValue(forKey key: String) -> Bool { values[key] != nil }
    override func decodeObject(forKey key: String) -> Any? { values[key] }
    override func decodeInt64(forKey key: String) -> Int64 { values[key] as? Int64 ?? 0 }
    override func decodeBool(forKey key: String) -> Bool { values[key] as? Bool ?? false }
}

final class HabitReminderManagerTests: XCTestCase {
    private var center: MockNotificationCenter!
    private var defaults: UserDefaults!
    private var manager: HabitReminderManager!
    private let habit = Habit(
        id: "read", name: "Read", weekdays: [.tuesday, .sunday], hour: 21, minute: 5)

    override func setUp() {
        super.setUp()
        center = MockNotificationCenter()
        defaults = UserDefaults(suiteName: "HabitReminderManagerTests")
        defaults.removePersistentDomain(forName: "HabitReminderManagerTests")
        manager = HabitReminderManager(center: center, defaults: defaults)
    }

    private func response(
        _ action: String, to habit: Habit? = nil
    ) throws -> UNNotificationResponse {
        let request = try XCTUnwrap(manager.requests(for: habit ?? self.habit).first)
        let coder = MockCoder()
        coder.values = ["date": Date(), "request": request]
        let notification = try XCTUnwrap(UNNotification(coder: coder))
        coder.values = ["notification": notification, "actionIdentifier": action]
        return try XCTUnwrap(UNNotificationResponse(coder: coder))
    }

    func testAsksOnceAndRemembersTheAnswer() {
        var answers: [HabitReminderManager.Permission] = []
        manager.requestPermissionIfNeeded { answers.append($0) }
        manager.requestPermissionIfNeeded { answers.append($0) }
        XCTAssertEqual(answers, [.granted, .granted])
        XCTAssertEqual(center.askedOptions, [[.alert, .sound, .badge]])
    }

    func testARefusalIsReported() {
        center.grants = false
        let answered = expectation(description: "answered")
        manager.requestPermissionIfNeeded {
            XCTAssertEqual($0, .refused)
            answered.fulfill()
        }
        wait(for: [answered], timeout: 10)
    }

    func testOneReminderPerWeekday() throws {
        let done = expectation(description: "done")
        manager.setReminders(for: habit) { error in
            XCTAssertNil(error)
            done.fulfill()
        }
        wait(for: [done], timeout: 10)
        XCTAssertEqual(Set(center.requests.keys), ["read.1", "read.3"])
        let trigger = try XCTUnwrap(
            center.requests["read.3"]?.trigger as? UNCalendarNotificationTrigger)
        XCTAssertEqual(trigger.dateComponents.weekday, 3)
        XCTAssertEqual(trigger.dateComponents.minute, 5)
        XCTAssertTrue(trigger.repeats)
        XCTAssertNotNil(trigger.nextTriggerDate())
        XCTAssertEqual(center.categories.first?.actions.count, 2)
        XCTAssertTrue(center.delegate === manager)
    }

    func testAnErrorOfTheCenterIsHandedOn() {
        center.addError = UNError(.notificationsNotAllowed)
        let done = expectation(description: "done")
        manager.setReminders(for: habit) { error in
            XCTAssertEqual((error as? UNError)?.code, .notificationsNotAllowed)
            XCTAssertEqual((error as NSError?)?.domain, UNErrorDomain)
            done.fulfill()
        }
        wait(for: [done], timeout: 10)
    }

    func testAResponseExtendsTheStreak() throws {
        var finished: [String] = []
        manager.onDone = { finished.append($0) }
        manager.handle(try response("habit.done"))
        manager.handle(try response("habit.done"))
        XCTAssertEqual(manager.streak(of: "read"), 2)
        manager.handle(try response("habit.skip"))
        XCTAssertEqual(manager.streak(of: "read"), 0)
        XCTAssertEqual(finished, ["read", "read"])
    }

    func testASkipEndsOnlyItsOwnStreak() throws {
        let other = Habit(id: "walk", name: "Walk", weekdays: [.monday], hour: 8, minute: 0)
        manager.handle(try response("habit.done"))
        manager.handle(try response("habit.done", to: other))
        manager.handle(try response("habit.skip"))
        XCTAssertEqual(manager.streak(of: "read"), 0)
        XCTAssertEqual(manager.streak(of: "walk"), 1)
    }
}
