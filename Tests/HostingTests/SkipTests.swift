import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The user skips the next date of a request, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct SkipTests {
    private static let far = NotificationTrigger.rule(NotificationRule("every day at 03:00"))

    @Test(arguments: Hosting.allCases)
    func `a skipped request is listed with its next date`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("pills", trigger: Self.far)
            let before = try await harness.service.pending(of: harness.app).first?.nextFire
            let first = try await harness.service.skip("pills", of: harness.app)
            #expect(first.skipped == before)
            let second = try await harness.service.skip("pills", of: harness.app)
            #expect(second.skipped == first.next && second.next > first.next)
            let listed = try await harness.service.pending(of: harness.app)
            #expect(listed.map(\.nextFire) == [second.next])
            #expect(listed.map(\.request.trigger) == [Self.far])
            #expect(listed.map(\.request.content.title) == ["pills"])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a one-shot request cannot be skipped and still fires`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add(
                "tea", trigger: .interval(seconds: 1, repeats: false))
            let error = await #expect(throws: NotificationError.self) {
                try await harness.service.skip("tea", of: harness.app)
            }
            #expect(error?.code == .invalidArgument)
            #expect(try await harness.post(1).summary == "tea")
        }
    }
}
