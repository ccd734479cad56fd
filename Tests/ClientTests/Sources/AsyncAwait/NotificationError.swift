import Foundation

enum NotificationError: LocalizedError, Equatable {
    case notAuthorized
    case dateInPast
    case scheduling(String)

    var errorDescription: String? {
        switch self {
        case .notAuthorized: return "Notifications are turned off."
        case .dateInPast: return "The date lies in the past."
        case .scheduling(let reason): return "The notification was not scheduled: \(reason)"
        }
    }
}
