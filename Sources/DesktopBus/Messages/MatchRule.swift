/// Which signals are wanted; what is nil matches everything.
public struct MatchRule: Sendable, Hashable {
    /// The sender; a well-known name stands for its present owner.
    public var sender: BusName?
    /// The object.
    public var path: ObjectPath?
    /// The interface.
    public var interface: InterfaceName?
    /// The signal.
    public var member: MemberName?
    /// The first argument, a string.
    public var argument0: String?
    /// A folder, with a slash at its end: the first argument is a path in it, or a folder around it.
    public var argument0Path: String?

    /// Makes a rule.
    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil,
        member: MemberName? = nil, argument0: String? = nil, argument0Path: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.argument0 = argument0
        self.argument0Path = argument0Path
    }

    /// The rule in the bus's own words.
    var text: String {
        var text = "type='signal'"
        if let sender { text += ",sender='\(sender)'" }
        if let path { text += ",path='\(path)'" }
        if let interface { text += ",interface='\(interface)'" }
        if let member { text += ",member='\(member)'" }
        if let argument0 { text += ",arg0='\(Self.quoted(argument0))'" }
        if let argument0Path { text += ",arg0path='\(Self.quoted(argument0Path))'" }
        return text
    }

    /// Within quotes nothing is special but the quote, which only fits outside of them.
    static func quoted(_ text: String) -> String {
        // By bytes, as the bus reads it.
        text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: "'\\''")
    }

    /// Whether the first argument of a signal fits, which is nil where it is no string.
    func fits(argument0 argument: String?) -> Bool {
        if let argument0, argument != argument0 { return false }
        guard let folder = argument0Path else { return true }
        guard let argument else { return false }
        return argument.hasPrefix(folder) || argument.hasSuffix("/") && folder.hasPrefix(argument)
    }

    /// Whether a signal's header fits, leaving aside the sender and the first argument.
    func fits(path: String, interface: String, member: String) -> Bool {
        (self.member == nil || self.member?.rawValue == member)
            && (self.interface == nil || self.interface?.rawValue == interface)
            && (self.path == nil || self.path?.rawValue == path)
    }
}
