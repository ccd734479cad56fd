internal import ArgumentParser

/// The urgencies of the Desktop Notifications Specification.
enum Urgency: String, ExpressibleByArgument, CaseIterable {
    case low
    case normal
    case critical

    /// The value of the hint `urgency`.
    var level: UInt8 {
        switch self {
        case .low: 0
        case .normal: 1
        case .critical: 2
        }
    }
}
