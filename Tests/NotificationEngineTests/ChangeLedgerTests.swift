import NotificationModel
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("Signals of changes to watchers")
struct ChangeLedgerTests {
    private let all = ServiceSession(rawValue: 1)
    private let one = ServiceSession(rawValue: 2)
    private let other: ApplicationID

    init() throws {
        other = try ApplicationID("org.other")
    }

    private func watched() -> ChangeLedger {
        var ledger = ChangeLedger()
        ledger.watch(nil, as: all)
        ledger.watch(.tocsin, as: one)
        return ledger
    }

    @Test
    func `many changes of an app give each watcher one signal, a delay after the first change`() {
        var ledger = watched()
        let first = ledger.recordChange(.pending, of: .tocsin, boot: 5)
        let later = (6..<1_000).filter { ledger.recordChange(.pending, of: .tocsin, boot: $0) }
        let others = [ApplicationID.tocsin, other].filter {
            ledger.recordChange(.delivered, of: $0, boot: 1_000)
        }
        #expect(first && later.isEmpty && others.isEmpty)
        let early = ledger.dueChanges(boot: 4 + ChangeLedger.delay)
        #expect(early.isEmpty)
        let due = ledger.dueChanges(boot: 5 + ChangeLedger.delay)
        #expect(
            Set(due) == [
                .tell(all, .lists(other, .delivered)),
                .tell(all, .lists(.tocsin, [.pending, .delivered])),
                .tell(one, .lists(.tocsin, [.pending, .delivered])),
            ])
        #expect(due.count == 3)
        let rest = ledger.dueChanges(boot: .max)
        #expect(ledger.deadline == nil && rest.isEmpty)
    }

    @Test
    func `an unwatched change is not recorded, and a change of all apps goes to every watcher`() {
        var ledger = ChangeLedger()
        let unheard = ledger.recordChange(.pending, of: .tocsin, boot: 5)
        ledger.watch(.tocsin, as: one)
        let strange = ledger.recordChange(.pending, of: other, boot: 5)
        #expect(!unheard && !strange && ledger.deadline == nil)
        let isHeard = ledger.recordChange(.pending, of: nil, boot: 5)
        let told = ledger.dueChanges(boot: .max)
        #expect(isHeard && told == [.tell(one, .lists(nil, .pending))])
        ledger.unwatch(one)
        let afterwards = ledger.recordChange(.pending, of: nil, boot: 5)
        #expect(!afterwards)
    }

    @Test
    func `a response is signalled at once to the watchers of its app`() {
        let ledger = watched()
        let key = NotificationKey(app: other, identifier: "a")
        #expect(ledger.responseEffects(key, .standard) == [.tell(all, .answer(key, .standard))])
        let ours = NotificationKey(app: .tocsin, identifier: "a")
        #expect(ledger.responseEffects(ours, .dismiss).count == 2)
    }
}
