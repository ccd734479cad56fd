import UserNotifications

/// A loop that draws again and again, as in SDL programs and games.
///
/// The loop needs no descriptor, because it runs the main queue's work once a frame.
enum FrameLoop {
    @MainActor
    static func run(_ app: App) {
        var frame = 0
        while !app.isDone {
            // Such a program handles its events here: `while SDL_PollEvent(&event) != 0 { … }`.
            UNUserNotificationCenter.drainMainLoop()
            frame += 1
            draw(frame)
        }
        print("Frames were drawn: \(frame > 1)")
    }

    /// Waits for the length of one screen refresh, in place of real drawing.
    private static func draw(_ frame: Int) {
        Thread.sleep(forTimeInterval: 1 / 60)
    }
}
