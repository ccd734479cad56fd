package import NotificationModel

/// Records the requests for images and sounds; the test answers each request.
package final class RecordingMedia: MediaPrograms {
    /// A requested image, and its answer.
    package struct Made: Sendable {
        package let request: ImageRequest
        fileprivate let answer: @Sendable (Image?) -> Void

        /// Answers with an image; nil means that no image could be made.
        package func finish(_ image: Image?) { answer(image) }
    }

    /// A requested sound, and its end.
    package struct Played: Sendable {
        package let request: SoundRequest
        fileprivate let end: @Sendable () -> Void

        /// Reports that the sound has been played.
        package func finish() { end() }
    }

    /// The requested images, in order.
    package let images = Recording<Made>()
    /// The requested sounds, in order.
    package let sounds = Recording<Played>()

    package init() {}

    package func image(_ request: ImageRequest) async throws(NotificationError) -> Image {
        let image = await withCheckedContinuation { continuation in
            images.append(Made(request: request) { continuation.resume(returning: $0) })
        }
        guard let image else {
            throw NotificationError(.attachmentCorrupt, "\(request.path) is damaged.")
        }
        return image
    }

    package func play(_ request: SoundRequest) async throws(NotificationError) {
        await withCheckedContinuation { continuation in
            sounds.append(Played(request: request) { continuation.resume() })
        }
    }
}
