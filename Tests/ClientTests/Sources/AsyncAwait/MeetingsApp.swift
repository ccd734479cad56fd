import Foundation
import UserNotifications

@main
struct MeetingsApp {
    static func main() async throws {
        let service = NotificationService.shared
        guard try await service.requestAuthorization() else {
            throw NotificationError.notAuthorized
        }
        print("authorized: \(await service.authorizationStatus == .authorized)")
        await service.registerCategories()
        let meeting = Meeting(
            id: UUID(), title: "Planning", room: "Room 2",
            start: Date().addingTimeInterval(7_200), attendees: ["Ann", "Ben"])
        try await service.remind(of: meeting, minutesBefore: 30)
        try await service.remind(of: meeting, minutesBefore: 3)
        try await service.remindWeekly(of: meeting)
        try await service.snooze(meeting, for: 600)
        do {
            try await service.remind(of: meeting, minutesBefore: 500)
        } catch NotificationError.dateInPast {
            print("the date lies in the past")
        }
        do {
            try await service.snooze(meeting, for: 0)
        } catch let error as NotificationError {
            print("refused: \(error != .notAuthorized)")
        }
        print("pending: \(await service.pendingMeetings().filter { $0 == meeting }.count)")
        try await service.invite(to: meeting)
        for await reply in service.responses {
            print(Self.text(reply))
            if case .declined = reply { break }
            try await service.invite(to: meeting)
        }
        await service.cancel(meeting)
        await service.setBadge(0)
        print("left: \(await service.pendingIdentifiers().count)")
    }

    private static func text(_ reply: NotificationService.Reply) -> String {
        switch reply {
        case .accepted: return "accepted"
        case .declined(_, let reason): return "declined: \(reason ?? "no reason")"
        case .opened: return "opened"
        case .dismissed: return "dismissed"
        }
    }
}
