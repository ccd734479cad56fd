/// What Flatpak writes about an app at the root of its sandbox.
///
/// Source: flatpak-metadata(5), group Application, key name.
package enum FlatpakInfo {
    /// Where it lies, as the app sees it.
    package static let path = "/.flatpak-info"

    /// The app's id, or nil where the text names none.
    package static func application(in text: String) -> String? {
        var group: Substring = ""
        // By scalars: a carriage return and its line feed are one character, and no line feed.
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
