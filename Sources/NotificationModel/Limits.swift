/// A bound on a value from outside, and the parts of the message for a value beyond the bound.
package struct Limit: Hashable, Sendable {
    /// The bounded quantity, as a message names it: "size", "number of attachments".
    package let what: String
    /// The smallest and the largest value.
    package let range: ClosedRange<Int64>
    /// Whether every value must be greater than the smallest value of `range`.
    package let excludesLeast: Bool
    /// The unit of the values, in the plural; empty for a plain number.
    package let unit: String
    /// The kind of error for a value beyond the bounds.
    package let code: NotificationError.Code
    /// The advice to the caller.
    package let remedy: String

    init(
        _ what: String, _ range: ClosedRange<Int64>, excludesLeast: Bool = false,
        unit: String = "", code: NotificationError.Code = .invalidArgument, _ remedy: String
    ) {
        self.what = what
        self.range = range
        self.excludesLeast = excludesLeast
        self.unit = unit
        self.code = code
        self.remedy = remedy
    }

    package var most: Int { Int(clamping: range.upperBound) }

    /// Checks a value; `subject` is the owner of the value in messages, such as "the push".
    ///
    /// - Throws: `code` if the value is beyond the bounds.
    package func check(
        _ value: some BinaryInteger, of subject: @autoclosure () -> String
    ) throws(NotificationError) {
        guard contains(value) else { throw refusal("\(value)", of: subject()) }
    }

    /// Checks a number with a fraction; a number that is not finite is beyond every bound.
    ///
    /// - Throws: `code` if the value is beyond the bounds.
    package func check(
        _ value: Double, of subject: @autoclosure () -> String
    ) throws(NotificationError) {
        guard contains(value) else { throw refusal("\(value)", of: subject()) }
    }

    /// Whether a value lies within the bounds.
    package func contains(_ value: some BinaryInteger) -> Bool {
        guard let number = Int64(exactly: value) else { return false }
        return range.contains(number) && !(excludesLeast && number == range.lowerBound)
    }

    /// Whether a number with a fraction lies within the bounds.
    package func contains(_ value: Double) -> Bool {
        guard value.isFinite, value <= Double(range.upperBound) else { return false }
        let least = Double(range.lowerBound)
        return excludesLeast ? value > least : value >= least
    }

    /// Checks the value of a field by its kind.
    ///
    /// The bound counts the seconds of a date, the bytes of a text or of data, and the elements of
    /// a list.
    func check(
        _ value: RecordValue, of subject: @autoclosure () -> String
    ) throws(NotificationError) {
        switch value {
        case .integer(let number): try check(number, of: subject())
        case .int32(let number): try check(number, of: subject())
        case .byte(let number): try check(number, of: subject())
        case .bits(let bits): try check(bits, of: subject())
        case .real(let number): try check(number, of: subject())
        case .instant(let date), .date(let date, _):
            // Round down, so that even one microsecond before 1970 is beyond `Limits.date`.
            try check(date.wholeSeconds, of: subject())
        case .string(let text): try check(text.utf8.count, of: subject())
        case .data(let bytes): try check(bytes.count, of: subject())
        case .strings(let texts): try check(texts.count, of: subject())
        case .list(let values): try check(values.count, of: subject())
        case .records(let records): try check(records.count, of: subject())
        case .record, .tree, .boolean, .null, .unsuitable: break
        }
    }

    /// The message for a subject that exceeds the bound.
    ///
    /// The message names no exact value, because the code that reads a value stops at the bound.
    package func excess(of subject: String) -> String {
        "\(subject) has more than \(most) \(unit). \(remedy)."
    }

    /// The text cut at the bound.
    ///
    /// The bound counts Unicode scalars, because a `Character` has no maximum length.
    package func cut(_ text: some Sequence<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(text.prefix(most)))
    }

    /// The largest value as a duration.
    ///
    /// The unit of the limit must be seconds.
    package var duration: Duration { .seconds(range.upperBound) }

    private func refusal(_ value: String, of subject: String) -> NotificationError {
        let unit = unit.isEmpty ? "" : " " + unit
        let (least, most) = (range.lowerBound, range.upperBound)
        // A size is never negative, so its message names only the largest value.
        let start = least != 0 || value.hasPrefix("-") ? "from \(least) to" : "at most"
        let bounds = "\(excludesLeast ? "more than \(least) and at most" : start) \(most)"
        return NotificationError(
            code,
            "The \(what) of \(subject) is \(value)\(unit); it must be \(bounds). \(remedy).")
    }
}

/// Every bound on a value that comes from outside.
///
/// Each bound is one row. The check, its message and the article "Limits" follow from the row.
package enum Limits {
    // MARK: Requests

    package static let identifier = Limit(
        "length of the identifier", 1...1_024, unit: "bytes", "Use an identifier of that length")
    package static let payload = Limit(
        "size without attachments", 0...262_144, unit: "bytes", "Shorten its texts or userInfo")
    package static let attachments = Limit(
        "number of attachments", 0...16, code: .attachmentInvalid, "Attach fewer files")
    private static func attached(_ what: String, at most: Int64) -> Limit {
        Limit(
            "size of an attached \(what)", 0...most, unit: "bytes", code: .attachmentTooLarge,
            "Attach a smaller file")
    }

    package static let imageFile = attached("image", at: 10_485_760)
    package static let audioFile = attached("sound", at: 5_242_880)
    package static let movieFile = attached("film", at: 52_428_800)
    package static let depth = Limit(
        "depth of userInfo", 0...16, unit: "levels", "Store nested data as bytes")
    package static let badge = Limit(
        "badge", 0...Int64(Int32.max), code: .badgeInvalid,
        "Use 0 to remove the badge, or a number in that range")
    package static let summaryCount = Limit(
        "summaryArgumentCount", 0...Int64(Int32.max),
        "Use the number of things that the notification represents")
    package static let urgency = Limit("urgency", 0...2, "Use 0, 1 or 2")
    package static let grace = Limit(
        "grace", 0...longestSpan, unit: "seconds", "Leave the grace out to allow any lateness")
    package static let date = Limit(
        "date", 0...253_402_300_799, unit: "seconds since 1970", "Use a date from 1970 to 9999")
    package static let interval = Limit(
        "time interval", 0...longestSpan, excludesLeast: true, unit: "seconds",
        "Use more than 0 seconds and at most 1000 years")
    package static let repeatedInterval = Limit(
        "time interval of the repeating trigger", 60...longestSpan, unit: "seconds",
        "Use at least 60 seconds for a repeating trigger")
    /// A circle of this radius covers almost the whole Earth, whose circumference is 40,075 km.
    package static let radius = Limit(
        "radius of the region", 1...20_000_000, unit: "metres", "Use a smaller circle")
    package static let ruleText = Limit(
        "length of the rule", 1...1_024, unit: "bytes", "Split it into several requests")
    package static let ruleCount = Limit(
        "number of times to fire", 1...1_000_000, "Leave the number out to repeat without end")
    package static let ruleList = Limit(
        "number of elements in a list of a rule", 1...240, "Use ranges and repetitions")
    package static let ruleDays = Limit("step of a rule in days", 1...3_660, ruleStep)
    package static let ruleWeeks = Limit("step of a rule in weeks", 1...520, ruleStep)
    package static let ruleMonths = Limit("step of a rule in months", 1...1_200, ruleStep)
    package static let ruleYears = Limit("step of a rule in years", 1...100, ruleStep)
    private static let ruleStep = "Use a shorter step"
    package static let zoneName = Limit(
        "length of a time zone's name", 1...128, unit: "bytes", "Use a name of tzdata")

    /// 1,000 years, in seconds; each year counts as a leap year.
    private static let longestSpan: Int64 = 1_000 * 366 * 86_400

    // MARK: Calls

    package static let call = Limit(
        "size of the call", 0...2_097_152, unit: "bytes", code: .limitReached, "Make several calls")
    package static let requestsOfCall = Limit(
        "number of requests or identifiers of one call", 0...1_024, code: .limitReached,
        "Nothing was changed: make several calls")
    package static let page = Limit(
        "number of notifications of a page", 1...1_024,
        "Leave the number out, or read several pages")
    package static let pushPayload = Limit(
        "size of the push payload", 0...4_096, unit: "bytes",
        "Shorten it, or let the app fetch the rest")
    /// RFC 8030, section 7.2: every push service takes messages of this size.
    package static let pushMessage = Limit(
        "size of an encrypted push message", 1...4_096, unit: "bytes", "The message is ignored")
    package static let pushToken = Limit(
        "length of the token of a push registration", 1...100, unit: "bytes",
        "A call with this token has no effect")
    /// The URL for ntfy contains the topic of each registration; a proxy may limit a URL to 8 KB.
    package static let pushRegistrations = Limit(
        "number of push registrations", 0...500, code: .limitReached,
        "Uninstall apps that are not used any more")
    package static let pushEndpoint = Limit(
        "length of a push endpoint", 1...1_000, unit: "bytes", "The endpoint is ignored")
    package static let pushMessageID = Limit(
        "length of a push message's id", 0...1_024, unit: "bytes", "The message is ignored")
    /// A push service keeps a message for at most four weeks, so older keys are not needed.
    package static let pushKeyAge = Limit(
        "time for which the keys of received pushes are kept", 0...2_592_000, unit: "seconds",
        "The oldest are dropped first")
    package static let pushKeys = Limit(
        "number of keys of received pushes that are kept", 0...10_000,
        "The oldest are dropped first")
    package static let collapseIdentifier = Limit(
        "length of the collapse identifier", 1...64, unit: "bytes",
        "Use an identifier of that length")

    // MARK: Apps

    package static let apps = Limit(
        "number of apps", 0...1_024, code: .limitReached,
        "Remove the notifications of apps that are not used any more")
    package static let appsOfProgram = Limit(
        "number of different apps in the calls", 0...256, code: .limitReached,
        "Use one program for each app")
    package static let sessions = Limit(
        "number of connected apps", 0...64, code: .limitReached, "Disconnect some of them first")
    package static let identity = Limit(
        "size of the identity", 0...65_536, unit: "bytes", "Shorten its texts and arguments")
    package static let name = Limit(
        "length of an app's name", 0...256, unit: "characters", "Shorten it")
    package static let commandArguments = Limit(
        "number of arguments that an app is started with", 0...256, "Pass fewer arguments")
    package static let commandSize = Limit(
        "size of the command that starts an app", 0...32_768, unit: "bytes",
        "Pass shorter arguments")
    package static let awaited = Limit(
        "number of awaited identifiers", 0...4_096,
        "Wait for all responses of the app instead")
    package static let callers = Limit(
        "number of programs whose rights are remembered", 0...1_024, "The oldest are dropped first")
    package static let reports = Limit(
        "number of recorded items that D-Bus cannot carry", 0...1_024,
        "Further items get no record")
    package static let categories = Limit(
        "number of categories", 0...1_024, code: .limitReached, "Share categories among requests")
    package static let actions = Limit("number of actions", 0...64, "Offer fewer actions")
    package static let categoriesSize = Limit(
        "size of the categories", 0...1_048_576, unit: "bytes", code: .limitReached,
        "Shorten their texts, or use fewer of them")
    package static let categoriesOfStore = Limit(
        "size of the categories of all apps", 0...67_108_864, unit: "bytes", code: .limitReached,
        "Remove the categories of apps that are not used any more")

    // MARK: The store

    package static let pending = Limit(
        "number of pending requests of an app", 0...100_000, code: .limitReached,
        "Remove some, or use a repeating trigger")
    package static let regions = Limit(
        "number of region requests", 0...1_000, code: .limitReached, "Remove some")
    package static let bytesOfApp = Limit(
        "size of an app's requests and attachments", 0...1_073_741_824, unit: "bytes",
        code: .limitReached, "Remove some of them, or attach smaller files")
    package static let bytesOfStore = Limit(
        "size of all requests and attachments", 0...4_294_967_296, unit: "bytes",
        code: .limitReached,
        "Remove requests or delivered notifications with attachments")
    package static let addBurst = Limit(
        "number of requests that an app adds at once", 0...120_000, code: .limitReached,
        "Add the others later")
    package static let addsPerSecond = Limit(
        "number of requests that an app adds in a second after a burst", 0...1_000,
        code: .limitReached, "Add the others later")
    package static let delivered = Limit(
        "number of delivered notifications that are kept for an app", 0...100,
        "The oldest are dropped first")
    package static let deliveredAge = Limit(
        "time for which delivered notifications and records are kept", 0...604_800, unit: "seconds",
        "The oldest are dropped first")
    package static let records = Limit(
        "number of records that are kept", 0...1_000, "The oldest are dropped first")
    package static let recordsOfApp = Limit(
        "number of records that are kept for an app", 0...100, "The oldest are dropped first")
    package static let inbox = Limit(
        "number of notifications that wait for a login", 0...1_000, code: .limitReached,
        "Remove some, or log in first")
    package static let inboxFile = Limit(
        "size of a notification that waits for a login", 0...1_048_576, unit: "bytes",
        "Shorten its texts")

    // MARK: The desktop

    /// A bound beyond which a text is cut off.
    private static func cut(_ what: String, at most: Int64) -> Limit {
        Limit(what, 0...most, unit: "characters", "The rest is cut off")
    }

    package static let screenLine = cut("length of a line that the desktop shows", at: 512)
    package static let screenText = cut("length of a text that the desktop shows", at: 8_192)
    package static let dialogText = cut("length of the text of a dialog", at: 2_000)
    package static let dialogTitle = cut("length of the title of a dialog", at: 200)
    package static let dialogButton = cut("length of the label of a dialog's button", at: 80)
    package static let reply = cut("length of a typed reply", at: 65_536)
    /// The token becomes an environment variable, whose length execve(2) bounds.
    package static let activationToken = Limit(
        "length of an activation token", 1...4_096, unit: "bytes", "The app gets no token")
    package static let capabilities = Limit(
        "number of capabilities of a notification server", 0...256, "The others are ignored")
    /// Only a broken server sends more early signals.
    package static let earlySignals = Limit(
        "number of signals for popups that are not known yet", 0...256, "The others are ignored")
    package static let crashes = Limit(
        "number of remembered popups of servers that died", 0...1_024,
        "All of them are forgotten")
    package static let openQuestions = Limit(
        "number of unanswered questions to apps", 0...1_024, "The oldest are dropped first")

    // MARK: Files and other programs

    /// `tocsin-media` refuses a longer side; the largest image therefore has 64 Mi pixels.
    package static let imageSide = Limit(
        "longest side of an image", 1...8_192, unit: "pixels", "Attach a smaller copy")
    /// This is enough for half a minute of uncompressed sound.
    package static let soundFile = Limit(
        "size of a sound file", 0...67_108_864, unit: "bytes", "The desktop's own sound is played")
    /// Apple has the same limit.
    package static let soundLength = Limit(
        "length of a sound", 0...30, unit: "seconds", "The rest is not played")
    package static let translations = Limit(
        "size of an app's Localizable.strings", 0...4_194_304, unit: "bytes", "It is not read")
    /// The largest file of tzdata has 4 KB.
    package static let zoneFile = Limit(
        "size of a time zone's file", 0...262_144, unit: "bytes", "It is not read")
    /// A file of a call, an app, a desktop entry or a sandbox may lie on a file system that hangs.
    package static let fileWait = Limit(
        "time for which a file system may hang", 0...5, unit: "seconds",
        code: .attachmentInvalid, "Copy the file to a local disk first")
    /// A larger file probably holds an image of over 512 pixels a side, which portals refuse.
    package static let portalFile = Limit(
        "size of a file that is sent to a portal", 0...2_097_152, unit: "bytes", "It is left out")
    package static let quickActions = Limit(
        "number of quick actions", 0...32, "Further ones are left out")
    package static let configurationFile = Limit(
        "size of a configuration file", 0...1_048_576, unit: "bytes", "It is not read")
    package static let sandboxFile = Limit(
        "size of the file that describes a sandbox", 0...65_536, unit: "bytes",
        "The program counts as an unknown sandbox")
    package static let programOutput = Limit(
        "size of what a program writes to standard output", 0...1_048_576, unit: "bytes",
        code: .protocolViolation, "Run it in a terminal to see why")
    package static let programFile = Limit(
        "size of a file that a program writes", 0...67_108_864, unit: "bytes",
        "The program is ended")

    /// tzdata has fewer zones.
    package static let zones = Limit(
        "number of time zones that are remembered", 0...1_000, "All of them are read again")

    // MARK: The command line

    private static let standardInputSize: Int64 = 240_000

    /// The limit is smaller than `payload`, so that the other parts of the request have room.
    package static let standardInput = Limit(
        "size of a text on standard input", 0...standardInputSize, unit: "bytes",
        "Send its beginning, for example with 'head -c \(standardInputSize)', or attach it as a file"
    )
    package static let forecast = Limit(
        "number of dates that 'next' gives", 1...100_000, "Begin later with '--after'")
    package static let shownDates = Limit(
        "number of dates that 'show' gives", 1...1_000, "Ask 'next' for more")
    package static let inputLine = Limit(
        "length of an imported line", 0...1_048_576, unit: "bytes",
        "Write one JSON object per line")
    package static let hintDepth = Limit(
        "depth of a hint", 0...32, unit: "levels", "Use a simpler value")
    package static let clickCommand = Limit(
        "length of a click's command", 1...32_768, unit: "bytes", "Put it into a script")
    /// The reply becomes an environment variable, whose length execve(2) bounds.
    package static let commandReply = cut(
        "length of a reply that a click's command gets", at: 30_000)
    package static let clickCommands = Limit(
        "number of notifications with commands", 0...10_000, "Remove some of them first")
    package static let calendar = Limit(
        "size of a calendar", 0...16_777_216, unit: "bytes", "Import it in parts")
    package static let calendarDepth = Limit(
        "depth of a calendar", 0...8, unit: "levels", "Deeper components are not read")
    package static let calendarText = cut("length of the text of an event", at: 2_000)
    package static let calendarAlarms = Limit(
        "number of alarms of an event", 0...32, "Delete the alarms that you do not need")
    package static let calendarDates = Limit(
        "number of dates of an event without a rule", 0...64,
        "Import the event again when the imported dates are over")
    package static let calendarInterval = Limit(
        "INTERVAL of a recurring event", 1...1_000, "Give the event single dates")
    package static let calendarCount = Limit(
        "number of times that an event recurs", 0...100_000, "Later ones are left out")
    /// The limit is about three centuries.
    package static let calendarSpan = Limit(
        "length of an event", 0...10_000_000_000, unit: "seconds", "Use a shorter one")
}
