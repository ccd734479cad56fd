internal import DesktopBus
internal import NotificationModel

/// The sound of a popup; `NotificationContent.isAudible` says which notifications have one.
struct PopupSound {
    /// The sound to play for a server that plays no sounds; nil for silence.
    let request: SoundRequest?
    private let standardName: String

    init(of presentation: Presentation) {
        let content = presentation.notification.request.content
        let isAlarm = content.interruptionLevel == .critical
        let sound = content.sound ?? NotificationSound(.standard, isCritical: isAlarm)
        standardName = Self.standardName(of: sound)
        guard presentation.options.contains(.sound), content.isAudible else {
            self.request = nil
            return
        }
        var request = SoundRequest(
            name: standardName, volume: sound.isCritical ? sound.volume : nil,
            isCritical: isAlarm || sound.isCritical)
        switch presentation.sound ?? Self.choice(of: sound.source) {
        case .file(let path): request.path = path
        case .theme(let name): request.name = name
        case .standard: break
        }
        self.request = request
    }

    /// The hint for a server that plays sounds.
    ///
    /// Names come from the freedesktop sound naming specification; a path becomes `sound-file`.
    /// There is no hint for a volume.
    var hint: (name: String, value: BusValue) {
        guard let request else { return ("suppress-sound", .bool(true)) }
        guard let path = request.path else { return ("sound-name", .string(request.name)) }
        return ("sound-file", .string(path))
    }

    /// The sound for a portal of version 2, which takes some kinds of files, but no sound names.
    ///
    /// If the portal cannot play the sound, the value is `silent`, and `requestBesidePortal` has
    /// the sound.
    var portalSound: PortalNotification.Sound {
        guard let request else { return .silent }
        if let path = request.path { return Self.isPortalFile(path) ? .file(path) : .silent }
        return request.name == standardName ? .standard : .silent
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
