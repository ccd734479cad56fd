import UserNotifications

/// A loop that draws again and again, as SDL programs and games have it: no descriptor is needed,
/// because what waits is run once a frame.
enum FrameLoop {
    @MainActor
    static func run(_ app: App) {
        var frame = 0
        while !app.isDone {
            // Here such a program takes its events: `while SDL_PollEvent(&event) != 0 { … }`.
            UNUserNotificationCenter.drainMainLoop()
            frame += 1
            draw(frame)
        }
        print("Frames were drawn: \(frame > 1)")
    }

    /// Stands for drawing, which ends with the screen's next refresh.
    private static func draw(_ frame: Int) {
        Thread.sleep(forTimeInterval: 1 / 60)
    }
}
