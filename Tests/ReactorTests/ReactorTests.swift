import Glibc
import Reactor
import Testing

@Suite struct ReactorTests {
    @Test func workIsDoneInTheOrderOfTheCallsOnOneThread() async {
        let reactor = Reactor(name: "order")
        defer { reactor.stop() }
        let log = Log()
        for number in 0..<1_000 { reactor.perform { log.append(number) } }
        await settle(reactor)
        #expect(log.values == Array(0..<1_000))
    }
}
