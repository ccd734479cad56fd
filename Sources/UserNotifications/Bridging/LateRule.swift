internal import NotificationModel

/// What a request says about dates that were missed.
struct LateRule: Hashable {
    /// Whether it is shown at all.
    var catchUp = UNNotificationRequest.CatchUp.once
    /// How many seconds late it may be; nil for any.
    var grace: TimeInterval?

    /// Makes a rule; by default everything is shown, once.
    init(catchUp: UNNotificationRequest.CatchUp = .once, grace: TimeInterval? = nil) {
        self.catchUp = catchUp
        self.grace = grace
    }

    /// The rule of a request of the model.
    init(_ request: NotificationRequest) {
        catchUp = request.catchUp == .skip ? .skip : .once
        grace = request.grace
    }

    /// Reads a rule from the archive of its request.
    init(coder: NSCoder) {
        catchUp = coder.string("catchUp").flatMap(UNNotificationRequest.CatchUp.init) ?? .once
        grace = coder.number("grace")?.doubleValue
    }

    /// Gives a request of the model this rule.
    func apply(to request: inout NotificationRequest) {
        request.catchUp = catchUp == .skip ? .skip : .once
        request.grace = grace
    }

    /// Writes the rule into the archive of its request.
    func encode(with coder: NSCoder) {
        coder.encode(catchUp.rawValue as NSString, forKey: "catchUp")
        coder.encode(grace.map { NSNumber(value: $0) }, forKey: "grace")
    }

    /// What a description tells, where anything was said.
    var fields: [(String, Any?)] {
        self == LateRule() ? [] : [("catchUp", catchUp.rawValue), ("grace", grace)]
    }
}
