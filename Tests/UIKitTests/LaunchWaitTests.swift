import NotificationModel
import NotificationRuntime
import Testing
import UIKit

/// The effect of a quick action that the user chooses while the app starts.
struct LaunchWaitTests {
    private let first = QuickActionChoice(name: "a", activationToken: nil)
    private let second = QuickActionChoice(name: "b", activationToken: "t")

    @Test
    func `the app launches with the first of two quick actions chosen before the bus answers`() {
        var wait = LaunchWait()
        #expect(wait.choiceArrived(first).isEmpty)
        #expect(wait.choiceArrived(second).isEmpty)
        #expect(wait.claimEnded(.claimed) == [.launch(first), .perform(second)])
        #expect(wait.choiceArrived(second) == [.perform(second)])
    }

    @Test func `a process ends without a launch if another process performs its quick action`() {
        var wait = LaunchWait()
        #expect(wait.claimEnded(.handedOver) == [.exit])
    }

    @Test func `an app launches if the bus does not answer in time, and performs a late choice`() {
        var wait = LaunchWait()
        #expect(wait.deadlinePassed() == [.launch(nil)])
        #expect(wait.claimEnded(.claimed).isEmpty)
        #expect(wait.choiceArrived(first) == [.perform(first)])
        #expect(wait.deadlinePassed().isEmpty)
    }
}
