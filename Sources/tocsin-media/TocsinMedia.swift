internal import Glibc
internal import NotificationModel

/// Decodes one image, or plays one sound, in a separate process.
///
/// The input may be hostile. The process that decodes confines itself first, so an exploit cannot
/// reach beyond that process. The daemon starts this program, and a user can run it in a terminal.
@main
enum TocsinMedia {
    private static let help = """
        USAGE: tocsin-media image FILE [--part X,Y,WIDTH,HEIGHT] [--frame NUMBER] [--as png]
               tocsin-media sound NAME [--file FILE] [--volume 0...1]

        image: writes the pixels of a PNG, JPEG, GIF or WebP file to standard output, at most
        256 a side: "RGBA", width and height in 32 bits each, lowest byte first, then four bytes
        for each pixel. With --as png: "PNG ", width and height, then a PNG file.
        sound: plays FILE, or without a usable FILE the sound theme's sound NAME.

        Exit status: 0 done; 64 usage; 65 the file is refused; 69 no decoder or no sound system.

        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--help"] {
            write(help, to: STDOUT_FILENO)
        } else if arguments == ["--version"] {
            write(Version.current + "\n", to: STDOUT_FILENO)
        } else if let request = ImageRequest(arguments: arguments) {
            perform { () throws(Refusal) in try ImageFile(request.path).write(request) }
        } else if let request = SoundRequest(arguments: arguments) {
            perform { () throws(Refusal) in try SoundPlayer(request: request).play() }
        } else {
            write(help, to: STDERR_FILENO)
            exit(EX_USAGE)
        }
    }

    private static func perform(_ work: () throws(Refusal) -> Void) {
        do {
            try work()
        } catch {
            write("tocsin-media: \(error.message)\n", to: STDERR_FILENO)
            exit(error.status)
        }
    }

    /// Writes a text, and ignores a failure, because no other output is left.
    static func write(_ text: String, to descriptor: Int32) {
        _ = WholeWrite.send(Array(text.utf8)[...], to: descriptor)
    }
}
