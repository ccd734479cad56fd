/// Which notifications a page of a list shows, and where it begins.
public struct ListQuery: Hashable, Sendable {
    /// How many notifications a page has where nothing else is asked for.
    public static let defaultLimit = 256
    /// The most notifications of one page.
    public static let maximumLimit = Limits.page.most

    /// Only these, of an app that is named; nil for all, and unknown ones are ignored.
    public var identifiers: [String]?
    /// The place where the page before ended; nil for the first page.
    public var after: PageCursor?
    /// The most notifications of the page, which may have fewer: pages end at 1 MiB, too.
    public var limit: Int

    /// Asks for a page.
    public init(
        identifiers: [String]? = nil, after: PageCursor? = nil, limit: Int = ListQuery.defaultLimit
    ) {
        self.identifiers = identifiers
        self.after = after
        self.limit = limit
    }
}

/// Where a page of a list ended: opaque, and good for the same list only.
public struct PageCursor: RawRepresentable, Hashable, Sendable {
    /// The text that travels.
    public let rawValue: String

    /// Makes a cursor of its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
