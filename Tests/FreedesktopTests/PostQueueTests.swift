import NotificationModel
import Testing

@testable import Freedesktop

struct PostQueueTests {
    private var queue = PostQueue()
    private static let app = "org.example.App"
    private static let other = "org.example.Other"

    private func post(
        _ identifier: String, app: String = app, token: UInt64 = 0
    ) throws -> Presentation {
        try Samples.presentation(identifier, app: app, token: token)
    }

    private func sent(_ effects: [PostQueue.Effect]) -> [String] {
        effects.compactMap {
            if case .send(let presentation) = $0 {
                presentation.notification.request.identifier
            } else {
                nil
            }
        }
    }

    @Test mutating func postsGoOutAtOnceAndInOrder() throws {
        var identifiers: [String] = []
        for number in 0..<100 { identifiers += sent(queue.enqueue(try post("\(number)"))) }
        #expect(identifiers == (0..<100).map(String.init))
    }

    @Test mutating func twoPostsOfOneIdentifierNeverOverlap() throws {
        let (first, second) = (try post("a", token: 1), try post("a", token: 2))
        #expect(queue.enqueue(first) == [.send(first)])
        #expect(queue.enqueue(second).isEmpty)
        let behind = try post("b")
        #expect(queue.enqueue(behind).isEmpty, "the order of one app is kept")
        #expect(queue.ended(first) == [.send(second), .send(behind)])
        let elsewhere = try post("a", app: Self.other)
        #expect(queue.enqueue(elsewhere) == [.send(elsewhere)])
    }

    @Test mutating func withCareOnePostOfAnAppIsAnsweredBeforeTheNext() throws {
        queue = PostQueue(isCareful: true)
        let (a, b, c) = (try post("a"), try post("b"), try post("c", app: Self.other))
        #expect(queue.enqueue(a) == [.send(a)])
        #expect(queue.enqueue(b).isEmpty)
        #expect(queue.enqueue(c) == [.send(c)])
        #expect(queue.ended(a) == [.send(b)])
        #expect(queue.ended(b).isEmpty)
    }

    @Test mutating func aDuplicateWaitsLongerEachTimeAndKeepsItsPlace() throws {
        let (a, b) = (try post("a"), try post("b"))
        let app = a.notification.app
        _ = queue.enqueue(a)
        _ = queue.enqueue(b)
        #expect(
            queue.refused(a, .duplicate) == [
                .backoff(app, isWaiting: true), .resume(app, after: .milliseconds(1_100)),
            ])
        #expect(queue.refused(b, .duplicate).isEmpty, "one pause at a time")
        for pause in [2_200, 4_400, 8_800, 8_800] {
            #expect(
                queue.pauseEnded(app) == [.backoff(app, isWaiting: false), .send(a)])
            #expect(
                queue.refused(a, .duplicate) == [
                    .backoff(app, isWaiting: true), .resume(app, after: .milliseconds(pause)),
                ])
        }
        #expect(queue.pauseEnded(app).last == .send(a))
        #expect(queue.ended(a) == [.send(b)], "with care from now on, and in order")
        #expect(
            queue.refused(b, .duplicate).last == .resume(app, after: .milliseconds(1_100)),
            "patience begins anew after a success")
    }

    @Test mutating func othersOvertakeALaneThatWaits() throws {
        let (a, b) = (try post("a"), try post("b", app: Self.other))
        _ = queue.enqueue(a)
        _ = queue.refused(a, .duplicate)
        #expect(sent(queue.enqueue(try post("c"))).isEmpty)
        #expect(queue.enqueue(b) == [.send(b)])
        #expect(sent(queue.ended(b)).isEmpty)
        #expect(queue.roomMade().isEmpty, "a duplicate does not wait for room")
    }

    @Test mutating func aFullScreenWaitsForRoom() throws {
        let (a, b) = (try post("a"), try post("b"))
        let app = a.notification.app
        _ = queue.enqueue(a)
        _ = queue.enqueue(b)
        #expect(queue.refused(a, .full).last == .resume(app, after: .seconds(30)))
        _ = queue.refused(b, .full)
        #expect(queue.roomMade() == [.backoff(app, isWaiting: false), .send(a)])
        #expect(queue.roomMade().isEmpty)
        #expect(queue.pauseEnded(app).isEmpty, "the pause has been ended by the room")
    }

    @Test mutating func afterThirtySecondsOurOldestMakesRoom() throws {
        let a = try post("a")
        let app = a.notification.app
        _ = queue.enqueue(a)
        _ = queue.refused(a, .full)
        #expect(
            queue.pauseEnded(app) == [
                .closeOldest, .backoff(app, isWaiting: false), .send(a),
            ])
    }

    @Test mutating func roomIsForEveryAppThatWaitsForIt() throws {
        let (a, b) = (try post("a"), try post("b", app: Self.other))
        for one in [b, a] {
            _ = queue.enqueue(one)
            _ = queue.refused(one, .full)
        }
        #expect(sent(queue.roomMade()) == ["a", "b"])
    }

    @Test mutating func aBurstThatIsRefusedGoesBackInItsOrder() throws {
        let posts = try (0..<20).map { try post("\($0)") }
        let app = posts[0].notification.app
        for one in posts { _ = queue.enqueue(one) }
        // The answers come in any order.
        for index in [3, 0, 19, 7, 1, 2] { _ = queue.refused(posts[index], .duplicate) }
        for index in 0..<20 where ![3, 0, 19, 7, 1, 2].contains(index) {
            #expect(queue.ended(posts[index]).isEmpty)
        }
        var order = sent(queue.pauseEnded(app))
        while let last = order.last, let one = posts.first(where: { $0.identifier == last }) {
            let next = sent(queue.ended(one))
            if next.isEmpty { break }
            order += next
        }
        #expect(order == ["0", "1", "2", "3", "7", "19"])
    }

    @Test mutating func aServerThatAnswersNothingIsNotFlooded() throws {
        var identifiers: [String] = []
        for number in 0..<10_000 { identifiers += sent(queue.enqueue(try post("\(number)"))) }
        #expect(identifiers.count == PostLane.window)
        var answered = 0
        while answered < identifiers.count {
            identifiers += sent(queue.ended(try post(identifiers[answered])))
            answered += 1
        }
        #expect(identifiers == (0..<10_000).map(String.init))
        #expect(queue.serverGone().isEmpty)
    }

    @Test mutating func aServerThatHasGoneGivesBackWhatItDidNotGet() throws {
        let names = ["a", "b", "c", "d"]
        queue = PostQueue(isCareful: true)
        for name in names {
            _ = queue.enqueue(try post(name))
            _ = queue.enqueue(try post(name, app: Self.other))
        }
        _ = queue.refused(try post("a"), .duplicate)
        let unsent = queue.serverGone().map {
            $0.identifier + ($0.notification.app.rawValue == Self.other ? "'" : "")
        }
        #expect(unsent == ["a", "b", "b'", "c", "c'", "d", "d'"])
        #expect(queue.serverGone().isEmpty)
        #expect(queue.pauseEnded(try post("a").notification.app).isEmpty)
    }

    @Test mutating func whatIsWithdrawnBeforeItWentOutIsGivenBack() throws {
        queue = PostQueue(isCareful: true)
        let (a, b, c) = (try post("a"), try post("b"), try post("c"))
        for one in [a, b, c] { _ = queue.enqueue(one) }
        #expect(queue.withdraw([a.notification.key]).isEmpty, "it is on its way")
        #expect(queue.isInFlight(a.notification.key))
        #expect(queue.withdraw([b.notification.key]) == [b])
        #expect(queue.ended(a) == [.send(c)])
        #expect(!queue.isInFlight(a.notification.key))
    }

    @Test mutating func answersThatWereNotAskedForChangeNothing() throws {
        let a = try post("a")
        #expect(queue.ended(a).isEmpty)
        #expect(queue.refused(a, .full).isEmpty)
        #expect(queue.pauseEnded(a.notification.app).isEmpty)
        #expect(queue.enqueue(a) == [.send(a)])
    }
}

extension Presentation {
    fileprivate var identifier: String { notification.request.identifier }
}
