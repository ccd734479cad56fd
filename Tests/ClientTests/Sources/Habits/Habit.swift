import Foundation

struct Habit: Codable, Equatable {
    enum Weekday: Int, Codable, CaseIterable {
        case sunday = 1
        case monday, tuesday, wednesday, thursday, friday, saturday
    }

    var id: String
    var name: String
    var weekdays: Set<Weekday>
    var hour: Int
    var minute: Int

    init(
        id: String = UUID().uuidString, name: String, weekdays: Set<Weekday>, hour: Int,
        minute: Int
    ) {
        self.id = id
        self.name = name
        self.weekdays = weekdays
        self.hour = hour
        self.minute = minute
    }
}
