extension URL {
    /// Apple's sandbox asks for this before a stored attachment is read; on Linux it is always
    /// allowed.
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// The counterpart of ``startAccessingSecurityScopedResource()``; does nothing on Linux.
    public func stopAccessingSecurityScopedResource() {}
}
