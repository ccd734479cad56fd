import Glibc

/// The address of a bus, in the form of the D-Bus specification: `unix:path=/run/user/1000/bus`.
public struct BusAddress: Sendable, Hashable, CustomStringConvertible {
    /// The text: one address, or several separated by `;`, which are tried in turn.
    public let rawValue: String

    /// Checks the text of an address.
    ///
    /// Addresses that would start a program (`autolaunch:`, `unixexec:`) are refused. `nonce-tcp:`
    /// is refused, too, because it sends the beginning of a file to the bus. The user of a setuid
    /// program chooses the address, and could get a file that only the program may read.
    ///
    /// - Throws: `invalidValue` if the text is not an address, or names a transport other than
    ///   `unix` and `tcp`.
    public init(_ string: String) throws(BusError) {
        let addresses = string.split(separator: ";", omittingEmptySubsequences: true)
        guard !addresses.isEmpty, !string.utf8.contains(0) else {
            throw .invalid("bus address", string, rule: Self.rule)
        }
        for address in addresses {
            guard let colon = address.firstIndex(of: ":"),
                ["unix", "tcp"].contains(address[..<colon]),
                colon != address.indices.last
            else {
                throw .invalid("bus address", string, rule: Self.rule)
            }
        }
        rawValue = string
    }

    /// The address of a socket in the file system.
    ///
    /// - Throws: `invalidValue` if the path makes no valid address.
    public init(socketPath path: String) throws(BusError) {
        try self.init("unix:path=\(Self.escape(path.utf8))")
    }

    /// The user's bus.
    ///
    /// The address is `DBUS_SESSION_BUS_ADDRESS`, otherwise the socket in `XDG_RUNTIME_DIR`,
    /// otherwise `/run/user/<uid>/bus`.
    ///
    /// A nil `uid` stands for the user of this process. The lookup never starts a bus.
    ///
    /// - Throws: `noBus` if the variable is not set and no socket exists; `invalidValue` if the
    ///   variable is not an address.
    public static func session(
        environment: [String: String], uid: UInt32? = nil
    ) throws(BusError) -> BusAddress {
        try session(uid: uid) { environment[$0] }
    }

    /// The address of the user's bus; `variable` looks up a name in the environment.
    ///
    /// - Throws: `noBus` or `invalidValue`, as `session(environment:uid:)` does.
    public static func session(
        uid: UInt32? = nil, variable: (String) -> String?
    ) throws(BusError) -> BusAddress {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            return try BusAddress(address)
        }
        if let directory = variable("XDG_RUNTIME_DIR"), isSocket("\(directory)/bus") {
            return try BusAddress(socketPath: "\(directory)/bus")
        }
        let uid = uid ?? getuid()
        if isSocket("/run/user/\(uid)/bus") {
            return try BusAddress(socketPath: "/run/user/\(uid)/bus")
        }
        throw BusError(
            .noBus,
            "No session bus was found: DBUS_SESSION_BUS_ADDRESS is not set and there is no socket "
                + "at $XDG_RUNTIME_DIR/bus or /run/user/\(uid)/bus. Run this inside a desktop "
                + "session, or start one bus with dbus-run-session.")
    }

    /// Whether both addresses name the same sockets; the id of the bus (`guid=`) is ignored.
    public func leads(toSameBusAs other: BusAddress) -> Bool {
        sockets == other.sockets
    }

    /// The transport and the `key=value` pairs of each address, without the id of the bus.
    ///
    /// The pairs are sorted and escaped anew, because one socket can be written in several ways.
    private var sockets: [[String]] {
        rawValue.split(separator: ";").map { address in
            let parts = address.split(separator: ":", maxSplits: 1)
            let keys = parts.dropFirst().flatMap { $0.split(separator: ",") }
            let pairs = keys.filter { !$0.hasPrefix("guid=") }
                .map { Self.escape(Self.unescape($0)) }
            return parts.prefix(1).map { String($0) } + pairs.sorted()
        }
    }

    /// The text of the address.
    public var description: String { rawValue }

    private static let rule =
        "an address is like unix:path=/run/user/1000/bus, with the transport unix or tcp; "
        + "give the address of a running bus, as in DBUS_SESSION_BUS_ADDRESS"

    static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Escapes each byte as `%xx`, except bytes that the specification calls "optionally escaped".
    private static func escape(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            guard !NameGrammar.isWord(byte), !"-/\\.*".utf8.contains(byte) else {
                return String(Unicode.Scalar(byte))
            }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }.joined()
    }

    /// Replaces each `%xx` by its byte; any other percent sign stays.
    private static func unescape(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            // Check the digits first, because `UInt8(_:radix:)` also takes a sign.
            if byte == UInt8(ascii: "%"), digits.count == 2,
                digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let value = UInt8(Substring(digits), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
