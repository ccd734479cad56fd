/// The command line of notify-send(1), read by the rules of GLib's option parser.
///
/// Options and words may be mixed before `--`, and short options may be joined. An option's value
/// is the next word, or the text after `=` for a long name. The messages are those of
/// GLib and notify-send.
///
/// Source: libnotify 0.8.1, and `GOptionContext`.
struct NotifySendArguments: Hashable {
    enum Request: Hashable {
        case help
        case version
        case notification(NotifySendArguments)
    }

    struct Failure: Error, Hashable {
        var message: String

        init(_ message: String) {
            self.message = message
        }
    }

    var summary = ""
    var body = ""
    var urgency: UInt8 = 1
    /// The time until the popup expires, in milliseconds; -1 lets the server choose, 0 means never.
    var expireTime: Int32 = -1
    var appName = "notify-send"
    var icon = ""
    /// The icon of the app; this option comes from libnotify 0.8.4.
    var appIcon: String?
    var category = ""
    var isTransient = false
    /// The hints as given, `TYPE:NAME:VALUE`.
    var hints: [String] = []
    var printsID = false
    var replaces: Int32 = 0
    var waits = false
    /// The actions as given, `[NAME=]Text`.
    var actions: [String] = []

    private var isVersion = false

    static func parse(_ arguments: [String]) throws(Failure) -> Request {
        var result = NotifySendArguments()
        var words: [String] = []
        var rest = arguments[...]
        while let text = rest.popFirst() {
            if text == "--" {
                words += rest
                break
            } else if text == "--help" {
                return .help
            } else if text.hasPrefix("--") {
                try result.long(text, &rest)
            } else if text.hasPrefix("-"), text != "-" {
                if try result.short(text, &rest) { return .help }
            } else {
                words.append(text)
            }
        }
        if result.isVersion { return .version }
        guard let summary = words.first, !summary.isEmpty else {
            throw Failure("No summary specified.")
        }
        guard words.count <= 2 else { throw Failure("Invalid number of options.") }
        result.summary = summary
        result.body = try words.count == 2 ? unescaped(words[1]) : ""
        return .notification(result)
    }

    private mutating func long(
        _ text: String, _ rest: inout ArraySlice<String>
    ) throws(Failure) {
        let name = text.dropFirst(2).prefix { $0 != "=" }
        guard let option = Option.all.first(where: { $0.name == name }) else {
            throw Failure("Unknown option \(text)")
        }
        let isAssigned = text.utf8.count > name.utf8.count + 2
        guard option.takesValue, !isAssigned else {
            return try set(option, String(text.dropFirst(name.count + 3)), "--\(name)")
        }
        guard let value = rest.popFirst() else { throw Failure("Missing argument for --\(name)") }
        try set(option, value, "--\(name)")
    }

    /// Reads joined short options; returns whether help is requested.
    private mutating func short(
        _ text: String, _ rest: inout ArraySlice<String>
    ) throws(Failure) -> Bool {
        var hasValue = false
        var isKnown = true
        for letter in text.dropFirst() {
            if letter == "?" { return true }
            guard let option = Option.all.first(where: { $0.letter == letter }) else {
                isKnown = false
                continue
            }
            guard option.takesValue else {
                try set(option, "", "-\(letter)")
                continue
            }
            guard !hasValue else { throw Failure("Error parsing option -\(letter)") }
            guard let value = rest.popFirst() else {
                throw Failure("Missing argument for -\(letter)")
            }
            hasValue = true
            try set(option, value, "-\(letter)")
        }
        guard isKnown else { throw Failure("Unknown option \(text)") }
        return false
    }

    private mutating func set(
        _ option: Option, _ value: String, _ name: String
    ) throws(Failure) {
        switch option.kind {
        case .flag(let path): self[keyPath: path] = true
        case .text(let path): self[keyPath: path] = value
        case .optionalText(let path): self[keyPath: path] = value
        case .list(let path): self[keyPath: path].append(value)
        case .number(let path): self[keyPath: path] = try Self.number(value, name)
        case .urgency:
            guard let level = ["low", "normal", "critical"].firstIndex(of: value.lowercased())
            else {
                throw Failure(
                    "Unknown urgency \(value) specified. Known urgency levels: low, normal, "
                        + "critical.")
            }
            urgency = UInt8(level)
        case .version: isVersion = true
        }
    }

    /// The text without its escapes, as `g_strcompress` of GLib reads them.
    ///
    /// An escape is one of C's letters, or up to three octal digits for one byte. The byte 0 ends
    /// the text. A backslash before any other character, or at the end, is left out.
    private static func unescaped(_ text: String) throws(Failure) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
            rest = rest.dropFirst(digits.count)
            if digits.isEmpty {
                if let letter = rest.popFirst() { bytes.append(escapes[letter] ?? letter) }
                continue
            }
            // A number above 255 wraps around, as a byte of C does.
            let value = digits.reduce(UInt8(0)) { $0 &* 8 &+ ($1 - 0x30) }
            if value == 0 { break }
            bytes.append(value)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("Invalid byte sequence in conversion input")
        }
        return text
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0B,
    ]

    /// Reads a whole number as strtol(3) does with base 0: in decimal, hexadecimal or octal.
    private static func number(_ text: String, _ option: String) throws(Failure) -> Int32 {
        var digits = text.drop { $0.isWhitespace }
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        var base = 10
        if digits.lowercased().hasPrefix("0x") {
            (base, digits) = (16, digits.dropFirst(2))
        } else if digits.hasPrefix("0") {
            base = 8
        }
        guard let first = digits.first, first != "+", first != "-",
            digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? 16) < base })
        else { throw Failure("Cannot parse integer value “\(text)” for \(option)") }
        guard let value = Int32((isNegative ? "-" : "") + digits, radix: base) else {
            throw Failure("Integer value “\(text)” for \(option) out of range")
        }
        return value
    }
}

extension NotifySendArguments {
    private struct Option {
        enum Kind {
            case flag(WritableKeyPath<NotifySendArguments, Bool>)
            case text(WritableKeyPath<NotifySendArguments, String>)
            case optionalText(WritableKeyPath<NotifySendArguments, String?>)
            case list(WritableKeyPath<NotifySendArguments, [String]>)
            case number(WritableKeyPath<NotifySendArguments, Int32>)
            case urgency
            case version
        }

        var name: String
        var letter: Character
        var kind: Kind

        var takesValue: Bool {
            switch kind {
            case .flag, .version: false
            case .text, .optionalText, .list, .number, .urgency: true
            }
        }

        static var all: [Option] {
            [
                Option(name: "urgency", letter: "u", kind: .urgency),
                Option(name: "expire-time", letter: "t", kind: .number(\.expireTime)),
                Option(name: "app-name", letter: "a", kind: .text(\.appName)),
                Option(name: "icon", letter: "i", kind: .text(\.icon)),
                Option(name: "app-icon", letter: "n", kind: .optionalText(\.appIcon)),
                Option(name: "category", letter: "c", kind: .text(\.category)),
                Option(name: "transient", letter: "e", kind: .flag(\.isTransient)),
                Option(name: "hint", letter: "h", kind: .list(\.hints)),
                Option(name: "print-id", letter: "p", kind: .flag(\.printsID)),
                Option(name: "replace-id", letter: "r", kind: .number(\.replaces)),
                Option(name: "wait", letter: "w", kind: .flag(\.waits)),
                Option(name: "action", letter: "A", kind: .list(\.actions)),
                Option(name: "version", letter: "v", kind: .version),
            ]
        }
    }
}

enum NotifySendHelp {
    static let text = """
        Usage:
          notify-send [OPTION…] <SUMMARY> [BODY] - create a notification

        Help Options:
          -?, --help                        Show this help

        Application Options:
          -u, --urgency=LEVEL               The urgency: low, normal or critical
          -t, --expire-time=TIME            Milliseconds until the popup closes; 0: never, -1: the server chooses
          -a, --app-name=APP_NAME           The name of the app
          -i, --icon=ICON                   A theme icon's name, or a picture's path
          -n, --app-icon=ICON               The icon of the app
          -c, --category=TYPE[,TYPE...]     The kind of notification
          -e, --transient                   Have the server keep no history of the notification
          -h, --hint=TYPE:NAME:VALUE        Further data; types are boolean, int, double, string, byte and variant
          -p, --print-id                    Print the server's number of the notification
          -r, --replace-id=REPLACE_ID       The number of the notification to replace
          -w, --wait                        Wait until the notification is closed
          -A, --action=[NAME=]Text...       A button to wait for; prints its name or its position, counted from 0
          -v, --version                     Print the version

        This is tocsin. 'tocsin help' shows what else it can do.

        """
}
