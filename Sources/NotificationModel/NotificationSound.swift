/// The sound that comes with a notification.
public struct NotificationSound: Hashable, Sendable {
    /// Where the sound comes from.
    public enum Source: Hashable, Sendable {
        /// The desktop's own notification sound.
        case standard
        /// The desktop's own ringtone.
        case ringtone
        /// A sound of the app, by file name, or of the sound theme, by name.
        case named(String)
        /// A ringtone of the app, by file name.
        case ringtoneNamed(String)
    }

    /// Where the sound comes from.
    public var source: Source
    /// Whether the sound is a critical one, which ignores Do Not Disturb.
    public var isCritical: Bool
    /// From 0 to 1 for critical sounds, nil for the person's own volume.
    public var volume: Float?

    /// Makes a sound.
    public init(_ source: Source, isCritical: Bool = false, volume: Float? = nil) {
        self.source = source
        self.isCritical = isCritical
        self.volume = volume
    }
}

/// What a named sound turned out to be when its notification was due.
public enum SoundChoice: Hashable, Sendable {
    /// The desktop's own: the file is missing, damaged, or longer than 30 seconds.
    case standard
    /// A name for the desktop's sound theme.
    case theme(String)
    /// The file at this path.
    case file(String)
}
