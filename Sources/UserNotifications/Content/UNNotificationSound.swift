internal import NotificationModel

/// The sound that comes with a notification.
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Set only while the sound is made.
    private(set) var value: NotificationSound

    convenience init(value: NotificationSound) {
        self.init(named: UNNotificationSoundName(""))
        self.value = value
    }

    /// Makes a sound by name: a sound file of the app, or a sound of the desktop's sound theme.
    ///
    /// The initializer is required, so that a class method of a subclass makes an instance of the
    /// subclass.
    public required init(named name: UNNotificationSoundName) {
        value = NotificationSound(.named(name.rawValue))
    }

    /// The desktop's own notification sound.
    open class var `default`: UNNotificationSound { .init(value: NotificationSound(.standard)) }

    /// The desktop's own sound for critical alerts.
    open class var defaultCritical: UNNotificationSound {
        .init(value: NotificationSound(.standard, isCritical: true))
    }

    /// The desktop's own ringtone.
    open class var defaultRingtone: UNNotificationSound {
        .init(value: NotificationSound(.ringtone))
    }

    /// The desktop's own sound for critical alerts, at a volume from 0 to 1.
    open class func defaultCriticalSound(withAudioVolume volume: Float) -> Self {
        made(NotificationSound(.standard, isCritical: true, volume: clamped(volume)))
    }

    /// A sound of the app for critical alerts.
    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> Self {
        made(NotificationSound(.named(name.rawValue), isCritical: true))
    }

    /// A sound of the app for critical alerts, at a volume from 0 to 1.
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName, withAudioVolume volume: Float
    ) -> Self {
        made(
            NotificationSound(.named(name.rawValue), isCritical: true, volume: clamped(volume)))
    }

    /// A ringtone of the app.
    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> Self {
        made(NotificationSound(.ringtoneNamed(name.rawValue)))
    }

    private static func made(_ value: NotificationSound) -> Self {
        let sound = self.init(named: UNNotificationSoundName(""))
        sound.value = value
        return sound
    }

    // A volume of NaN becomes 1: a sound with NaN would not equal itself.
    private static func clamped(_ volume: Float) -> Float {
        volume.isNaN ? 1 : min(max(volume, 0), 1)
    }

    /// Returns this sound, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is an equal sound.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSound)?.value == value
    }

    /// A hash of the values.
    open override var hash: Int { value.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe([
            ("source", value.source), ("isCritical", value.isCritical), ("volume", value.volume),
        ])
    }

    /// A sound can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a sound from an archive.
    public required init?(coder: NSCoder) {
        value = coder.value(NotificationSound.record, "sound") ?? NotificationSound(.standard)
    }

    /// Writes the sound into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(value, as: NotificationSound.record, forKey: "sound")
    }
}

/// The name of a sound file of the app, or of a sound of the desktop's sound theme.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Makes a name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
