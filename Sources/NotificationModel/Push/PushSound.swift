/// The key `sound` of a push: a name, or a dictionary for critical alerts.
enum PushSound {
    static func read(_ aps: PushDictionary) throws(NotificationError) -> NotificationSound? {
        if case .string(let name)? = aps.entries["sound"] {
            // APNs senders write an empty name for silence.
            return name.isEmpty ? nil : NotificationSound(source(name))
        }
        guard let sound = try aps.dictionary("sound", or: "a string") else { return nil }
        let isCritical = try sound.flag("critical")
        let volume = try sound.number("volume").map { Float(min(max($0, 0), 1)) }
        return NotificationSound(
            source(try sound.text("name") ?? "default"), isCritical: isCritical,
            volume: isCritical ? volume : nil)
    }

    private static func source(_ name: String) -> NotificationSound.Source {
        // A push comes from outside: it names a sound of the app, never a file of the user's.
        name == "default" || name.hasPrefix("/") ? .standard : .named(name)
    }
}
