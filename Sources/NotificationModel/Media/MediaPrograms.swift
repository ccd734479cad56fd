/// Decodes pictures and plays sounds outside of this process.
///
/// The desktop's programs, or a recording in tests.
public protocol MediaPrograms: Sendable {
    /// Makes a picture that any server can show.
    ///
    /// Fails where the file is damaged or no picture, or where it takes too long.
    func picture(_ order: PictureOrder) async throws(NotificationError) -> Picture

    /// Plays a sound to its end.
    ///
    /// Fails where it could not be played, nor the desktop's own in its place.
    func play(_ order: SoundOrder) async throws(NotificationError)
}
