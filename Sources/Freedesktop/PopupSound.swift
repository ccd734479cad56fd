internal import DesktopBus
internal import NotificationModel

/// The sound of a popup; `NotificationContent.isAudible` says which notifications have one.
struct PopupSound {
    private enum Choice {
        case none
        case file(String)
        case name(String)
    }

    private let choice: Choice
    private let sound: NotificationSound
    private let isCritical: Bool

    init(of presentation: Presentation) {
        let content = presentation.notification.request.content
        let isAlarm = content.interruptionLevel == .critical
        sound = content.sound ?? NotificationSound(.standard, isCritical: isAlarm)
        isCritical = isAlarm || sound.isCritical
        guard presentation.options.contains(.sound), content.isAudible else {
            choice = .none
            return
        }
        switch presentation.sound ?? Self.choice(of: sound.source) {
        case .file(let path): choice = .file(path)
        case .theme(let name): choice = .name(name)
        case .standard: choice = .name(Self.standardName(of: sound))
        }
    }

    /// The hint for a server that plays sounds.
    ///
    /// Names come from the freedesktop sound naming specification; a path becomes `sound-file`.
    /// There is no hint for a volume.
    var hint: (name: String, value: BusValue) {
        switch choice {
        case .none: ("suppress-sound", .bool(true))
        case .file(let path): ("sound-file", .string(path))
        case .name(let name): ("sound-name", .string(name))
        }
    }

    /// The sound for a portal of version 2, which takes some kinds of files, but no sound names.
    ///
    /// If the portal cannot play the sound, the value is `silent`, and `requestBesidePortal` has
    /// the sound.
    var portalSound: PortalNotification.Sound {
        switch choice {
        case .none: .silent
        case .file(let path): Self.isPortalFile(path) ? .file(path) : .silent
        case .name(let name): name == Self.standardName(of: sound) ? .standard : .silent
        }
    }

    /// The sound to play beside a portal of version 2.
    ///
    /// The value is nil if the portal plays the sound, or if there is no sound.
    var requestBesidePortal: SoundRequest? {
        portalSound == .silent ? request : nil
    }

    /// Whether a portal of version 2 takes the file; it takes Ogg and WAV.
    private static func isPortalFile(_ path: String) -> Bool {
        [".ogg", ".oga", ".opus", ".wav"].contains { path.lowercased().hasSuffix($0) }
    }

    /// The sound to play for a server that plays no sounds; nil for silence.
    var request: SoundRequest? {
        var request = SoundRequest(
            name: Self.standardName(of: sound), volume: sound.isCritical ? sound.volume : nil,
            isCritical: isCritical)
        switch choice {
        case .none: return nil
        case .file(let path): request.path = path
        case .name(let name): request.name = name
        }
        return request
    }

    private static func choice(of source: NotificationSound.Source) -> SoundChoice {
        switch source {
        case .named(let name) where name.hasPrefix("/"): .file(name)
        case .named(let name): .theme(name)
        case .standard, .ringtone, .ringtoneNamed: .standard
        }
    }

    private static func standardName(of sound: NotificationSound) -> String {
        switch sound.source {
        case .ringtone, .ringtoneNamed: "phone-incoming-call"
        case .standard, .named: sound.isCritical ? "dialog-warning" : "message-new-instant"
        }
    }
}
