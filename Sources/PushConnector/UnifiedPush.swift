package import DesktopBus
internal import NotificationModel

/// The names and values of UnifiedPush on D-Bus.
///
/// Source: UnifiedPush/specifications, "D-Bus", DBUS_0.3.0 (versions 1 and 2 of the interfaces).
package enum UnifiedPush {
    /// The namespace of distributors' bus names; a dot and the distributor's own name follow.
    static let namespace = "org.unifiedpush.Distributor"
    /// The object of a distributor.
    package static let distributorPath: ObjectPath = "/org/unifiedpush/Distributor"
    /// The object that distributors call.
    package static let connectorPath: ObjectPath = "/org/unifiedpush/Connector"
    /// The most bytes of a description that a distributor accepts.
    private static let descriptionSize = 100

    /// A version of the interfaces.
    package enum Version: Int, Hashable, Sendable {
        /// The arguments have no names, and the distributor's calls to the connector expect no
        /// replies.
        case one = 1
        /// One dictionary as the argument, and one dictionary as the reply.
        case two = 2

        /// The interface of a distributor.
        package var distributor: InterfaceName {
            self == .two ? "org.unifiedpush.Distributor2" : "org.unifiedpush.Distributor1"
        }
        /// The interface that a distributor calls.
        package var connector: InterfaceName {
            self == .two ? "org.unifiedpush.Connector2" : "org.unifiedpush.Connector1"
        }

        /// The newest version in the introspection of a distributor; nil if the introspection has
        /// no known version.
        init?(introspection: String) {
            let known = [Version.two, .one].first {
                introspection.contains("\"\($0.distributor)\"")
            }
            guard let known else { return nil }
            self = known
        }
    }

    /// The distributor's own name: its bus name without the namespace.
    static func name(of distributor: String) -> String {
        distributor.hasPrefix(namespace + ".")
            ? String(distributor.dropFirst(namespace.count + 1)) : distributor
    }

    /// The bus name of a distributor; `name` may also be the whole bus name.
    static func busName(of name: String) -> String { "\(namespace).\(Self.name(of: name))" }

    /// An app's name as a description for a distributor, cut between two Unicode scalars.
    static func description(of name: String) -> String {
        var cut = String.UnicodeScalarView()
        var room = descriptionSize
        for scalar in name.unicodeScalars {
            room -= scalar.utf8.count
            guard room >= 0 else { break }
            cut.append(scalar)
        }
        return String(cut)
    }
}

/// A message from a distributor, in either version of the interface.
struct PushMessage: Hashable, Sendable {
    let token: String
    let body: [UInt8]
    /// The message's id; the reply repeats it.
    let id: String?

    /// The result is nil if the token or body is missing, or if a field has another type or exceeds
    /// its limit.
    init?(token: BusValue?, body: BusValue?, id: BusValue?) {
        guard let token = token?.stringValue, Limits.pushToken.contains(token.utf8.count),
            let body = body?.bytesValue, Limits.pushMessage.contains(body.count)
        else { return nil }
        if let id {
            guard let text = id.stringValue, Limits.pushMessageID.contains(text.utf8.count) else {
                return nil
            }
            self.id = text
        } else {
            self.id = nil
        }
        self.token = token
        self.body = body
    }
}

/// The endpoint of a registration, in either version of the interface.
struct PushEndpoint: Hashable, Sendable {
    let token: String
    let url: String

    /// The result is nil if a field is missing, has another type or exceeds its limit, or if the
    /// URL is unusable.
    init?(token: BusValue?, url: BusValue?) {
        guard let token = token?.stringValue, Limits.pushToken.contains(token.utf8.count),
            let url = url?.stringValue, Limits.pushEndpoint.contains(url.utf8.count),
            ["https://", "http://"].contains(where: url.hasPrefix),
            // A URL has only visible ASCII characters (RFC 3986, section 2).
            url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        self.token = token
        self.url = url
    }
}

enum RegisterOutcome: Hashable, Sendable {
    case succeeded
    case refused(RegisterFailure)
    /// The call failed, or its reply is unknown; the text explains the reason.
    case failed(String)

    init(_ result: Result<BusReply, BusError>, version: UnifiedPush.Version) {
        let reply: BusReply
        do {
            reply = try result.get()
        } catch {
            self = .failed(error.message)
            return
        }
        let (word, reason): (String?, String?) =
            switch version {
            case .two:
                Self.words(of: reply.arguments.first?.vardictValue ?? [:])
            case .one:
                (reply.arguments.first?.stringValue, reply.arguments.dropFirst().first?.stringValue)
            }
        switch word {
        case "REGISTRATION_SUCCEEDED": self = .succeeded
        case "REGISTRATION_FAILED", "REGISTRATION_REFUSED":
            let isFinal = word != "REGISTRATION_FAILED"
            self = .refused(RegisterFailure(word: reason ?? "", isFinal: isFinal))
        default:
            self = .failed(
                "it sent an unknown reply to Register. Choose another distributor with 'tocsin "
                    + "settings --push-distributor'.")
        }
    }

    private static func words(of answer: [String: BusValue]) -> (String?, String?) {
        (answer["success"]?.stringValue, answer["reason"]?.stringValue)
    }
}

/// The reason why a distributor does not register an app.
enum RegisterFailure: Hashable, Sendable {
    case internalError
    case network
    case actionRequired
    case vapidRequired
    case unauthorized
    /// Any other reason; in version 1, the reason is a text for the user.
    case other(String, isFinal: Bool)

    init(word: String, isFinal: Bool) {
        switch word {
        case "INTERNAL_ERROR": self = .internalError
        case "NETWORK": self = .network
        case "ACTION_REQUIRED": self = .actionRequired
        case "VAPID_REQUIRED": self = .vapidRequired
        case "UNAUTHORIZED": self = .unauthorized
        default: self = .other(String(word.prefix(200)), isFinal: isFinal)
        }
    }

    /// Whether a later attempt may succeed without an action of the user or the app.
    var isTemporary: Bool {
        switch self {
        case .internalError, .network: true
        case .actionRequired, .vapidRequired, .unauthorized: false
        case .other(_, let isFinal): !isFinal
        }
    }

    /// The reason and the remedy, as the end of a message.
    var explanation: String {
        switch self {
        case .internalError:
            "it reports an error of its own (INTERNAL_ERROR). The daemon tries again."
        case .network:
            "it has no network (NETWORK). The daemon tries again."
        case .actionRequired:
            "it needs an action of the user (ACTION_REQUIRED). Open its settings, and log in "
                + "there, or remove an app there. For the distributor 'tocsin', run "
                + "'tocsin-distributor --server URL'."
        case .vapidRequired:
            "its push service needs the server's key (VAPID_REQUIRED). Pass the server's public "
                + "VAPID key, in code or as TOCSINPushServerKey in Info.plist."
        case .unauthorized:
            "it does not serve programs outside of a sandbox (UNAUTHORIZED). Choose another one "
                + "with 'tocsin settings --push-distributor'."
        case .other(let word, _):
            word.isEmpty
                ? "it gives no reason. See its own messages."
                : "it says \(word.quotedForMessage()). See its own messages."
        }
    }
}
