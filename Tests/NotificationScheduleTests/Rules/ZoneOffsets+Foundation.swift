import Foundation
import NotificationSchedule

extension ZoneOffsets {
    /// A zone by Foundation's tables.
    static func foundation(_ name: String) -> ZoneOffsets? {
        guard let zone = TimeZone(identifier: name) else { return nil }
        return ZoneOffsets(
            offset: { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) },
            abbreviation: { _ in name })
    }
}
