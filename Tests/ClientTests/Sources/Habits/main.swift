import Foundation
import UserNotifications

let manager = HabitReminderManager(defaults: UserDefaults(suiteName: "habits") ?? .standard)
let habit = Habit(id: "run", name: "Run", weekdays: [.monday, .friday], hour: 7, minute: 15)
let before = manager.streak(of: habit.id)

manager.onOpen = { habit in
    print("opened \(habit)")
}
manager.onDone = { id in
    print("done \(id): \(manager.streak(of: id) - before) more")
    manager.removeReminders(for: habit)
    manager.reminders(for: habit) { requests in
        print("left: \(requests.count)")
        exit(0)
    }
}
manager.requestPermissionIfNeeded { permission in
    print("permission: \(permission)")
    manager.setReminders(for: habit) { error in
        print("set: \(error?.localizedDescription ?? "no error")")
        manager.reminders(for: habit) { requests in
            for request in requests {
                let trigger = request.trigger as? UNCalendarNotificationTrigger
                print(request.identifier, trigger?.dateComponents.hour ?? -1)
            }
            manager.remind(of: habit, in: 0.1)
        }
    }
}
dispatchMain()
