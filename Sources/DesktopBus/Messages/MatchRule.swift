/// A description of wanted signals; a part that is nil matches everything.
public struct MatchRule: Sendable {
    /// The sender; a well-known name stands for its current owner.
    public var sender: BusName?
    /// The object.
    public var path: ObjectPath?
    /// The interface.
    public var interface: InterfaceName?
    /// The signal.
    public var member: MemberName?
    /// The first argument, a string.
    public var argument0: String?
    /// The path of a folder, with a slash at its end.
    ///
    /// A signal matches if its first argument is a path in this folder. It also matches if its
    /// first argument is a folder, with a slash at the end, that contains this folder.
    public var argument0Path: String?
    /// A bus name; the first argument is this name, or begins with this name and a dot.
    public var argument0Namespace: String?

    /// Makes a rule.
    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil,
        member: MemberName? = nil, argument0: String? = nil, argument0Path: String? = nil,
        argument0Namespace: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.argument0 = argument0
        self.argument0Path = argument0Path
        self.argument0Namespace = argument0Namespace
    }

    /// The rule in the syntax of the bus.
    var text: String {
        var text = "type='signal'"
        if let sender { text += ",sender='\(sender)'" }
        if let path { text += ",path='\(path)'" }
        if let interface { text += ",interface='\(interface)'" }
        if let member { text += ",member='\(member)'" }
        if let argument0 { text += ",arg0='\(Self.quoted(argument0))'" }
        if let argument0Path { text += ",arg0path='\(Self.quoted(argument0Path))'" }
        if let argument0Namespace {
            text += ",arg0namespace='\(Self.quoted(argument0Namespace))'"
        }
        return text
    }

    /// Escapes a text for single quotes: each quote in the text becomes `'\''`.
    static func quoted(_ text: String) -> String {
        // Split bytes, not characters, because the bus reads bytes.
        text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: "'\\''")
    }

    /// Whether a signal matches the rule; its sender is not compared here.
    func fits(_ signal: IncomingMessage) -> Bool {
        guard member == nil || member?.rawValue == signal.member,
            interface == nil || interface?.rawValue == signal.interface,
            path == nil || path?.rawValue == signal.path
        else { return false }
        guard argument0 != nil || argument0Path != nil || argument0Namespace != nil else {
            return true
        }
        guard let argument = signal.firstString?.utf8 else { return false }
        // Compare bytes, as the bus does.
        if let argument0, !argument.elementsEqual(argument0.utf8) { return false }
        if let space = argument0Namespace?.utf8, !argument.elementsEqual(space),
            !argument.starts(with: Array(space) + [UInt8(ascii: ".")])
        {
            return false
        }
        guard let folder = argument0Path?.utf8 else { return true }
        return argument.starts(with: folder)
            || argument.last == UInt8(ascii: "/") && folder.starts(with: argument)
    }
}
