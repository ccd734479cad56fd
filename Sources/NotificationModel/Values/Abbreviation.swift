/// A text by which a user names a notification of a list: its identifier, the beginning of one, its
/// number in the list, or `last` for the one that came last.
///
/// These are the rules for every list, whether it is searched by an index or element by element.
package struct Abbreviation: Hashable, Sendable {
    /// The text as the user wrote it.
    package let text: String

    /// Makes an abbreviation of what the user wrote.
    package init(_ text: String) {
        self.text = text
    }

    /// Whether an identifier begins with it, byte by byte, as SQLite compares.
    package func begins(_ identifier: String) -> Bool {
        !text.isEmpty && identifier.utf8.starts(with: text.utf8)
    }

    /// The number in the list, from 1; nil where it is none.
    private var number: Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else {
            return nil
        }
        return number > 0 ? number : nil
    }

    /// The elements it may mean: the one of this identifier alone, where there is one; the last for
    /// `last`; otherwise those whose identifiers begin with it, and the one of this number.
    package func candidates<Element>(
        identifier: (Element) -> String, exact: () throws -> Element?, last: () throws -> Element?,
        beginning: () throws -> [Element], numbered: (Int) throws -> Element?
    ) rethrows -> [Element] {
        if let exact = try exact() { return [exact] }
        if text == "last" { return try last().map { [$0] } ?? [] }
        guard !text.isEmpty else { return [] }
        let beginning = try beginning()
        guard let number, let numbered = try numbered(number),
            !beginning.contains(where: { identifier($0) == identifier(numbered) })
        else { return beginning }
        return beginning + [numbered]
    }

    /// The elements it may mean, of a list that is at hand.
    package func candidates<Element>(
        in list: [Element], last: Element?, identifier: (Element) -> String
    ) -> [Element] {
        candidates(
            identifier: identifier,
            exact: { list.first { identifier($0) == text } },
            last: { last },
            beginning: { list.filter { begins(identifier($0)) } },
            numbered: { $0 <= list.count ? list[$0 - 1] : nil })
    }
}
