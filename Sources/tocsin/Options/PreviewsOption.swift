internal import ArgumentParser
internal import NotificationModel

/// When the texts of an app's notifications are shown.
enum PreviewsOption: String, ExpressibleByArgument, CaseIterable {
    case always
    case whenUnlocked = "when-unlocked"
    case never

    /// The model's value.
    var previews: ShowPreviews {
        switch self {
        case .always: .always
        case .whenUnlocked: .whenAuthenticated
        case .never: .never
        }
    }
}
