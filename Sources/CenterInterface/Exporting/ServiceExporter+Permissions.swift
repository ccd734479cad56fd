internal import DesktopBus
internal import NotificationModel

// The members of the interface about what an app may do, in the table's order.
extension ServiceExporter {
    func requestAuthorization(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let options = Permission.Options(
                rawValue: UInt(arguments[1].uint64Value ?? 0))
            let isGranted = try await self.service.requestAuthorization(
                options, for: try Self.app(arguments))
            return [.bool(isGranted)]
        }
    }

    func settings(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            [PermissionCoding.encode(try await self.service.settings(of: Self.app(arguments)))]
        }
    }

    func permissions(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { _ async throws(NotificationError) in
            let list = try await self.service.permissions()
            return [.dictionaries(list.map { PermissionCoding.encode($0) })]
        }
    }

    func decide(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.decide(
                try PermissionCoding.decision(arguments[1]), for: try Self.app(arguments))
            return []
        }
    }

    func setPreviews(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.setPreviews(
                try PermissionCoding.previews(arguments[1]), of: try Self.app(arguments))
            return []
        }
    }

    func openNotificationSettings(
        _ invocation: MethodInvocation
    ) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.openNotificationSettings(of: try Self.app(arguments))
            return []
        }
    }

    func setBadge(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.setBadge(
                Int(arguments[1].int64Value ?? 0), of: try Self.app(arguments))
            return []
        }
    }
}
