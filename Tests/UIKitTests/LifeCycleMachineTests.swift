import Testing
import UIKit

/// The steps that follow from each event.
@Suite struct LifeCycleMachineTests {
    typealias Effect = LifeCycleMachine.Effect

    private static let toBackground: [Effect] = [
        .willResignActive, .become(.inactive), .become(.background), .didEnterBackground,
    ]
    private static let toFront: [Effect] = [
        .willEnterForeground, .become(.inactive), .become(.active), .didBecomeActive,
    ]
    private static let end: [Effect] = [.willTerminate, .exit]

    private var machine = LifeCycleMachine()

    @Test mutating func `an app that has launched becomes active`() {
        #expect(machine.handle(.launched) == [.become(.active), .didBecomeActive])
        #expect(machine.handle(.launched) == [])
    }

    /// The scene's delegate expects a call of `sceneWillEnterForeground` first.
    @Test mutating func `a new scene enters the foreground before it becomes active`() {
        #expect(machine.handle(.sceneConnected) == [])
        #expect(
            machine.handle(.launched) == [
                .willEnterForeground, .become(.active), .didBecomeActive,
            ])
        #expect(machine.handle(.lockChanged(isLocked: true)) == Self.toBackground)
        #expect(machine.handle(.lockChanged(isLocked: false)) == Self.toFront)
    }

    @Test mutating func `a new scene in a locked session enters the foreground at the unlock`() {
        #expect(machine.handle(.lockChanged(isLocked: true)) == [])
        #expect(machine.handle(.sceneConnected) == [])
        #expect(machine.handle(.launched) == [.become(.background), .didEnterBackground])
        #expect(machine.handle(.lockChanged(isLocked: false)) == Self.toFront)
    }

    @Test mutating func `a lock sends the app to the background and an unlock brings it back`() {
        _ = machine.handle(.launched)
        #expect(machine.handle(.lockChanged(isLocked: true)) == Self.toBackground)
        #expect(machine.handle(.lockChanged(isLocked: true)) == [])
        #expect(machine.handle(.lockChanged(isLocked: false)) == Self.toFront)
    }

    @Test mutating func `an app that launches in a locked session starts in the background`() {
        #expect(machine.handle(.lockChanged(isLocked: true)) == [])
        #expect(machine.handle(.launched) == [.become(.background), .didEnterBackground])
        #expect(machine.handle(.lockChanged(isLocked: false)) == Self.toFront)
    }

    @Test
    mutating func `a reported window state changes the app's state and the centre's activity`() {
        _ = machine.handle(.launched)
        #expect(machine.handle(.reported(.active)) == [.setCenterActivity(true)])
        #expect(
            machine.handle(.reported(.inactive)) == [
                .setCenterActivity(false), .willResignActive, .become(.inactive),
            ])
        #expect(
            machine.handle(.reported(.background)) == [.become(.background), .didEnterBackground])
        #expect(
            machine.handle(.reported(.inactive)) == [.willEnterForeground, .become(.inactive)])
        #expect(
            machine.handle(.reported(nil)) == [
                .setCenterActivity(nil), .become(.active), .didBecomeActive,
            ])
    }

    @Test mutating func `a state reported in a locked session takes effect after the unlock`() {
        _ = machine.handle(.launched)
        _ = machine.handle(.reported(.active))
        #expect(
            machine.handle(.lockChanged(isLocked: true))
                == [.setCenterActivity(false)] + Self.toBackground)
        #expect(machine.handle(.reported(.inactive)) == [])
        #expect(
            machine.handle(.lockChanged(isLocked: false)) == [
                .willEnterForeground, .become(.inactive),
            ])
    }

    @Test mutating func `an app that is asked to end leaves the front and terminates once`() {
        _ = machine.handle(.launched)
        #expect(
            machine.handle(.terminationRequested) == Self.toBackground + [.limitBackgroundTime])
        #expect(machine.handle(.terminationRequested) == [])
        #expect(machine.handle(.lockChanged(isLocked: true)) == [])
        #expect(machine.handle(.tasksEnded) == Self.end)
        #expect(machine.handle(.tasksEnded) == [])
    }

    /// If the app still counted as active, a notification that is due before the last background
    /// task ends would be hidden.
    @Test mutating func `an app that is asked to end is no longer active for the centre`() {
        _ = machine.handle(.launched)
        _ = machine.handle(.reported(.active))
        #expect(
            machine.handle(.terminationRequested)
                == [.setCenterActivity(false)] + Self.toBackground + [.limitBackgroundTime])
    }

    @Test mutating func `the end of a background task ends only an app that was asked to end`() {
        _ = machine.handle(.launched)
        #expect(machine.handle(.tasksEnded) == [])
    }

    @Test mutating func `an app that ends before it has launched only terminates`() {
        #expect(machine.handle(.terminationRequested) == [.limitBackgroundTime])
        #expect(machine.handle(.launched) == [])
        #expect(machine.handle(.tasksEnded) == Self.end)
    }
}
