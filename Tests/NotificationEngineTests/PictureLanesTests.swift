import NotificationModel
import TestSupport
import Testing

@testable import NotificationEngine

/// The order in which pictures are made and popups are shown.
struct PictureLanesTests {
    private var lanes = PictureLanes()

    private static let picture = Picture(width: 1, height: 1, bytes: [1, 2, 3, 4])

    private static func popup(_ token: UInt64, _ app: String) throws -> Presentation {
        let id = try ApplicationID("org.example.\(app)")
        return Presentation(
            token: token,
            notification: DeliveredNotification(
                app: id, request: .sample("\(token)"), date: ManualClock.start),
            application: .sample(id))
    }

    /// Adds a popup; what follows, as `make 1` and `show 1` (`show 1 made` with a picture).
    private mutating func add(
        _ token: UInt64, _ app: String, needsPicture: Bool = true
    ) throws -> [String] {
        let order = needsPicture ? PictureOrder(path: "/\(token)") : nil
        return Self.texts(
            lanes.add(try Self.popup(token, app), needing: MediaNeeds(picture: order)))
    }

    private mutating func end(_ token: UInt64, _ picture: Picture? = Self.picture) -> [String] {
        Self.texts(lanes.ended(token, MediaNeeds.Result(picture: picture)))
    }

    private static func texts(_ steps: [PictureLanes.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .make(let token, _, _): "make \(token)"
            case .show(let popup): "show \(popup.token)" + (popup.picture == nil ? "" : " made")
            }
        }
    }

    @Test mutating func whatNeedsNoPictureIsShownAtOnce() throws {
        #expect(try add(1, "a", needsPicture: false) == ["show 1"])
    }

    @Test mutating func anAppsOrderIsKeptAndOthersOvertake() throws {
        #expect(try add(1, "a") == ["make 1"])
        #expect(try add(2, "a", needsPicture: false) == [])
        #expect(try add(3, "b", needsPicture: false) == ["show 3"])
        #expect(end(1) == ["show 1 made", "show 2"])
        #expect(try add(4, "a", needsPicture: false) == ["show 4"])
    }

    @Test mutating func aPictureThatCannotBeMadeIsShownAsItsFile() throws {
        _ = try add(1, "a")
        #expect(end(1, nil) == ["show 1"])
    }

    @Test mutating func onePictureOfAnAppAndTwoOfAllAreMadeAtATimeAndAppsTakeTurns() throws {
        #expect(try add(1, "a") == ["make 1"])
        #expect(try add(2, "a") == [])
        #expect(try add(3, "b") == ["make 3"])
        #expect(try add(4, "c") == [])
        #expect(end(1) == ["show 1 made", "make 4"])
        #expect(end(4) == ["show 4 made", "make 2"])
        #expect(end(3) == ["show 3 made"])
        #expect(end(2) == ["show 2 made"])
        #expect(end(2) == [], "an end is told once")
    }

    @Test mutating func whatIsRemovedIsNotShownAndLetsTheNextGoOn() throws {
        _ = try add(1, "a")
        _ = try add(2, "a", needsPicture: false)
        _ = try add(3, "a")
        #expect(Self.texts(lanes.remove([1])) == ["show 2"])
        #expect(Self.texts(lanes.remove([7])) == [])
        #expect(end(1) == ["make 3"], "one picture of an app at a time")
        #expect(end(3) == ["show 3 made"])
    }

    @Test mutating func whateverHappensNothingIsShownTwiceOrOutOfOrderOrKeptForEver() throws {
        for seed in 0..<200 as Range<UInt64> {
            try Self.round(seed: seed)
        }
    }

    /// Random popups, ends and removals; everything is shown or removed, in its app's order.
    private static func round(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var lanes = PictureLanes()
        var making: [UInt64] = []
        var open: [String: [UInt64]] = [:]
        func perform(_ steps: [PictureLanes.Step]) throws {
            for step in steps {
                switch step {
                case .make(let token, _, _): making.append(token)
                case .show(let popup):
                    let app = popup.notification.app.rawValue
                    try #require(open[app]?.first == popup.token)
                    open[app]?.removeFirst()
                }
            }
            try #require(making.count <= PictureLanes.limit)
        }
        for token in 1...60 as ClosedRange<UInt64> {
            let popup = try popup(token, ["a", "b", "c"].randomElement(using: &random) ?? "a")
            open[popup.notification.app.rawValue, default: []].append(token)
            let order = Bool.random(using: &random) ? PictureOrder(path: "/") : nil
            try perform(lanes.add(popup, needing: MediaNeeds(picture: order)))
            if Int.random(in: 0..<3, using: &random) == 0,
                let ended = making.randomElement(using: &random)
            {
                making.removeAll { $0 == ended }
                try perform(lanes.ended(ended, MediaNeeds.Result()))
            }
            if Int.random(in: 0..<5, using: &random) == 0,
                let app = open.keys.sorted().randomElement(using: &random),
                let removed = open[app]?.randomElement(using: &random)
            {
                open[app]?.removeAll { $0 == removed }
                try perform(lanes.remove([removed]))
            }
        }
        while let ended = making.popLast() { try perform(lanes.ended(ended, MediaNeeds.Result())) }
        let rest = open.values.reduce(0) { $0 + $1.count }
        #expect(rest == 0, "seed \(seed): \(open)")
    }
}
