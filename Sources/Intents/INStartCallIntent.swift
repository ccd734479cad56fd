/// A call that a person starts.
///
/// With `UNNotificationContent.updating(from:)` a notification takes the caller as its title.
open class INStartCallIntent: INIntent, @unchecked Sendable {
    // Unchecked Sendable: `INIntent` has the reason.
    /// The called people, or the callers.
    open private(set) var contacts: [INPerson]?
    /// The destination of the call.
    open private(set) var destinationType: INCallDestinationType
    /// Whether the call has video.
    open private(set) var callCapability: INCallCapability

    /// Makes a call.
    public init(
        callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?,
        audioRoute: INCallAudioRoute, destinationType: INCallDestinationType,
        contacts: [INPerson]?, callCapability: INCallCapability
    ) {
        self.contacts = contacts
        self.destinationType = destinationType
        self.callCapability = callCapability
        super.init()
    }

    /// Makes a call; the older form, in which `recordTypeForRedialing` has no effect here.
    @available(*, deprecated, message: "Use the initializer with a call record.")
    public convenience init(
        audioRoute: INCallAudioRoute, destinationType: INCallDestinationType,
        contacts: [INPerson]?, recordTypeForRedialing: INCallRecordType,
        callCapability: INCallCapability
    ) {
        self.init(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: audioRoute,
            destinationType: destinationType, contacts: contacts, callCapability: callCapability)
    }

    /// Does nothing: no Linux desktop shows images of a call's parameters, such as the contacts.
    open func setImage(
        _ image: INImage?, forParameterNamed parameterName: PartialKeyPath<INStartCallIntent>
    ) {}

    /// Reads a call from an archive.
    public required init?(coder: NSCoder) {
        contacts = coder.objects(INPerson.self, "contacts")
        destinationType =
            INCallDestinationType(rawValue: coder.decodeInteger(forKey: "destinationType"))
            ?? .unknown
        callCapability =
            INCallCapability(rawValue: coder.decodeInteger(forKey: "callCapability")) ?? .unknown
        super.init(coder: coder)
    }

    /// Writes the call into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(contacts.map { NSArray(array: $0) }, forKey: "contacts")
        coder.encode(destinationType.rawValue, forKey: "destinationType")
        coder.encode(callCapability.rawValue, forKey: "callCapability")
    }
}

/// The destination of a call.
@nonexhaustive(warn)
public enum INCallDestinationType: Int, Sendable {
    /// The destination is unknown.
    case unknown = 0
    /// An ordinary call.
    case normal = 1
    /// An emergency call.
    case emergency = 2
    /// The voice mail.
    case voicemail = 3
    /// The number that was dialled last.
    case redial = 4
    /// The last caller.
    case callBack = 5
}

/// Whether a call has video.
@nonexhaustive(warn)
public enum INCallCapability: Int, Sendable {
    /// The capability is unknown.
    case unknown = 0
    /// Audio only.
    case audioCall = 1
    /// Audio and video.
    case videoCall = 2
}

/// The audio route of a call.
@nonexhaustive(warn)
public enum INCallAudioRoute: Int, Sendable {
    /// The route is unknown.
    case unknown = 0
    /// The loudspeaker.
    case speakerphoneAudioRoute = 1
    /// A Bluetooth device.
    case bluetoothAudioRoute = 2
}
