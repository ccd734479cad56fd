import Foundation
package import NotificationEngine
package import NotificationModel
import TestSupport

extension SystemZones {
    /// The zones of this machine.
    package static let sample = SystemZones(environment: [:])
}

extension CalendarDates {
    package static let sample = CalendarDates(zones: .sample)
}

extension FireSchedule {
    package static let sample = FireSchedule(zones: .sample)
}

extension NotificationRequest {
    package static func sample(
        _ identifier: String, _ trigger: NotificationTrigger? = nil, title: String? = nil,
        category: String = ""
    ) -> NotificationRequest {
        var content = NotificationContent(title: title ?? identifier, body: "a text")
        content.categoryIdentifier = category
        return NotificationRequest(identifier: identifier, content: content, trigger: trigger)
    }

    package static func after(
        _ seconds: Double, _ identifier: String, repeats: Bool = false
    ) -> NotificationRequest {
        sample(identifier, .interval(seconds: seconds, repeats: repeats))
    }
}

extension NotificationTrigger {
    package static func daily(at hour: Int) -> NotificationTrigger {
        var components = CalendarComponents()
        components.hour = hour
        return .calendar(components, repeats: true)
    }
}

extension NotificationRegion {
    package static let home = NotificationRegion(
        identifier: "home", latitude: 52.52, longitude: 13.405, radius: 100, onExit: false)
}

extension ApplicationIdentity {
    package static func sample(_ id: ApplicationID = .tocsin) -> ApplicationIdentity {
        ApplicationIdentity(id: id, name: "An App")
    }
}

extension NotificationKey {
    package static func sample(_ identifier: String) -> NotificationKey {
        NotificationKey(app: .tocsin, identifier: identifier)
    }
}

/// Returns the instant of a wall time, such as "2026-11-21 12:00:00", in a zone.
package func instant(_ text: String, _ zone: String = "UTC") throws -> Instant {
    let parse = Date.ISO8601FormatStyle(timeZone: TimeZone(identifier: zone) ?? .gmt)
        .year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
    let date = try parse.parse(text)
    guard let instant = Instant(secondsSince1970: date.timeIntervalSince1970) else {
        throw HarnessError("\(text) is out of range")
    }
    return instant
}

extension ClockReading {
    package static func sample(
        wall: Instant = ManualClock.start, boot: Int64 = 3_600_000_000, zone: String = "UTC"
    ) -> ClockReading {
        ClockReading(wall: wall, boot: boot, bootID: "first-boot", timeZone: zone)
    }
}
