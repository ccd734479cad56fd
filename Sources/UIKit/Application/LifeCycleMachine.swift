/// Decides the app's state from the session lock, the app's windows and the process's end; pure.
///
/// It owns the decided state. The host performs the effects later, one by one. Until then,
/// `applicationState` and the delegate lag behind the decided state: `applicationState` changes
/// only when the host performs `become`.
package struct LifeCycleMachine {
    package enum Event: Hashable {
        case launched
        /// The app has made a scene, which has not been in the foreground yet.
        case sceneConnected
        /// The session is locked, or unlocked again.
        case lockChanged(isLocked: Bool)
        /// The app reports the state of its windows; nil if the app does not know the state.
        case reported(UIApplication.State?)
        case terminationRequested
        case tasksEnded
    }

    package enum Effect: Hashable {
        /// Call the delegate's method of this name.
        case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground
        /// Set `applicationState`.
        case become(UIApplication.State)
        /// Set the notification centre's `isApplicationActive`.
        case setCenterActivity(Bool?)
        /// Limit the time of background tasks, because the process ends soon; `tasksEnded` follows.
        case limitBackgroundTime
        /// Call the delegates for the last time.
        case willTerminate
        case exit
    }

    private enum Phase {
        case launching, running, ending, ended
    }

    private var phase = Phase.launching
    private var state = UIApplication.State.inactive
    private var hasNewScene = false
    private var isLocked = false
    private var reported: UIApplication.State?
    private var centerActivity: Bool?

    package init() {}

    /// Records an event; returns the steps that follow, in order.
    package mutating func handle(_ event: Event) -> [Effect] {
        guard phase != .ended else { return [] }
        switch event {
        case .launched:
            if phase == .launching { phase = .running }
        case .sceneConnected:
            hasNewScene = true
        case .lockChanged(let isLocked):
            self.isLocked = isLocked
        case .reported(let state):
            reported = state
        case .terminationRequested:
            return requestTermination()
        case .tasksEnded:
            return phase == .ending ? terminate() : []
        }
        // Before the launch, and after a request to end, a change leads to no steps.
        return phase == .running ? updateActivity() + changeState(to: target) : []
    }

    private mutating func requestTermination() -> [Effect] {
        guard phase != .ending else { return [] }
        let wasRunning = phase == .running
        phase = .ending
        // As on a phone, the app enters the background before it ends, because many apps save their
        // data at that moment.
        let steps = wasRunning ? updateActivity() + changeState(to: target) : []
        return steps + [.limitBackgroundTime]
    }

    private mutating func terminate() -> [Effect] {
        phase = .ended
        return [.willTerminate, .exit]
    }

    /// The state that the app should have.
    ///
    /// No desktop reports the state of an app's windows. If the app reports no state, this machine
    /// treats the windows as in front.
    private var target: UIApplication.State {
        isLocked || phase == .ending ? .background : reported ?? .active
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
        // A new scene starts outside the foreground, and has to enter it. An app without scenes
        // starts in the foreground.
        let entry: [Effect] = hasNewScene && next != .background ? [.willEnterForeground] : []
        hasNewScene = false
        let steps: [Effect] =
            switch (former, next) {
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
        return entry + steps
    }
}
