internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// What becomes of a date that was missed.
struct LateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What is missed while the machine is off or asleep: shown once, late, or skipped.",
            valueName: "once|skip"))
    var catchUp = CatchUpOption.once

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How late it may still be shown; what is later is skipped.", valueName: "span"))
    var grace: String?

    /// The request with what the options say.
    func applied(to request: NotificationRequest) throws(ToolError) -> NotificationRequest {
        var request = request
        request.catchUp = catchUp.catchUp
        guard let grace else { return request }
        do throws(TimeTextError) {
            request.grace = try Span(grace).seconds
        } catch {
            throw ToolError(error)
        }
        return request
    }
}
