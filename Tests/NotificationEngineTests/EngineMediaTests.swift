import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// Images and sounds that the media program makes and plays, with an engine over a real store.
@Suite(.timeLimit(.minutes(2))) struct EngineMediaTests {
    private let fixture: EngineFixture
    private let media = RecordingMedia()
    private let app = ApplicationID.tocsin
    private var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func addClipped(
        _ identifier: String, _ engine: CenterEngine, of app: ApplicationID
    ) async throws {
        try await engine.addClipped(identifier, of: app, from: fixture.directory)
    }

    private func start(
        _ media: RecordingMedia?
    ) async throws -> CenterEngine {
        try await fixture.start(media: media)
    }

    private static let image = Image(width: 1, height: 1, bytes: [9, 9, 9, 255])

    @Test func `an image is made from the stored copy before its popup is shown`() async throws {
        let engine = try await start(media)
        try await addClipped("a", engine, of: app)
        let made = try await media.images.first(1)[0]
        #expect(made.request.path.hasPrefix(fixture.layout.directory))
        #expect(made.request.part?.width == 0.5)
        try await engine.add(.sample("b"), attachments: [], for: app)
        let other = try ApplicationID("org.example.Other")
        try await engine.add(.sample("c"), attachments: [], for: other)
        _ = try await presenter.presentations.first(1)
        made.finish(Self.image)
        let shown = try await presenter.presentations.first(3)
        #expect(presenter.titles == ["c", "a", "b"])
        #expect(shown.map { $0.image != nil } == [false, true, false])
        try await engine.rest()
        #expect(try await engine.delivered(of: nil).count == 3)
    }

    @Test(arguments: [true, false])
    func `the settings say whether the centre plays sounds`(hasMedia: Bool) async throws {
        let engine = try await start(hasMedia ? media : nil)
        #expect(try await engine.settings(of: app).playsSounds == hasMedia)
    }

    @Test func `an image that cannot be made is left to the server`() async throws {
        let engine = try await start(media)
        try await addClipped("a", engine, of: app)
        try await media.images.first(1)[0].finish(nil)
        let shown = try await presenter.presentations.first(1)[0]
        #expect(shown.image == nil)
        #expect(shown.notification.request.content.attachments.count == 1)
    }

    @Test func `without the media program the popup is shown at once`() async throws {
        let engine = try await start(nil)
        try await addClipped("a", engine, of: app)
        #expect(try await presenter.presentations.first(1)[0].image == nil)
    }

    @Test func `an app whose images take long leaves room for the posts of other apps`()
        async throws
    {
        let engine = try await start(media)
        for number in 0..<DeliveryQueue.window + 2 {
            try await addClipped("\(number)", engine, of: app)
        }
        _ = try await media.images.first(1)
        let other = try ApplicationID("org.example.Other")
        try await engine.add(.sample("other"), attachments: [], for: other)
        try await presenter.presentations.first(1)
        #expect(presenter.titles == ["other"])
    }

    @Test func `a notification replaced while its image is made is not shown`() async throws {
        let engine = try await start(media)
        try await addClipped("a", engine, of: app)
        let made = try await media.images.first(1)[0]
        try await engine.add(.sample("a", title: "newer"), attachments: [], for: app)
        _ = try await presenter.presentations.first(1)
        made.finish(Self.image)
        try await engine.rest()
        #expect(presenter.titles == ["newer"])
    }

    /// The user may deny an app because of its first popups, while its next popup waits.
    @Test func `a notification whose app is denied while its image is made is not shown`()
        async throws
    {
        let engine = try await start(media)
        try await addClipped("a", engine, of: app)
        let made = try await media.images.first(1)[0]
        try await engine.decide(.deny, for: app)
        made.finish(Self.image)
        try await engine.rest()
        #expect(presenter.titles == [])
        let records = try await engine.recordPage(ListQuery(), of: app).notifications
        #expect(records.map(\.reason) == [.denied])
    }

    @Test func `a stopping engine does not wait for an image, and the next start shows the popup`()
        async throws
    {
        let engine = try await start(media)
        try await addClipped("a", engine, of: app)
        let made = try await media.images.first(1)[0]
        await engine.stop()
        #expect(presenter.titles == [])
        made.finish(Self.image)
        let next = try await start(nil)
        _ = try await presenter.presentations.first(1)
        try await next.rest()
        #expect(presenter.titles == ["a"])
    }

    @Test func `a process killed while an image is made shows its popup once at the next start`()
        async throws
    {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = fixture.layout.directory as String] in
            let fixture = try EngineFixture()
            let media = RecordingMedia()
            let engine = try await fixture.start(
                layout: StoreLayout(directory: path), media: media)
            try await engine.addClipped("a", of: .tocsin, from: fixture.directory)
            _ = try await media.images.first(1)
            kill(getpid(), SIGKILL)
        }
        let second = try await start(media)
        try await media.images.first(1)[0].finish(Self.image)
        #expect(try await presenter.presentations.first(1)[0].image == Self.image)
        try await second.rest()
        await second.stop()
        let third = try await start(media)
        try await third.rest()
        #expect(presenter.titles == ["a"] && media.images.all.count == 1)
    }

    /// Shows a notification and loses it with its server.
    ///
    /// Returns the image that the program is still making for the next server.
    private func lost(
        _ identifier: String, _ engine: CenterEngine
    ) async throws -> RecordingMedia.Made {
        try await addClipped(identifier, engine, of: app)
        try await media.images.first(1)[0].finish(Self.image)
        _ = try await presenter.presentations.first(1)
        try await engine.rest()
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        return try await media.images.first(2)[1]
    }

    @Test func `a popup shown again after a server's loss has its image`() async throws {
        let engine = try await start(media)
        let again = try await lost("a", engine)
        #expect(presenter.titles == ["a"])
        again.finish(Self.image)
        let back = try await presenter.presentations.first(2)[1]
        #expect(back.isRestored && back.image == Self.image)
    }

    @Test func `a popup that is lost again while its image is made is shown only once more`()
        async throws
    {
        let engine = try await start(media)
        let first = try await lost("a", engine)
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        first.finish(Self.image)
        let second = try await media.images.first(3)[2]
        #expect(presenter.titles == ["a"])
        second.finish(nil)
        _ = try await presenter.presentations.first(2)
        try await engine.rest()
        #expect(presenter.titles == ["a", "a"])
    }

    @Test func `an engine stops without waiting for the image of a restored popup`() async throws {
        let engine = try await start(media)
        let made = try await lost("a", engine)
        await engine.stop()
        made.finish(Self.image)
        #expect(presenter.titles == ["a"])
    }

    @Test func `two sounds of one app play at the same time`() async throws {
        let engine = try await start(media)
        for name in ["one", "two"] { presenter.emit(.sound(app, SoundRequest(name: name))) }
        let played = try await media.sounds.first(2)
        #expect(Set(played.map(\.request.name)) == ["one", "two"])
        for sound in played { sound.finish() }
        try await engine.untilSilent(app)
    }

    @Test
    func `only a few of an app's many sounds are played, and other apps' sounds still play`()
        async throws
    {
        let engine = try await start(media)
        let other = try ApplicationID("org.example.Other")
        let flood = (0..<100).map { "flood \($0)" }
        for name in flood { presenter.emit(.sound(app, SoundRequest(name: name))) }
        presenter.emit(.sound(other, SoundRequest(name: "other")))
        let played = try await media.sounds.first(PlayingSounds.limit + 1)
        #expect(
            Set(played.map(\.request.name)) == Set(flood.prefix(PlayingSounds.limit) + ["other"]))
        for sound in played { sound.finish() }
        try await engine.untilSilent(app)
        presenter.emit(.sound(app, SoundRequest(name: "next")))
        let next = try await media.sounds.first(PlayingSounds.limit + 2)
        #expect(next.last?.request.name == "next")
        next.last?.finish()
    }

    @Test func `only a critical sound is played under Do Not Disturb`() async throws {
        let engine = try await start(media)
        presenter.inhibits(true)
        presenter.emit(.sound(app, SoundRequest(name: "quiet")))
        try await engine.untilSilent(app)
        presenter.emit(.sound(app, SoundRequest(name: "alarm", isCritical: true)))
        #expect(try await media.sounds.first(1).map(\.request.name) == ["alarm"])
    }
}

extension CenterEngine {
    /// Adds a request with an image that is clipped to its left half.
    fileprivate func addClipped(
        _ identifier: String, of app: ApplicationID, from directory: TemporaryDirectory
    ) async throws {
        var request = NotificationRequest.sample(identifier)
        let path = try directory.write(TestPNG.bytes, to: identifier + ".png")
        let sides = ["X": 0, "Y": 0, "Width": 0.5, "Height": 1].mapValues(PropertyListValue.real)
        request.content.attachments = [
            NotificationAttachment(
                identifier: "a", path: path, type: "public.png",
                options: [AttachmentThumbnail.Key.clippingRectangle: .dictionary(sides)])
        ]
        try await add(request, attachments: [try OpenFile(path: path)], for: app)
    }

    /// Waits until none of the app's sounds is playing.
    fileprivate func untilSilent(_ app: ApplicationID) async throws {
        try await polled("silence", because: "the engine reports no end of a sound") {
            _ = try await status()
            return state.sounds.count(of: app) == 0 ? () : nil
        }
    }
}
