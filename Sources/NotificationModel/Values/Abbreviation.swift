/// A text by which a user names a notification of a list.
///
/// The text is an identifier, the beginning of an identifier, a number in the list, or `last` for
/// the newest notification. The same rules apply to the store, which SQLite searches, and to a list
/// in memory.
package struct Abbreviation: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Whether an identifier begins with the text.
    ///
    /// Bytes are compared, as in SQLite.
    package func begins(_ identifier: String) -> Bool {
        !text.isEmpty && identifier.utf8.starts(with: text.utf8)
    }

    /// The number in the list, from 1; nil if the text is not a number.
    private var number: Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else {
            return nil
        }
        return number > 0 ? number : nil
    }

    /// The elements that the text may mean.
    ///
    /// If the text is the whole identifier of an element, that element is the only candidate. The
    /// text `last` means the newest element, which the closure `last` returns. Any other text means
    /// the elements whose identifiers begin with the text. A number also means the element at that
    /// position in the list, counted from 1.
    ///
    /// - Throws: An error that one of the closures throws.
    package func candidates<Element>(
        identifier: (Element) -> String, exact: () throws -> Element?, last: () throws -> Element?,
        beginning: () throws -> [Element], numbered: (Int) throws -> Element?
    ) rethrows -> [Element] {
        if let exact = try exact() { return [exact] }
        if text == "last" { return try last().map { [$0] } ?? [] }
        guard !text.isEmpty else { return [] }
        let beginning = try beginning()
        guard let number, let numbered = try numbered(number),
            !beginning.contains(where: {
                identifier($0).hasSameBytes(as: identifier(numbered))
            })
        else { return beginning }
        return beginning + [numbered]
    }

    /// The elements that the text may mean, from a list in memory.
    ///
    /// Identifiers are compared by their bytes, as in SQLite.
    package func candidates<Element>(
        in list: [Element], last: Element?, identifier: (Element) -> String
    ) -> [Element] {
        candidates(
            identifier: identifier,
            exact: { list.first { identifier($0).hasSameBytes(as: text) } },
            last: { last },
            beginning: { list.filter { begins(identifier($0)) } },
            numbered: { $0 <= list.count ? list[$0 - 1] : nil })
    }
}
