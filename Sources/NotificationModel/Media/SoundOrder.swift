/// A sound that is to be played beside a popup, because its server plays none.
public struct SoundOrder: Hashable, Sendable {
    /// The name in the desktop's sound theme; the one that is played where the file cannot be.
    public var name: String
    /// The file's absolute path; nil for the theme's sound.
    public var path: String?
    /// From 0 to 1; nil for the person's own volume.
    public var volume: Float?
    /// Whether it is played under Do Not Disturb.
    public var isCritical: Bool

    /// Makes an order.
    public init(
        name: String, path: String? = nil, volume: Float? = nil, isCritical: Bool = false
    ) {
        self.name = name
        self.path = path
        self.volume = volume
        self.isCritical = isCritical
    }

    // MARK: The command line

    /// The arguments of the program that does it.
    public var arguments: [String] {
        var arguments = ["sound", name]
        if let path { arguments += ["--file", path] }
        if let volume { arguments += ["--volume", "\(volume)"] }
        return arguments
    }

    /// Reads them; nil where they are something else.
    public init?(arguments: [String]) {
        guard arguments.count >= 2, arguments[0] == "sound" else { return nil }
        self.init(name: arguments[1])
        var rest = arguments.dropFirst(2)
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--file": path = value
            case "--volume":
                guard let volume = Float(value), (0...1).contains(volume) else { return nil }
                self.volume = volume
            default: return nil
            }
        }
    }
}
