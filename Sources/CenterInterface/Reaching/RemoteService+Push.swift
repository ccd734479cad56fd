internal import DesktopBus
public import NotificationModel

// Remote notifications, and what service extensions make of them.
extension RemoteService {
    /// Takes a remote notification, a payload as APNs takes it; it is shown at once.
    public func push(
        _ payload: [UInt8], headers: PushHeaders, for app: ApplicationID?
    ) async throws(NotificationError) -> String? {
        var options = EntryList()
        options.text("collapseIdentifier", headers.collapseIdentifier)
        if headers.priority != .high {
            options.integer("priority", Int(headers.priority.rawValue))
        }
        options.instant("expiration", headers.expiration)
        // Not made again by itself: without a collapse identifier it would be shown twice.
        let answer = try await call(
            "Push", [.string(app?.rawValue ?? ""), .bytes(payload), options.value],
            repeatable: false)
        let identifier = answer.first?.stringValue ?? ""
        return identifier.isEmpty ? nil : identifier
    }

    /// Gives what the app's service extension made of a pushed notification.
    public func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError) {
        let asked = sessions.keys.filter { sessions[$0]?.extending.contains(token) == true }
        // A daemon that was replaced counts its tokens anew, and does not know of this one.
        guard !asked.isEmpty else { return }
        for session in asked { sessions[session]?.extending.remove(token) }
        var values = BusValue.vardict([])
        if let content {
            try RequestCoding.checkDepth(of: content.content)
            values = NotificationContent.record.busValue(of: content.content)
        }
        let files = try Self.descriptors(of: content?.attachments ?? [])
        _ = try await call(
            "FinishExtension",
            [
                .string(app.rawValue), .uint64(token.rawValue), values,
                .array(element: "h", files),
            ])
    }

    /// Copies of the descriptors, for a message.
    static func descriptors(of files: [OpenFile]) throws(NotificationError) -> [BusValue] {
        var descriptors: [BusValue] = []
        for file in files {
            do throws(BusError) {
                descriptors.append(
                    .descriptor(try BusDescriptor(duplicating: file.descriptor)))
            } catch {
                throw NotificationError(.attachmentNotStored, error.message)
            }
        }
        return descriptors
    }

    // MARK: Signals

    func extend(_ token: ExtensionToken, _ request: NotificationRequest, of app: ApplicationID) {
        let session = sessions.first {
            $0.value.identity.id == app && $0.value.wishes.extendsPushes
        }
        guard let session else { return }
        sessions[session.key]?.extending.insert(token)
        session.value.listener(.extend(token, request, of: app))
    }

    func expire(_ token: ExtensionToken) {
        for session in sessions.values where session.extending.contains(token) {
            session.listener(.extensionWillExpire(token))
        }
    }
}
