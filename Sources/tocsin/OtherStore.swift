internal import Glibc
internal import NotificationModel

/// The store of the notification centre, while a daemon that the tool has started beside itself
/// serves another: what is not found here may wait there.
enum OtherStore {
    private static let developmentEnd = "/dev/center.sqlite"

    /// What is to be done to reach it; nil where the daemon here has the centre's own store.
    static func notice(at center: Center) async -> String? {
        guard let served = try? await center.service.status().store,
            served.hasSuffix(developmentEnd)
        else { return nil }
        let own = served.dropLast(developmentEnd.count) + "/center.sqlite"
        var status = stat()
        guard stat(String(own), &status) == 0, status.st_size > 0 else { return nil }
        return "the notification centre that has the store \(String(own).quotedForMessage()) does "
            + "not run on this bus; a tocsind started by this tool serves "
            + "\(served.quotedForMessage()) meanwhile. Start it with 'systemctl --user start "
            + "tocsind', or run 'tocsind' in a terminal; then try again."
    }

    /// What it means that something was not found.
    static func explained(_ error: ToolError, in environment: ToolEnvironment) async -> ToolError {
        guard let missing = error.missing,
            let center = try? await Center.open(environment),
            let notice = await notice(at: center)
        else { return error }
        return ToolError(
            .unreachable, "\(missing) was not found here and may wait elsewhere: \(notice)")
    }
}
