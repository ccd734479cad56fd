import NotificationModel

/// The question whether an app may notify, while it is open: one at a time for each app.
struct PermissionQuestion {
    /// How far it has come.
    enum Stage: Hashable {
        /// The server is asked whether it draws buttons.
        case inspecting
        /// A popup is on the screen, or on its way there.
        case popup
        /// A dialog is on the screen, or on its way there.
        case dialog
        /// It is answered, and the answer is on its way to the disk.
        case saving
    }

    /// A call that waits for the answer.
    struct Waiter {
        var number: UInt64
        var options: Permission.Options
    }

    /// Names this question; a later one of the same app has another number.
    var token: UInt64
    var stage: Stage
    /// When nobody has answered, on the boot-time clock.
    var deadline: Int64
    var waiters: [Waiter]

    /// What all who wait ask for.
    var options: Permission.Options {
        let all = waiters.reduce(into: Permission.Options()) { $0.formUnion($1.options) }
        return all.subtracting(.provisional)
    }

    /// When it is given up; an answer that is being stored is not.
    var alarm: Int64? { stage == .saving ? nil : deadline }
}
