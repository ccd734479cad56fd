/// Checks values by the limits of D-Bus and counts their bytes, before libdbus sees the values.
///
/// It throws for values that D-Bus cannot carry. libdbus would abort on such a message, or the bus
/// would disconnect us.
struct BodyMeasure {
    static let arrayLimit = 64 << 20
    static let messageLimit = 128 << 20
    static let totalDepthLimit = 64

    /// The size of the body so far, in bytes.
    private(set) var size = 0
    private(set) var descriptors = 0

    mutating func add(_ values: [BusValue]) throws(BusError) {
        for value in values { try add(value, Depth()) }
        let length = values.reduce(0) { $0 + Self.signatureLength($1) }
        try Self.checkSignature(length, of: "The arguments have")
    }

    /// The depth of the current value: in its signature, and in the whole body (`total`).
    private struct Depth {
        var arrays = 0
        var structures = 0
        var total = 0

        func inside(arrays: Int = 0, structures: Int = 0) throws(BusError) -> Depth {
            try inside(signature: self.arrays + arrays, self.structures + structures)
        }

        /// A variant starts a new signature.
        func insideVariant() throws(BusError) -> Depth { try inside(signature: 0, 0) }

        private func inside(signature arrays: Int, _ structures: Int) throws(BusError) -> Depth {
            guard arrays <= SignatureGrammar.depthLimit,
                structures <= SignatureGrammar.depthLimit, total < totalDepthLimit
            else {
                throw BusError(
                    .tooLarge,
                    "A value is nested too deeply: D-Bus allows 32 arrays and 32 structures in one "
                        + "signature, 64 containers in all. Flatten it.")
            }
            return Depth(arrays: arrays, structures: structures, total: total + 1)
        }
    }

    private mutating func add(_ value: BusValue, _ depth: Depth) throws(BusError) {
        switch value {
        case .byte: try grow(1, alignment: 1)
        case .int16, .uint16: try grow(2, alignment: 2)
        case .bool, .int32, .uint32: try grow(4, alignment: 4)
        case .int64, .uint64, .double: try grow(8, alignment: 8)
        case .string(let string):
            try Self.checkText(string)
            try grow(4 + string.utf8.count + 1, alignment: 4)
        case .objectPath(let path): try grow(4 + path.rawValue.utf8.count + 1, alignment: 4)
        case .signature(let signature): try grow(2 + signature.rawValue.utf8.count, alignment: 1)
        case .descriptor:
            descriptors += 1
            try grow(4, alignment: 4)
        case .bytes(let bytes):
            _ = try depth.inside(arrays: 1)
            try grow(4, alignment: 4)
            try Self.checkArray(bytes.count)
            try grow(bytes.count, alignment: 1)
        case .variant(let inner):
            let length = Self.signatureLength(inner)
            try Self.checkSignature(length, of: "A value has")
            try grow(2 + length, alignment: 1)
            try add(inner, depth.insideVariant())
        case .structure(let members):
            guard !members.isEmpty else {
                throw BusError(.invalidValue, "A D-Bus structure needs at least one member.")
            }
            let inner = try depth.inside(structures: 1)
            try grow(0, alignment: 8)
            for member in members { try add(member, inner) }
        case .array(let element, let elements):
            try addArray(element, elements, depth)
        case .dictionary(let key, let value, let entries):
            try addDictionary(key, value, entries, depth)
        }
    }

    private mutating func addArray(
        _ element: Signature, _ elements: [BusValue], _ depth: Depth
    ) throws(BusError) {
        guard element.isSingleType else {
            throw BusError(.invalidValue, "\"\(element)\" is no type for an array's elements.")
        }
        let inner = try depth.inside(arrays: 1)
        try Self.checkDepth(of: element, inside: inner.arrays, inner.structures)
        try grow(4, alignment: 4)
        try grow(0, alignment: Self.alignment(element))
        let start = size
        for value in elements {
            guard TypeCheck.matches(value, element) else {
                throw BusError(
                    .invalidValue,
                    "An array of \"\(element)\" cannot hold a value of type "
                        + "\"\(value.signature)\".")
            }
            try add(value, inner)
        }
        try Self.checkArray(size - start)
    }

    private mutating func addDictionary(
        _ key: Signature, _ value: Signature, _ entries: [BusValue.Entry], _ depth: Depth
    ) throws(BusError) {
        guard value.isSingleType, key.rawValue.utf8.count == 1,
            key.rawValue.utf8.allSatisfy(SignatureGrammar.isBasic)
        else {
            throw BusError(
                .invalidValue, "\"{\(key)\(value)}\" is no type for a dictionary's entries.")
        }
        let inner = try depth.inside(arrays: 1).inside(structures: 1)
        try Self.checkDepth(of: value, inside: inner.arrays, inner.structures)
        try grow(4, alignment: 4)
        try grow(0, alignment: 8)
        let start = size
        for entry in entries {
            guard TypeCheck.matches(entry.key, key), TypeCheck.matches(entry.value, value) else {
                throw BusError(
                    .invalidValue,
                    "A dictionary of \"{\(key)\(value)}\" cannot hold an entry of type "
                        + "\"{\(entry.key.signature)\(entry.value.signature)}\".")
            }
            try grow(0, alignment: 8)
            try add(entry.key, inner)
            try add(entry.value, inner)
        }
        try Self.checkArray(size - start)
    }

    private mutating func grow(_ count: Int, alignment: Int) throws(BusError) {
        size = (size + alignment - 1) & ~(alignment - 1)
        size += count
        guard size <= Self.messageLimit else { throw Self.messageTooLarge }
    }

    static let messageTooLarge = BusError(
        .tooLarge,
        "The message is larger than the 128 MiB that D-Bus allows. Send less data, or a file "
            + "descriptor.")

    private static func checkArray(_ count: Int) throws(BusError) {
        guard count <= arrayLimit else {
            throw BusError(
                .tooLarge,
                "An array takes \(count) bytes; D-Bus allows 64 MiB. Send less data, or a file "
                    + "descriptor.")
        }
    }

    private static func checkText(_ string: String) throws(BusError) {
        guard !string.utf8.contains(0) else {
            throw BusError(
                .invalidValue, "A string contains NUL, which D-Bus cannot carry. Remove it.")
        }
    }

    /// Checks the type itself, because an empty array has no values that would show its depth.
    private static func checkDepth(
        of type: Signature, inside arrays: Int, _ structures: Int
    ) throws(BusError) {
        let bytes = Array(type.rawValue.utf8)
        let end = SignatureGrammar.endOfType(
            bytes, from: 0, arrays: arrays, structures: structures)
        guard end == bytes.count else {
            throw BusError(.tooLarge, "The type \"\(type)\" is nested too deeply for D-Bus here.")
        }
    }

    private static func alignment(_ type: Signature) -> Int {
        switch type.rawValue.unicodeScalars.first {
        case "y", "g", "v": 1
        case "n", "q": 2
        case "x", "t", "d", "(", "{": 8
        default: 4
        }
    }

    private static func signatureLength(_ value: BusValue) -> Int {
        value.signature.rawValue.utf8.count
    }

    private static func checkSignature(_ length: Int, of subject: String) throws(BusError) {
        guard length <= SignatureGrammar.lengthLimit else {
            throw BusError(
                .invalidValue, "\(subject) a signature of \(length) bytes; 255 are allowed.")
        }
    }
}

extension BusValue {
    /// Checks that D-Bus can carry the value.
    ///
    /// - Throws: `invalidValue` for a NUL in a text, a wrong type, an empty structure, or a
    ///   signature over 255 bytes; `tooLarge` for a value that is too deep or too large.
    package func checkForSending() throws(BusError) {
        var measure = BodyMeasure()
        try measure.add([self])
    }
}
