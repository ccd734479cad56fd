import NotificationModel

/// A request with the `Codable` code that Swift synthesises, to compare with our records.
struct CodedRequest: Codable {
    struct Content: Codable {
        var title, subtitle, body: String
        var badge: Int?
        var sound: Sound?
        var attachments: [Attachment]
        var userInfo: [String: CodedValue]
        var categoryIdentifier: String
        var actions: [String]
        var reportsDismissal: Bool
        var threadIdentifier, launchImageName: String
        var targetContentIdentifier: String?
        var interruptionLevel: UInt
        var relevanceScore: Double
        var filters: String?
        var progress: Double?
        var summaryArgument: String
        var summaryArgumentCount: Int
        var localization: [String: Text]?
    }

    struct Sound: Codable {
        var name: String
        var isCritical: Bool
        var volume: Float?
    }

    struct Attachment: Codable {
        var identifier, path, type: String
        var options: [String: CodedValue]
    }

    struct Text: Codable {
        var key: String
        var arguments: [String]

        init(_ text: LocalizedText) {
            (key, arguments) = (text.key, text.arguments)
        }
    }

    enum Trigger: Codable {
        case interval(seconds: Double, repeats: Bool)
        case calendar([String: Int], repeats: Bool)
    }

    var identifier: String
    var content: Content
    var trigger: Trigger?
    var catchUp: String
    var grace: Double?

    /// Copies the values of a request of the model.
    init(_ request: NotificationRequest) {
        identifier = request.identifier
        content = Content(request.content)
        catchUp = request.catchUp.rawValue
        grace = request.grace
        switch request.trigger {
        case .interval(let seconds, let repeats):
            trigger = .interval(seconds: seconds, repeats: repeats)
        case .calendar(let components, let repeats):
            let parts = CalendarComponents.fields.compactMap { field in
                components[keyPath: field.path].map { (field.name, $0) }
            }
            trigger = .calendar(Dictionary(uniqueKeysWithValues: parts), repeats: repeats)
        default: trigger = nil
        }
    }
}

extension CodedRequest.Content {
    fileprivate init(_ content: NotificationContent) {
        (title, subtitle, body) = (content.title, content.subtitle, content.body)
        badge = content.badge
        sound = content.sound.map { sound in
            .init(name: "\(sound.source)", isCritical: sound.isCritical, volume: sound.volume)
        }
        attachments = content.attachments.map { attachment in
            .init(
                identifier: attachment.identifier, path: attachment.path, type: attachment.type,
                options: attachment.options.mapValues(CodedValue.init))
        }
        userInfo = content.userInfo.mapValues(CodedValue.init)
        categoryIdentifier = content.categoryIdentifier
        actions = content.actions.map(\.identifier)
        reportsDismissal = content.reportsDismissal
        (threadIdentifier, launchImageName) = (content.threadIdentifier, content.launchImageName)
        targetContentIdentifier = content.targetContentIdentifier
        interruptionLevel = content.interruptionLevel.rawValue
        relevanceScore = content.relevanceScore
        filters = content.filterCriteria
        progress = content.progress
        (summaryArgument, summaryArgumentCount) = (
            content.summaryArgument, content.summaryArgumentCount
        )
        localization = content.localization.map { texts in
            let all = [("title", texts.title), ("subtitle", texts.subtitle), ("body", texts.body)]
            return Dictionary(
                uniqueKeysWithValues: all.compactMap { name, text in
                    text.map { (name, CodedRequest.Text($0)) }
                })
        }
    }
}

/// A property-list value, coded under a key of its kind, so that decoding keeps a number's type.
enum CodedValue: Codable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case date(Int64)
    case data([UInt8])
    case array([CodedValue])
    case dictionary([String: CodedValue])

    init(_ value: PropertyListValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .boolean(let flag): .boolean(flag)
            case .date(let date, _): .date(date.microseconds)
            case .data(let bytes): .data(bytes)
            case .array(let values): .array(values.map(CodedValue.init))
            case .dictionary(let values): .dictionary(values.mapValues(CodedValue.init))
            }
    }

    private enum Kind: String, CodingKey {
        case string = "s"
        case integer = "i"
        case real = "r"
        case boolean = "b"
        case date = "t"
        case data = "d"
        case array = "a"
        case dictionary = "m"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a value without a kind"))
        }
        switch kind {
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .integer: self = .integer(try container.decode(Int64.self, forKey: kind))
        case .real:
            self = .real(Double(bitPattern: try container.decode(UInt64.self, forKey: kind)))
        case .boolean: self = .boolean(try container.decode(Bool.self, forKey: kind))
        case .date: self = .date(try container.decode(Int64.self, forKey: kind))
        case .data: self = .data(try container.decode([UInt8].self, forKey: kind))
        case .array: self = .array(try container.decode([Self].self, forKey: kind))
        case .dictionary:
            self = .dictionary(try container.decode([String: Self].self, forKey: kind))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .string(let value): try container.encode(value, forKey: .string)
        case .integer(let value): try container.encode(value, forKey: .integer)
        // Encode the bits, because JSON has no infinity and no NaN.
        case .real(let value): try container.encode(value.bitPattern, forKey: .real)
        case .boolean(let value): try container.encode(value, forKey: .boolean)
        case .date(let value): try container.encode(value, forKey: .date)
        case .data(let value): try container.encode(value, forKey: .data)
        case .array(let value): try container.encode(value, forKey: .array)
        case .dictionary(let value): try container.encode(value, forKey: .dictionary)
        }
    }
}
