import DesktopBus
import NotificationModel
import TestSupport
import Testing

@testable import CenterInterface

/// Input from other programs: bodies of calls, and JSON documents in the daemon's inbox.
@Suite struct CodingFuzzTests {
    @Test func `a body of any shape is accepted or refused by a typed error`() throws {
        try FuzzRun("bodies", rounds: 2_000).values({ HostileBody(seed: $0.next()).bodies }) {
            for body in $0 {
                try expectRefusal {
                    _ = try NotificationRequest.record.value(of: body, "the request")
                }
                try expectRefusal {
                    _ = try NotificationResponse.record.value(of: body, "the response")
                }
                try expectRefusal { _ = try ServiceStatus.record.value(of: body, "it") }
                try expectRefusal { _ = try ApplicationIntroduction.record.value(of: body, "it") }
                try expectRefusal {
                    _ = try ApplicationSettings.record.value(of: body, "the settings")
                }
                try expectRefusal { _ = try Members.decide.input.decode([.string("a"), body]) }
                try expectRefusal { _ = try NotificationCategory.record.value(of: body, "it") }
                try expectRefusal {
                    _ = try PendingNotification.record.value(of: body, "it")
                }
            }
        }
    }

    @Test func `a document of the inbox or of an extension is read or refused`() throws {
        var seeds: [[UInt8]] = []
        for seed in 0..<20 as Range<UInt64> {
            var make = ModelGenerator(seed: seed)
            let request = make.request()
            seeds.append(try ExtensionDocument.input(request, of: .tocsin))
            seeds.append(try ExtensionDocument.output(request.content))
            let item = InboxItem(
                created: make.instant(), request: request, nextFire: make.instant(), id: "a")
            seeds.append(Array(try InboxCoding.text(item).utf8))
        }
        try FuzzRun("documents", rounds: 3_000).mutants(
            of: seeds, words: ["\"id\":", "\"trigger\":{", "\"created\":", "\\u0000", "\\ud800\\u"]
        ) { bytes in
            try expectRefusal { _ = try ExtensionDocument.readInput(bytes) }
            try expectRefusal { _ = try ExtensionDocument.readOutput(bytes) }
            try expectRefusal { _ = try InboxCoding.item(bytes, id: "a") }
        }
    }

    @Test func `no text about a caller's sandbox stops the program`() throws {
        try FuzzRun("callers", rounds: 3_000).mutants(
            of: [
                "[Application]\nname=org.a.B\n[Instance]\ninstance-id=1\n",
                "0::/user.slice/user@1.service/app.slice/app-gnome-org.a.B\\x2d1-12.scope\n",
                "0::/x/snap.a.b-1234.scope\n", "snap.a.b (enforce)",
            ], words: ["\\x", "\\x2", "app-", "@", ".scope", ".service", "snap.", "::/"]
        ) { text in
            _ = FlatpakInfo.application(in: text)
            _ = SnapName.application(inControlGroups: text)
            _ = SnapName.application(confinedBy: text)
            _ = UnitName.applications(inControlGroups: text)
            _ = UnitName.applications(of: text)
        }
    }

    private func expectRefusal(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as NotificationError {
            guard error.code == .invalidArgument else { throw error }
        }
    }
}

extension HostileBody {
    fileprivate var bodies: [BusValue] {
        var copy = self
        return (0..<10).map { _ in copy.body() }
    }
}
