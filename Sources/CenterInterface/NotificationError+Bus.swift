package import DesktopBus
package import NotificationModel

extension NotificationError {
    var busError: BusError {
        guard let name = try? ErrorName(CenterName.errorPrefix + code.rawValue) else {
            return BusError(.unexpectedType, message)
        }
        return .remote(name, message)
    }

    package init(_ error: BusError) {
        if let name = error.remoteName?.rawValue, name.hasPrefix(CenterName.errorPrefix) {
            let code = Code(rawValue: String(name.dropFirst(CenterName.errorPrefix.count)))
            self.init(code ?? .protocolViolation, error.message)
            return
        }
        self.init(error.isOfFailedStart ? .noDaemon : Self.code(for: error.code), error.message)
    }

    private static func code(for code: BusError.Code) -> Code {
        switch code {
        case .noBus, .connectionFailed, .disconnected: .noBus
        case .timedOut, .cancelled, .noReply, .serviceUnknown, .nameUnavailable: .noDaemon
        case .invalidValue, .tooLarge: .invalidArgument
        case .accessDenied: .accessDenied
        case .limitsExceeded: .limitReached
        case .unexpectedType, .alreadyExported, .remote, .system: .protocolViolation
        }
    }

    static func undecodable(_ member: String, _ error: NotificationError) -> NotificationError {
        NotificationError(
            .protocolViolation,
            "The notification centre's \(member) could not be understood: \(error.message) "
                + "Install tocsind and this program from the same version.")
    }
}
