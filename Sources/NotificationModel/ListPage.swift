/// A page of a list.
public struct ListPage<Element: Sendable>: Sendable {
    /// What the page shows; a page with a successor may be empty.
    public var notifications: [Element]
    /// Where the next page begins; nil for the last one.
    public var next: PageCursor?

    /// Makes a page.
    public init(notifications: [Element], next: PageCursor?) {
        self.notifications = notifications
        self.next = next
    }
}

extension ListPage: Equatable where Element: Equatable {}
