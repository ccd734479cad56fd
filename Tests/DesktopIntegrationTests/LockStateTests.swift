import DesktopBus
import NotificationModel
import Testing

@testable import DesktopIntegration

/// The lock state that follows from all sources together.
@Suite struct LockStateTests {
    @Test(
        arguments: [
            ([], false, []), ([("a", false)], false, ["a"]), ([("a", true)], true, ["a"]),
            ([("b", false), ("a", true)], true, ["a", "b"]),
            ([("a", true), ("a", false)], false, ["a"]), ([("a", false), ("a", nil)], false, []),
            // A source that leaves keeps its lock until it returns, or until another locked source
            // unlocks.
            ([("a", true), ("a", nil)], true, ["a"]),
            ([("a", true), ("a", nil), ("a", false)], false, ["a"]),
            ([("a", true), ("a", nil), ("b", false)], true, ["a", "b"]),
            ([("b", true), ("a", true), ("a", nil), ("b", false)], false, ["b"]),
            // A locked session ended, and the next one has another desktop without the locker "b".
            ([("a", true), ("b", true), ("b", nil), ("a", nil), ("a", false)], false, ["a"]),
            ([("a", true), ("b", true), ("a", false)], true, ["a", "b"]),
        ] as [([(String, Bool?)], Bool, [String])])
    func `the session is locked if one source is locked, and unlocked without sources`(
        said: [(String, Bool?)], isLocked: Bool, sources: [String]
    ) {
        var state = LockState()
        for (source, value) in said { state.recordAnswer(value, by: source) }
        #expect(state.status == LockStatus(isLocked: isLocked, sources: sources))
    }

    @Test(arguments: [true, false])
    func `a locker that left keeps the lock until the next session is unlocked`(isLocked: Bool) {
        var state = LockState()
        state.recordAnswer(false, by: "logind")
        state.recordAnswer(true, by: "locker")
        state.recordAnswer(nil, by: "locker")
        state.recordAnswer(false, by: "logind")
        #expect(state.status.isLocked)
        state.sessionBegan(at: "logind")
        #expect(state.status.isLocked)
        state.recordAnswer(isLocked, by: "logind")
        #expect(state.status.isLocked == isLocked)
        state.recordAnswer(false, by: "logind")
        #expect(!state.status.isLocked)
    }

    @Test func `a locker that is still there keeps the lock in a new session`() {
        var state = LockState()
        state.recordAnswer(true, by: "locker")
        state.sessionBegan(at: "logind")
        state.recordAnswer(false, by: "logind")
        #expect(state.status == LockStatus(isLocked: true, sources: ["locker", "logind"]))
    }

    @Test func `an unanswered question leaves the lock state undecided`() {
        var state = LockState()
        state.questionBegan()
        #expect(!state.status.isDecided && !state.status.isUnlocked)
        state.recordAnswer(false, by: "a")
        state.questionEnded()
        #expect(state.status.isDecided && state.status.isUnlocked)
    }

    @Test func `each locker is asked at its own path, and no question starts a locker`() throws {
        let questions = try Desktops.lockers.map { try LockQuestion($0) }
        #expect(questions.allSatisfy { $0.call.flags == .noAutoStart })
        #expect(
            questions.map(\.call.path.rawValue)
                == Desktops.lockers.map {
                    "/" + $0.bus.split(separator: ".").joined(separator: "/")
                })
    }
}
