import DesktopBus
import TestSupport

/// The object that these tests export: it echoes, fails, waits and counts.
struct TestObject {
    static let path: ObjectPath = "/test/Object"

    let gate = Gate()
    let received = Inbox<UInt32>()
    let property = Inbox<String>()

    var exported: ExportedObject {
        ExportedObject(interfaces: [
            InterfaceTable(
                name: "test.Interface", methods: methods,
                signals: [SignalEntry("Happened", [ArgumentEntry("what", "s")])],
                properties: properties)
        ])
    }

    private var methods: [MethodEntry] {
        let (gate, received) = (gate, received)
        return [
            MethodEntry("Echo", in: [ArgumentEntry("v", "v")], out: [ArgumentEntry("v", "v")]) {
                $0.arguments
            },
            MethodEntry(
                "Add", in: [ArgumentEntry("a", "i"), ArgumentEntry("b", "i")],
                out: [ArgumentEntry("sum", "i")]
            ) { call in
                let (a, b) = (call.arguments[0].int32Value ?? 0, call.arguments[1].int32Value ?? 0)
                return [.int32(a &+ b)]
            },
            MethodEntry("Count", in: [ArgumentEntry("number", "u")]) { call in
                received.append(call.arguments[0].uint32Value ?? 0)
                return []
            },
            MethodEntry("Wait") { _ in
                received.append(0)
                await gate.waitUntilOpen()
                return []
            },
            MethodEntry("FailByName") { _ in
                throw BusError.remote("test.Error.Named", "said so")
            },
            MethodEntry("FailSomehow") { _ in throw SomeFailure() },
            MethodEntry("AnswerWrongly", out: [ArgumentEntry("text", "s")]) { _ in [.int32(1)] },
            MethodEntry("WhoAmI", out: [ArgumentEntry("name", "s")]) {
                [.string($0.sender.rawValue)]
            },
        ]
    }

    private var properties: [PropertyEntry] {
        let property = property
        return [
            PropertyEntry("Version", "u", changeReport: .constant, get: { .uint32(7) }),
            PropertyEntry(
                "Text", "s", get: { .string(property.values.last ?? "") },
                set: { property.append($0.stringValue ?? "") }),
        ]
    }
}

struct SomeFailure: Error, CustomStringConvertible {
    let description = "it failed"
}
