/// The file that Flatpak writes at the root of an app's sandbox; it names the app.
///
/// Source: flatpak-metadata(5), group Application, key name.
package enum FlatpakInfo {
    /// The path of the file, as the app sees it.
    package static let path = "/.flatpak-info"

    /// The app's id, or nil if the text names none.
    package static func application(in text: String) -> String? {
        var group: Substring = ""
        // Split by scalars: a carriage return and its line feed are one `Character`, which does not
        // equal a line feed.
        for scalars in text.unicodeScalars.split(separator: "\n") {
            let line = Substring(scalars.last == "\r" ? scalars.dropLast() : scalars)
            if line.hasPrefix("[") {
                group = line
            } else if group == "[Application]", line.hasPrefix("name=") {
                return String(line.dropFirst("name=".count))
            }
        }
        return nil
    }
}
