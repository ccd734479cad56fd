package import NotificationModel

/// Makes no image and plays no sound until the test says so, and records the orders.
package final class RecordingMedia: MediaPrograms {
    /// A requested image, and its answer.
    package struct Made: Sendable {
        package let order: PictureOrder
        fileprivate let answer: @Sendable (Picture?) -> Void

        /// Answers with an image, or with none.
        package func end(_ picture: Picture?) { answer(picture) }
    }

    /// A requested sound, and its end.
    package struct Played: Sendable {
        package let order: SoundOrder
        fileprivate let end: @Sendable () -> Void

        /// Reports that it has been played.
        package func finish() { end() }
    }

    /// The requested images, in order.
    package let pictures = Recording<Made>()
    /// The requested sounds, in order.
    package let sounds = Recording<Played>()

    package init() {}

    package func picture(_ order: PictureOrder) async throws(NotificationError) -> Picture {
        let picture = await withCheckedContinuation { continuation in
            pictures.append(Made(order: order) { continuation.resume(returning: $0) })
        }
        guard let picture else {
            throw NotificationError(.attachmentCorrupt, "\(order.path) is damaged.")
        }
        return picture
    }

    package func play(_ order: SoundOrder) async throws(NotificationError) {
        await withCheckedContinuation { continuation in
            sounds.append(Played(order: order) { continuation.resume() })
        }
    }
}
