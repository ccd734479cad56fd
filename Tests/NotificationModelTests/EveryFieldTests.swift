import NotificationModel
import TestSupport
import Testing

/// `EveryField.swift` sets every field of each record.
@Suite struct EveryFieldTests {
    /// Returns the names of the fields that no value has.
    private static func missing<Value>(
        in values: [Value], of record: NotificationModel.Record<Value>
    ) -> [String] {
        let names = values.flatMap { record.entries(of: $0).map(\.name) }
        return Set(record.names).subtracting(names).sorted()
    }

    /// Returns the stored properties that have their default value.
    private static func unset<Value>(in value: Value, usual: Value) -> [String] {
        zip(Mirror(reflecting: value).children, Mirror(reflecting: usual).children).compactMap {
            "\($0.value)" == "\($1.value)" ? $0.label : nil
        }
    }

    @Test func `no field of the sample content has its default value`() throws {
        let content = NotificationContent.everyField
        let usual = NotificationContent()
        #expect(Self.unset(in: content, usual: usual) == [], "set these in EveryField.swift")
        let desktop = try #require(content.desktop)
        #expect(Self.unset(in: desktop, usual: DesktopOptions()) == [])
        let localization = try #require(content.localization)
        #expect(Self.unset(in: localization, usual: ContentLocalization()) == [])
        let action = NotificationAction(identifier: "", title: "")
        for button in content.actions { #expect(Self.unset(in: button, usual: action) == []) }
        let attachment = NotificationAttachment(identifier: "", path: "", type: "")
        for file in content.attachments { #expect(Self.unset(in: file, usual: attachment) == []) }
    }

    @Test func `the sample records have every field`() {
        #expect(Self.missing(in: [.everyField], of: NotificationContent.record) == [])
        #expect(Self.missing(in: [.everyField], of: NotificationSound.record) == [])
        #expect(Self.missing(in: [.everyField], of: NotificationAction.record) == [])
        #expect(Self.missing(in: [.everyField], of: DesktopOptions.record) == [])
        #expect(
            Self.missing(in: NotificationTrigger.everyKind, of: NotificationTrigger.record) == [])
        #expect(
            Self.missing(in: NotificationRequest.everyField, of: NotificationRequest.record) == [])
        #expect(Self.missing(in: [.everyField], of: NotificationCategory.record) == [])
        #expect(Self.missing(in: [.everyField], of: ApplicationIdentity.record) == [])
        #expect(Self.missing(in: [.everyField], of: PresenterStatus.record) == [])
        #expect(Self.missing(in: [.everyField], of: ServiceStatus.record) == [])
        #expect(Self.missing(in: [.everyField], of: AppSwitch.record) == [])
        #expect(Self.missing(in: [.everyField], of: ApplicationSettings.record) == [])
    }

    private static func made<Value>(_ make: (inout ModelGenerator) -> Value) -> [Value] {
        (0..<200 as Range<UInt64>).map { seed in
            var generator = ModelGenerator(seed: seed)
            return make(&generator)
        }
    }

    @Test func `the model generator sets every field of each record`() {
        let requests = Self.made { $0.request() }
        let contents = requests.map(\.content)
        #expect(Self.missing(in: requests, of: NotificationRequest.record) == [])
        #expect(Self.missing(in: contents.compactMap(\.desktop), of: DesktopOptions.record) == [])
        #expect(Self.missing(in: contents.flatMap(\.actions), of: NotificationAction.record) == [])
        #expect(Self.missing(in: contents.compactMap(\.sound), of: NotificationSound.record) == [])
        let triggers = requests.compactMap(\.trigger)
        #expect(Self.missing(in: triggers, of: NotificationTrigger.record) == [])
        let categories = Self.made { $0.category() }
        #expect(Self.missing(in: categories, of: NotificationCategory.record) == [])
        let responses = Self.made { $0.response() }
        #expect(Self.missing(in: responses, of: NotificationResponse.record) == [])
        let identities = Self.made { $0.identity() }
        #expect(Self.missing(in: identities, of: ApplicationIdentity.record) == [])
        let states = Self.made { $0.status() }
        #expect(Self.missing(in: states, of: ServiceStatus.record) == [])
        #expect(Self.missing(in: states.map(\.presenter), of: PresenterStatus.record) == [])
        #expect(Self.missing(in: states.map(\.push), of: PushStatus.record) == [])
        let switches = Self.made { $0.appSwitch() }
        #expect(Self.missing(in: switches, of: AppSwitch.record) == [])
        let settings = Self.made { $0.settings() }
        #expect(Self.missing(in: settings, of: ApplicationSettings.record) == [])
    }
}
