/// A past call; no Linux desktop uses it.
open class INCallRecord: NSObject {
    /// The app's own identifier.
    open private(set) var identifier: String
    /// The date of the call; nil if it is unknown.
    open private(set) var dateCreated: Date?
    /// The other party of the call; nil if it is unknown.
    open private(set) var caller: INPerson?
    /// The other parties of the call; nil if they are unknown.
    open var participants: [INPerson]? { caller.map { [$0] } }
    /// The kind of call.
    open private(set) var callRecordType: INCallRecordType
    /// Whether the call had video.
    open private(set) var callCapability: INCallCapability
    /// The length of the call, in seconds; nil if it is unknown.
    open private(set) var callDuration: Double?
    /// Whether the user has not seen the call yet; nil if that is unknown.
    open private(set) var unseen: Bool?
    /// The number of calls that this record stands for; nil if it is unknown.
    open private(set) var numberOfCalls: Int?

    /// Makes a record of a call.
    public init(
        identifier: String, dateCreated: Date? = nil, caller: INPerson? = nil,
        callRecordType: INCallRecordType = .unknown, callCapability: INCallCapability = .unknown,
        callDuration: Double? = nil, unseen: Bool? = nil, numberOfCalls: Int? = nil
    ) {
        self.identifier = identifier
        self.dateCreated = dateCreated
        self.caller = caller
        self.callRecordType = callRecordType
        self.callCapability = callCapability
        self.callDuration = callDuration
        self.unseen = unseen
        self.numberOfCalls = numberOfCalls
    }
}

/// A filter for past calls; no Linux desktop uses it.
open class INCallRecordFilter: NSObject {
    /// The people of the calls; nil for all.
    open private(set) var participants: [INPerson]?
    /// The kinds of calls.
    open private(set) var callTypes: INCallRecordTypeOptions
    /// Whether the calls had video.
    open private(set) var callCapability: INCallCapability

    /// Makes a filter.
    public init(
        participants: [INPerson]?, callTypes: INCallRecordTypeOptions = [],
        callCapability: INCallCapability
    ) {
        self.participants = participants
        self.callTypes = callTypes
        self.callCapability = callCapability
    }
}

/// A kind of call.
@nonexhaustive(warn)
public enum INCallRecordType: Int, Sendable {
    /// The kind is unknown.
    case unknown = 0
    /// The user called.
    case outgoing = 1
    /// The user did not answer.
    case missed = 2
    /// The user answered.
    case received = 3
    /// The latest call.
    case latest = 4
    /// A voice mail.
    case voicemail = 5
    /// A call that rings now.
    case ringing = 6
    /// A call in progress.
    case inProgress = 7
    /// A call on hold.
    case onHold = 8
}

/// Kinds of calls.
public struct INCallRecordTypeOptions: OptionSet, Sendable {
    /// The bits, with Apple's values.
    public let rawValue: UInt
    /// Makes a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The user called.
    public static let outgoing = Self(rawValue: 1)
    /// The user did not answer.
    public static let missed = Self(rawValue: 2)
    /// The user answered.
    public static let received = Self(rawValue: 4)
    /// The latest call.
    public static let latest = Self(rawValue: 8)
    /// A voice mail.
    public static let voicemail = Self(rawValue: 16)
    /// A call that rings now.
    public static let ringing = Self(rawValue: 32)
    /// A call in progress.
    public static let inProgress = Self(rawValue: 64)
    /// A call on hold.
    public static let onHold = Self(rawValue: 128)
}
