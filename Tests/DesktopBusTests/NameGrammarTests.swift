import DesktopBus
import TestSupport
import Testing

/// The rules for names, compared with slow checks that follow the specification in another way.
@Suite struct NameGrammarTests {
    @Test(arguments: [
        "org.example", "a.b", "_a._b", "org.example.App2", "a-b.c-d", ":1.42", ":1.0.7",
    ])
    func `valid bus names are accepted`(text: String) throws {
        #expect(try BusName(text).rawValue == text)
    }

    @Test(arguments: [
        "", ".", ":", ":1", "org", ".org.a", "org.a.", "org..a", "org.2a", "org.a b", "org.ä",
        "org.a\0", "a:1.2", "org/a",
    ])
    func `invalid bus names are refused`(text: String) {
        #expect(throws: BusError.self) { try BusName(text) }
    }

    @Test func `a name or signature has at most 255 bytes, and a path has no limit`() throws {
        let long = "a." + String(repeating: "b", count: 253)
        #expect(try BusName(long).rawValue.utf8.count == 255)
        #expect(try InterfaceName(long).rawValue.utf8.count == 255)
        #expect(throws: BusError.self) { try BusName(long + "b") }
        #expect(throws: BusError.self) { try InterfaceName(long + "b") }
        #expect(throws: BusError.self) { try ErrorName(long + "b") }
        #expect(throws: BusError.self) { try MemberName(String(repeating: "b", count: 256)) }
        #expect(throws: BusError.self) { try Signature(String(repeating: "y", count: 256)) }
        #expect(throws: Never.self) { try ObjectPath("/" + String(repeating: "b", count: 5_000)) }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a text is a valid name exactly if the specification allows it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("aZ_09.-/: \u{e9}")
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...7, using: &random)
            let text = String(
                (0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
            #expect(accepts { try BusName(text) } == Oracle.isBusName(text), "\(text)")
            #expect(accepts { try InterfaceName(text) } == Oracle.isInterface(text), "\(text)")
            #expect(accepts { try ErrorName(text) } == Oracle.isInterface(text), "\(text)")
            #expect(accepts { try MemberName(text) } == Oracle.isMember(text), "\(text)")
            #expect(accepts { try ObjectPath(text) } == Oracle.isPath(text), "\(text)")
        }
    }

    @Test(arguments: [UInt64(4), 5])
    func `a signature is accepted exactly if it consists of complete types`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ysvoa(){}hz")
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...8, using: &random)
            let text = String(
                (0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
            #expect(accepts { try Signature(text) } == Oracle.isSignature(text), "\(text)")
        }
    }

    @Test func `a signature with more than 32 nested arrays or structures is refused`() {
        let arrays = { (count: Int) in String(repeating: "a", count: count) + "y" }
        #expect(accepts { try Signature(arrays(32)) })
        #expect(!accepts { try Signature(arrays(33)) })
        let structures = { (count: Int) in
            String(repeating: "(", count: count) + "y" + String(repeating: ")", count: count)
        }
        #expect(accepts { try Signature(structures(32)) })
        #expect(!accepts { try Signature(structures(33)) })
    }

    private func accepts<Value>(_ make: () throws -> Value) -> Bool {
        (try? make()) != nil
    }
}

/// The specification's grammar, checked by splitting and rewriting.
private enum Oracle {
    static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
    static let digits = Set("0123456789")

    static func isMember(_ text: String) -> Bool {
        guard let first = text.first, letters.contains(first) else { return false }
        return text.allSatisfy { letters.contains($0) || digits.contains($0) }
    }

    static func isInterface(_ text: String) -> Bool {
        let elements = text.split(separator: ".", omittingEmptySubsequences: false)
        return elements.count >= 2 && elements.allSatisfy { isMember(String($0)) }
    }

    static func isBusName(_ text: String) -> Bool {
        let isUnique = text.hasPrefix(":")
        let body = isUnique ? String(text.dropFirst()) : text
        let elements = body.split(separator: ".", omittingEmptySubsequences: false)
        return elements.count >= 2
            && elements.allSatisfy { element in
                let plain = String(element.map { $0 == "-" ? "_" : $0 })
                return isMember(isUnique ? "_" + plain : plain) && !element.isEmpty
            }
    }

    static func isPath(_ text: String) -> Bool {
        if text == "/" { return true }
        let elements = text.split(separator: "/", omittingEmptySubsequences: false)
        return elements.count >= 2 && elements[0].isEmpty
            && elements.dropFirst().allSatisfy { !$0.isEmpty && isMember("_" + $0) }
    }

    /// Replaces complete types by `v` until nothing changes.
    static func isSignature(_ text: String) -> Bool {
        var text = text
        // A dictionary's key must be a basic type. The rewriting never replaces a single basic
        // type, so a key stays recognizable.
        let basic = Set("yso" + "h")
        guard !text.contains("z") else { return false }
        while true {
            var next = text
            for key in basic { next = next.replacing("a{\(key)v}", with: "v") }
            next = next.replacing("av", with: "v")
            for member in basic {
                next = next.replacing("a\(member)", with: "v")
                for code in basic {
                    next = next.replacing("a{\(code)\(member)}", with: "v")
                }
            }
            next = replaceStructures(next, basic)
            if next == text { break }
            text = next
        }
        return text.allSatisfy { $0 == "v" || basic.contains($0) }
    }

    private static func replaceStructures(_ text: String, _ basic: Set<Character>) -> String {
        guard let close = text.firstIndex(of: ")"),
            let open = text[..<close].lastIndex(of: "(")
        else { return text }
        let members = text[text.index(after: open)..<close]
        guard !members.isEmpty, members.allSatisfy({ $0 == "v" || basic.contains($0) }) else {
            return text
        }
        return text.replacingCharacters(in: open...close, with: "v")
    }
}

extension String {
    fileprivate func replacingCharacters(
        in range: ClosedRange<String.Index>, with text: String
    ) -> String {
        var copy = self
        copy.replaceSubrange(range, with: text)
        return copy
    }
}
