internal import NotificationModel

/// A sound as the command line names it.
enum SoundText {
    /// `default`, the path of a file, or a name of the sound theme.
    static func sound(_ name: String, in environment: ToolEnvironment) -> NotificationSound {
        let isFile = name.contains("/")
        return NotificationSound(
            name == "default" ? .standard : .named(isFile ? environment.absolute(name) : name))
    }
}
