/// Decides the app's state from the lock, the app's own windows and the end of the process; pure.
///
/// It owns the state that is decided, not the one that the delegate has heard of: each effect is
/// performed before the next one, and `become` is the moment between two calls of the delegate.
package struct LifeCycleMachine {
    /// A fact that may change the state.
    package enum Event: Hashable {
        /// The delegate has finished launching.
        case launched
        /// The session is locked, or unlocked again.
        case lockChanged(isLocked: Bool)
        /// The app says what its windows are; nil if it does not know any more.
        case reported(UIApplication.State?)
        /// The process is asked to end, while background tasks run or not.
        case terminationRequested(hasTasks: Bool)
        /// The last background task has ended.
        case tasksEnded
    }

    /// A step to perform.
    package enum Effect: Hashable {
        /// The call of the delegate of this name.
        case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground
        /// The value of `applicationState` from now on.
        case become(UIApplication.State)
        /// The value of the notification centre's `isApplicationActive`.
        case setCenterActivity(Bool?)
        /// The process ends soon, and with it the time of background tasks.
        case limitBackgroundTime
        /// The last call of the delegate.
        case willTerminate
        /// The end of the process.
        case exit
    }

    private enum Phase {
        case launching, running, ending, ended
    }

    private var phase = Phase.launching
    private var state = UIApplication.State.inactive
    private var isLocked = false
    private var reported: UIApplication.State?
    private var centerActivity: Bool?

    /// Makes the machine of an app that has not launched.
    package init() {}

    /// Records an event; returns the steps that follow, in order.
    package mutating func handle(_ event: Event) -> [Effect] {
        guard phase != .ended else { return [] }
        switch event {
        case .launched:
            if phase == .launching { phase = .running }
        case .lockChanged(let isLocked):
            self.isLocked = isLocked
        case .reported(let state):
            reported = state
        case .terminationRequested(let hasTasks):
            return requestTermination(hasTasks: hasTasks)
        case .tasksEnded:
            return phase == .ending ? terminate() : []
        }
        // The delegate hears of nothing before it has launched.
        return phase == .running ? updateActivity() + changeState(to: target) : []
    }

    private mutating func requestTermination(hasTasks: Bool) -> [Effect] {
        guard phase != .ending else { return [] }
        let wasRunning = phase == .running
        phase = .ending
        // As on a phone, where an app leaves the screen before it ends: many apps save their data
        // when they enter the background.
        let steps = wasRunning ? changeState(to: .background) : []
        return steps + (hasTasks ? [.limitBackgroundTime] : terminate())
    }

    private mutating func terminate() -> [Effect] {
        phase = .ended
        return [.willTerminate, .exit]
    }

    /// Without a word of the app its windows count as in front: no desktop says otherwise.
    private var target: UIApplication.State {
        isLocked ? .background : reported ?? .active
    }

    private mutating func updateActivity() -> [Effect] {
        let activity = reported.map { _ in target == .active }
        guard activity != centerActivity else { return [] }
        centerActivity = activity
        return [.setCenterActivity(activity)]
    }

    private mutating func changeState(to next: UIApplication.State) -> [Effect] {
        let former = state
        state = next
        return switch (former, next) {
        case (.active, .inactive): [.willResignActive, .become(.inactive)]
        case (.active, .background):
            [.willResignActive, .become(.inactive), .become(.background), .didEnterBackground]
        case (.inactive, .active): [.become(.active), .didBecomeActive]
        case (.inactive, .background): [.become(.background), .didEnterBackground]
        case (.background, .inactive): [.willEnterForeground, .become(.inactive)]
        case (.background, .active):
            [.willEnterForeground, .become(.inactive), .become(.active), .didBecomeActive]
        case (.active, .active), (.inactive, .inactive), (.background, .background): []
        }
    }
}
