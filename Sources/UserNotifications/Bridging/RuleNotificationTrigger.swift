internal import NotificationModel

/// The trigger of a request that another program made with a rule, which Apple has no class for.
///
/// An app that lists it sees that it repeats; added again it keeps its rule.
final class RuleNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    let rule: NotificationRule

    init(_ rule: NotificationRule) {
        self.rule = rule
        super.init(repeats: NotificationTrigger.rule(rule).repeats)
    }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? RuleNotificationTrigger)?.rule == rule
    }

    override var hash: Int { rule.hashValue }

    override var description: String { describe([("rule", rule.text), ("repeats", repeats)]) }

    required init?(coder: NSCoder) {
        guard let rule = coder.value(NotificationRule.record, "rule") else { return nil }
        self.rule = rule
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(rule, as: NotificationRule.record, forKey: "rule")
    }
}
