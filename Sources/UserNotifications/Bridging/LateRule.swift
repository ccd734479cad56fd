internal import NotificationModel

/// What a request says about dates that were missed.
struct LateRule: Hashable {
    var catchUp = UNNotificationRequest.CatchUp.once
    var grace: TimeInterval?

    init(catchUp: UNNotificationRequest.CatchUp = .once, grace: TimeInterval? = nil) {
        self.catchUp = catchUp
        self.grace = grace
    }

    init(_ request: NotificationRequest) {
        catchUp = request.catchUp == .skip ? .skip : .once
        grace = request.grace
    }

    init(coder: NSCoder) {
        catchUp = coder.string("catchUp").flatMap(UNNotificationRequest.CatchUp.init) ?? .once
        grace = coder.number("grace")?.doubleValue
    }

    func apply(to request: inout NotificationRequest) {
        request.catchUp = catchUp == .skip ? .skip : .once
        request.grace = grace
    }

    func encode(with coder: NSCoder) {
        coder.encode(catchUp.rawValue as NSString, forKey: "catchUp")
        coder.encode(grace.map { NSNumber(value: $0) }, forKey: "grace")
    }

    /// What a description tells, where anything was said.
    var fields: [(String, Any?)] {
        self == LateRule() ? [] : [("catchUp", catchUp.rawValue), ("grace", grace)]
    }
}
