internal import ArgumentParser
internal import NotificationModel

/// What becomes of a date that was missed, by its name.
enum CatchUpOption: String, ExpressibleByArgument, CaseIterable {
    case once
    case skip

    /// The model's value.
    var catchUp: CatchUp {
        switch self {
        case .once: .once
        case .skip: .skip
        }
    }
}
