/// A message that a person sends.
///
/// With `UNNotificationContent.updating(from:)` a notification takes the sender as its title.
open class INSendMessageIntent: INIntent, @unchecked Sendable {
    // Unchecked Sendable: `INIntent` has the reason.
    /// The recipients; nil if they are unknown.
    open private(set) var recipients: [INPerson]?
    /// The kind of content.
    open private(set) var outgoingMessageType: INOutgoingMessageType
    /// The text; nil for a message without text.
    open private(set) var content: String?
    /// The name of the group; nil for a conversation of two people.
    open private(set) var speakableGroupName: INSpeakableString?
    /// The app's name for the conversation.
    open private(set) var conversationIdentifier: String?
    /// The service that carries the message.
    open private(set) var serviceName: String?
    /// The sender.
    open private(set) var sender: INPerson?

    /// Makes a message.
    public init(
        recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
        speakableGroupName: INSpeakableString?, conversationIdentifier: String?,
        serviceName: String?, sender: INPerson?, attachments: [INSendMessageAttachment]?
    ) {
        self.recipients = recipients
        self.outgoingMessageType = outgoingMessageType
        self.content = content
        self.speakableGroupName = speakableGroupName
        self.conversationIdentifier = conversationIdentifier
        self.serviceName = serviceName
        self.sender = sender
        super.init()
    }

    /// Makes a message without attachments.
    @available(*, deprecated, message: "Use the initializer with an outgoing message type.")
    public convenience init(
        recipients: [INPerson]?, content: String?, speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?, serviceName: String?, sender: INPerson?
    ) {
        self.init(
            recipients: recipients, outgoingMessageType: .outgoingMessageText, content: content,
            speakableGroupName: speakableGroupName,
            conversationIdentifier: conversationIdentifier, serviceName: serviceName,
            sender: sender, attachments: nil)
    }

    /// Does nothing: no Linux desktop shows images of a message's parameters, such as the sender.
    open func setImage(
        _ image: INImage?, forParameterNamed parameterName: PartialKeyPath<INSendMessageIntent>
    ) {}

    /// Reads a message from an archive.
    public required init?(coder: NSCoder) {
        recipients = coder.objects(INPerson.self, "recipients")
        outgoingMessageType =
            INOutgoingMessageType(rawValue: coder.decodeInteger(forKey: "outgoingMessageType"))
            ?? .unknown
        content = coder.text("content")
        speakableGroupName = coder.object(INSpeakableString.self, "speakableGroupName")
        conversationIdentifier = coder.text("conversationIdentifier")
        serviceName = coder.text("serviceName")
        sender = coder.object(INPerson.self, "sender")
        super.init(coder: coder)
    }

    /// Writes the message into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(recipients.map { NSArray(array: $0) }, forKey: "recipients")
        coder.encode(outgoingMessageType.rawValue, forKey: "outgoingMessageType")
        coder.encode(content as NSString?, forKey: "content")
        coder.encode(speakableGroupName, forKey: "speakableGroupName")
        coder.encode(conversationIdentifier as NSString?, forKey: "conversationIdentifier")
        coder.encode(serviceName as NSString?, forKey: "serviceName")
        coder.encode(sender, forKey: "sender")
    }
}

/// The kind of content of a message.
@nonexhaustive(warn)
public enum INOutgoingMessageType: Int, Sendable {
    /// The kind is unknown.
    case unknown = 0
    /// A text.
    case outgoingMessageText = 1
    /// A sound.
    case outgoingMessageAudio = 2
}

/// Details of a donated message; no Linux desktop uses them.
open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata {
    /// Whether the message mentions the user.
    open var mentionsCurrentUser = false
    /// Whether the message replies to the user.
    open var isReplyToCurrentUser = false
    /// Whether the sender wants to notify a user who is in a Focus.
    open var notifyRecipientAnyway = false
    /// The number of recipients.
    open var recipientCount = 0

    /// Makes empty details.
    public override init() {
        super.init()
    }
}

/// A file of a message; no Linux desktop uses it.
open class INSendMessageAttachment: NSObject {
    /// The sound of the message.
    open private(set) var audioMessageFile: INFile?

    /// Makes an attachment with a sound.
    public init(audioMessageFile: INFile) {
        self.audioMessageFile = audioMessageFile
    }
}

/// A file, or data with the name of a file.
open class INFile: NSObject {
    /// The address of the file; nil for data in memory.
    open private(set) var fileURL: URL?
    /// The name of the file.
    open var filename: String
    /// The uniform type identifier; nil if the app gave none.
    open private(set) var typeIdentifier: String?
    private let bytes: Data

    /// Makes a file from data in memory.
    public init(data: Data, filename: String, typeIdentifier: String?) {
        bytes = data
        self.filename = filename
        self.typeIdentifier = typeIdentifier
    }

    /// Makes a file from its address; if `filename` is nil, the file has the name in the address.
    public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        bytes = Data()
        self.fileURL = fileURL
        self.filename = filename ?? fileURL.lastPathComponent
        self.typeIdentifier = typeIdentifier
    }

    /// The data in memory, or the content of the file; empty if the file cannot be read.
    open var data: Data { fileURL.flatMap { try? Data(contentsOf: $0) } ?? bytes }
}
