internal import DesktopBus
internal import NotificationModel

/// The questions that need no hand.
extension ProbeRun {
    mutating func askAlone() async throws(ToolError) {
        let isInhibited = await server.isInhibited()
        report.outcomes[.doNotDisturb] = isInhibited.map { $0 ? "on" : "off" } ?? "not told"
        report.outcomes[.silenceSeen] = isInhibited == nil ? "is not told" : "yes"
        try await askForReplacement()
        try await askForUnknown()
        try await askForExpiry()
    }

    /// The same popup again, and its end by us.
    private mutating func askForReplacement() async throws(ToolError) {
        let id = try await show(ProbePopup("Replaced"))
        let next = try await show(ProbePopup("In its place"), replacing: id)
        report.outcomes[.replace] = next == id ? "yes" : "new id"
        if next != id { await clear(id) }
        await clear(next)
        let reason = try await closing(of: next, within: Self.closingSpan)
        report.closing = reason.map { "told, reason \($0)" } ?? "silence"
    }

    private mutating func askForUnknown() async throws(ToolError) {
        var words: [String] = []
        do throws(ToolError) {
            let id = try await show(
                ProbePopup("Of an unknown id"), replacing: Self.unknown.replaced)
            words.append(id == Self.unknown.replaced ? "taken" : "new id")
            await clear(id)
        } catch {
            words.append("refused")
        }
        words.append(try await closingOfUnknown())
        report.outcomes[.unknownID] = words.joined(separator: ", ")
    }

    private mutating func closingOfUnknown() async throws(ToolError) -> String {
        do throws(BusError) {
            try await server.close(Self.unknown.closed)
        } catch {
            guard error.remoteName != nil else { throw ToolError(.failure, error.message) }
            return "error"
        }
        let reason = try await closing(of: Self.unknown.closed, within: Self.closingSpan)
        return reason == nil ? "silence" : "told closed"
    }

    private mutating func askForExpiry() async throws(ToolError) {
        var popup = ProbePopup("Leaves by itself")
        popup.timeout = Self.expiry.0
        let id = try await show(popup)
        let reason = try await closing(of: id, within: Self.expiry.1)
        report.outcomes[.expiry] =
            switch reason {
            case 1?: "yes"
            case let other?: "yes, reason \(other)"
            case nil: "ignored"
            }
        await clear(id)
    }
}
