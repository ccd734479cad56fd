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

    /// Makes a rule.
    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil,
        member: MemberName? = nil, argument0: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.argument0 = argument0
    }

    /// The rule in the bus's own words.
    var text: String {
        var text = "type='signal'"
        if let sender { text += ",sender='\(sender)'" }
        if let path { text += ",path='\(path)'" }
        if let interface { text += ",interface='\(interface)'" }
        if let member { text += ",member='\(member)'" }
        if let argument0 {
            // Within quotes nothing is special but the quote, which only fits outside of them.
            let parts = argument0.split(separator: "'", omittingEmptySubsequences: false)
            text += ",arg0='\(parts.joined(separator: "'\\''"))'"
        }
        return text
    }

    /// Whether a signal's header fits, leaving aside the sender and the first argument.
    func fits(path: String, interface: String, member: String) -> Bool {
        (self.member == nil || self.member?.rawValue == member)
            && (self.interface == nil || self.interface?.rawValue == interface)
            && (self.path == nil || self.path?.rawValue == path)
    }
}
