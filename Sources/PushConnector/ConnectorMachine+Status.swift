internal import NotificationModel

extension ConnectorMachine {
    /// The error for apps while no distributor can be used.
    var noDistributor: NotificationError {
        let reason =
            choice.wanted.map {
                "the chosen push distributor \($0.quotedForMessage()) neither runs nor can be "
                    + "started. Install or start it, or choose another one with 'tocsin settings "
                    + "--push-distributor'."
            }
            ?? "no push distributor (UnifiedPush) runs or can be started. Install one, such as "
            + "KUnifiedPush."
        return NotificationError(
            .noDistributor, "Remote notifications were requested, but \(reason)")
    }

    /// The effect that answers the waiting calls of apps; empty if no call waits.
    func answer(
        _ waiters: [UInt64], _ result: Result<PushRegistration, NotificationError>
    ) -> [Effect] {
        waiters.isEmpty ? [] : [.answer(waiters, result)]
    }

    func refusal(_ reason: String) -> NotificationError {
        let name = current.map { UnifiedPush.name(of: $0.name) } ?? ""
        return NotificationError(
            .distributorRefused,
            "The app could not be registered with the push distributor "
                + "\(name.quotedForMessage()): \(reason)")
    }

    /// The state of remote notifications, except its `unreadableCount`.
    ///
    /// `PushConnector` sets that number, because it counts the messages that it cannot decrypt or
    /// use.
    var status: PushStatus {
        var status = PushStatus()
        status.isSupported = true
        status.distributor = current.map { UnifiedPush.name(of: $0.name) } ?? ""
        status.version = current?.version?.rawValue ?? 0
        status.chosen = choice.wanted ?? ""
        status.available = choice.available
        status.appCount = registrations.count
        status.endpointCount = registrations.count {
            $0.endpoint != nil && $0.distributor == current?.name
        }
        status.problem = current == nil && !registrations.isEmpty ? noDistributor.message : problem
        return status
    }
}
