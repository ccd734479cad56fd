package import NotificationModel
package import NotificationRuntime

/// Decides what happens if the user chooses a quick action while the app starts; pure.
///
/// It owns the choices that arrive before the launch. The launch gets the first of these choices,
/// as the choice that started the app. The running app performs every other choice.
package struct LaunchWait {
    package enum Effect: Hashable {
        /// Launch the delegate, with the choice that started the app.
        case launch(QuickActionChoice?)
        case perform(QuickActionChoice)
        /// End the process, because another process of the app performs the choice.
        case exit
    }

    private var hasLaunched = false
    private var early: [QuickActionChoice] = []

    package init() {}

    package mutating func choiceArrived(_ choice: QuickActionChoice) -> [Effect] {
        if hasLaunched { return [.perform(choice)] }
        early.append(choice)
        return []
    }

    /// The bus has answered whether this process gets the user's choices.
    ///
    /// After the deadline the answer has no effect.
    package mutating func claimEnded(_ claim: ActionClaim) -> [Effect] {
        guard !hasLaunched else { return [] }
        if claim == .handedOver { return [.exit] }
        return launch()
    }

    /// The bus has not answered in time; the app launches without the answer.
    package mutating func deadlinePassed() -> [Effect] { hasLaunched ? [] : launch() }

    private mutating func launch() -> [Effect] {
        hasLaunched = true
        defer { early = [] }
        return [.launch(early.first)] + early.dropFirst().map(Effect.perform)
    }
}
