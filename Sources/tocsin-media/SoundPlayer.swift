internal import CMedia
internal import Glibc
internal import NotificationModel

/// Plays a sound file, or the sound theme's sound if the file cannot be played.
struct SoundPlayer {
    /// The longest sound, in seconds.
    private static let longest = Int32(Limits.soundLength.most)
    private static let limits = cmedia_limits(address_space: 1 << 30, cpu: 5, file: 64 << 20)
    /// The sounds to play if the theme lacks the requested name.
    private static let standardNames = ["message-new-instant", "dialog-information", "bell"]

    let request: SoundRequest

    func play() throws(Refusal) {
        // 0 is silent, and 1 is the volume that the user has set.
        if let volume = request.volume, volume <= 0 { return }
        if let path = request.path {
            do {
                return try playFile(path)
            } catch {
                TocsinMedia.write("tocsin-media: \(error.message)\n", to: STDERR_FILENO)
            }
        }
        try playTheme()
    }

    private func playTheme() throws(Refusal) {
        for name in [request.name] + Self.standardNames {
            if try start(name, path: nil) { return }
        }
        // libcanberra reports a missing sound card as if the theme lacked the sound.
        throw .unavailable(
            "There is no sound card, or the sound theme lacks "
                + "\(request.name.quotedForMessage()) and all standard sounds "
                + "(\(Self.standardNames.joined(separator: ", "))). Check the sound of another "
                + "program, or install a sound theme, such as Debian's sound-theme-freedesktop.")
    }

    /// Decodes the file first, because libcanberra reads few formats.
    private func playFile(_ path: String) throws(Refusal) {
        let file: OpenFile
        do throws(NotificationError) {
            // The files of sound themes are often links, and `OpenFile` follows no links.
            file = try OpenFile(path: Self.real(path))
        } catch {
            throw .file(error.message)
        }
        guard file.size <= Limits.soundFile.most else {
            throw .file("The sound \(path.quotedForMessage()) is too large to be played.")
        }
        var limits = Self.limits
        var wave: Int32 = -1
        if let reason = cmedia_decode_sound(file.descriptor, Self.longest, &limits, &wave) {
            throw .file(
                "The sound \(path.quotedForMessage()) cannot be played: "
                    + "\(String(cString: reason)).")
        }
        defer { close(wave) }
        guard try start(request.name, path: "/proc/self/fd/\(wave)") else {
            throw .unavailable("libcanberra did not find the sound \(path.quotedForMessage()).")
        }
    }

    private static func real(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Plays a sound; returns false if there is no such sound.
    private func start(_ name: String, path: String?) throws(Refusal) -> Bool {
        let decibels = 20 * log10(Double(request.volume ?? 1))
        var reason: UnsafePointer<CChar>?
        switch cmedia_play(name, path, "\(decibels)", Self.longest * 1_000, &reason) {
        case CMEDIA_PLAYED, CMEDIA_TOO_LONG: return true
        case CMEDIA_UNKNOWN_NAME: return false
        default:
            let problem = reason.map { String(cString: $0) } ?? "no reason was given"
            throw .unavailable(
                "The sound system did not play: \(problem). Check the sound of another program.")
        }
    }
}
