import NotificationModel
import Reactor
import Testing

@testable import NotificationEngine

@Suite("Work away from the reactor")
struct ElsewhereTests {
    let reactor = Reactor(name: "elsewhere")

    @Test("What takes long leaves the reactor's thread, and its task comes back to it")
    func threads() async {
        defer { reactor.stop() }
        let places = await Task(executorPreference: reactor.taskExecutor) { [reactor] in
            let before = reactor.isCurrent
            let during = await elsewhere { reactor.isCurrent }
            return [before, during, reactor.isCurrent]
        }.value
        #expect(places == [true, false, true])
    }

    @Test("An error comes back with its type")
    func errors() async {
        defer { reactor.stop() }
        let error = NotificationError(.noSpace, "full")
        let caught = await Task(executorPreference: reactor.taskExecutor) {
            do throws(NotificationError) {
                try await elsewhere { () throws(NotificationError) in throw error }
                return nil as NotificationError?
            } catch {
                return error
            }
        }.value
        #expect(caught == error)
    }
}
