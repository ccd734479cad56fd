import CenterInterface
import DesktopBus
import Foundation
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

/// The XML in `dbus/` and the table in the program are one contract.
@Suite struct ContractTests {
    @Test func `the table and the XML have the same members`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../dbus/org.tocsin.NotificationCenter1.xml")
        let document = try InterfaceDocument(contentsOf: file)
        #expect(document.interface == CenterName.interface.rawValue)
        #expect(document.path == CenterName.path.rawValue)
        #expect(document.members == Self.members(try Self.table()))
    }

    @Test func `every member is described in prose`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../dbus/org.tocsin.NotificationCenter1.xml")
        let text = try String(contentsOf: file, encoding: .utf8)
        let table = try Self.table()
        let names =
            table.methods.map(\.name) + table.signals.map(\.name) + table.properties.map(\.name)
        for name in names {
            #expect(text.contains(" \(name):") || text.contains("\n      \(name):"), "\(name)")
        }
    }

    /// The prose of the XML is written by hand, so a new key could be missing there.
    @Test func `every key of a record on the bus is described in prose`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../dbus/org.tocsin.NotificationCenter1.xml")
        let text = try String(contentsOf: file, encoding: .utf8)
        let words = Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        let names =
            AddedRequest.record.names + PendingNotification.record.names
            + DeliveredNotification.record.names + NotificationResponse.record.names
            + NotificationRecord.record.names + SkippedOccurrence.record.names
            + NotificationTrigger.record.names + NotificationSound.record.names
            + NotificationAttachment.record.names + NotificationCategory.record.names
            + NotificationAction.record.names + DesktopOptions.record.names
            + ContentLocalization.record.names + LocalizedText.record.names
            + ApplicationIntroduction.record.names + ServiceVersion.record.names
            + ServiceStatus.record.names + PresenterStatus.record.names
            + ApplicationSettings.record.names + ApplicationPermission.record.names
            + AppSwitch.record.names + PushHeaders.record.names + ListQuery.record.names
        for name in Set(names).subtracting(words).sorted() { Issue.record("\(name)") }
    }

    /// A caller must not need the description of another member to understand a key.
    @Test func `the description of a member names every key of the member's records`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../dbus/org.tocsin.NotificationCenter1.xml")
        let comments = try String(contentsOf: file, encoding: .utf8)
            .components(separatedBy: "<!--").dropFirst()
            .compactMap { $0.components(separatedBy: "-->").first }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let members: [(name: String, keys: [String])] = [
            ("Connect", ApplicationIntroduction.record.names + ServiceVersion.record.names),
            ("Push", PushHeaders.record.names),
            ("Pending", ListQuery.record.names),
            ("Skip", SkippedOccurrence.record.names),
            ("Records", NotificationRecord.record.names),
            ("SetCategories", NotificationCategory.record.names + NotificationAction.record.names),
            ("Settings", ApplicationSettings.record.names + AppSwitch.record.names),
            ("Permissions", ApplicationPermission.record.names),
            ("Status", ServiceStatus.record.names + PresenterStatus.record.names),
            ("Response", NotificationResponse.record.names),
        ]
        for member in members {
            let comment = try #require(comments.first { $0.hasPrefix("\(member.name):") })
            let words = Set(comment.split { !$0.isLetter && !$0.isNumber }.map(String.init))
            #expect(Set(member.keys).subtracting(words).isEmpty, "\(member.name)")
        }
    }

    private static func table() throws -> InterfaceTable {
        let connection = BusConnection(
            address: try BusAddress("unix:path=/nowhere"), reactor: Reactor.started("contract"))
        return ServiceExporter(service: ScriptedService(), connection: connection).table
    }

    private static func members(_ table: InterfaceTable) -> [String] {
        func list(_ arguments: [ArgumentEntry], _ direction: String) -> [String] {
            arguments.map { "\(direction)\($0.name) \($0.signature)" }
        }
        var result: [String] = []
        for method in table.methods {
            let arguments = list(method.in, "in ") + list(method.out, "out ")
            result.append("method \(method.name)(\(arguments.joined(separator: ", ")))")
        }
        for signal in table.signals {
            let arguments = list(signal.arguments, "").joined(separator: ", ")
            result.append("signal \(signal.name)(\(arguments))")
        }
        for property in table.properties {
            let access = property.set == nil ? "read" : "readwrite"
            result.append(
                "property \(property.name) \(property.signature) \(access) "
                    + property.changeReport.rawValue)
        }
        return result
    }
}

/// The members of an introspection file as lines, in the order of the file.
///
/// Reads only the XML of this one file: comments, and elements whose attributes are in quotes.
struct InterfaceDocument {
    private(set) var interface = ""
    private(set) var path = ""
    private(set) var members: [String] = []
    private var arguments: [String] = []

    init(contentsOf file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        for element in text.replacing(/<!--(?s:.*?)-->/, with: "").matches(of: /<([^>]*)>/) {
            read(String(element.1))
        }
    }

    private mutating func read(_ element: String) {
        let name = element.prefix { $0.isLetter || $0 == "/" || $0 == "!" }
        var attributes: [String: String] = [:]
        for match in element.matches(of: /(\w+)="([^"]*)"/) {
            attributes[String(match.1)] = String(match.2)
        }
        read(String(name), attributes)
        if element.hasSuffix("/"), name == "method" || name == "signal" {
            read("/\(name)", [:])
        }
    }

    private mutating func read(_ element: String, _ attributes: [String: String]) {
        let name = attributes["name"] ?? ""
        let type = attributes["type"] ?? ""
        switch element {
        case "node": path = name
        case "interface": interface = name
        case "arg":
            let direction = attributes["direction"].map { $0 + " " } ?? ""
            arguments.append("\(direction)\(name) \(type)")
        case "property": members.append("property \(name) \(type) \(attributes["access"] ?? "")")
        case "annotation" where name == "org.freedesktop.DBus.Property.EmitsChangedSignal":
            guard let last = members.popLast() else { return }
            members.append("\(last) \(attributes["value"] ?? "")")
        case "method", "signal": members.append("\(element) \(name)")
        case "/method", "/signal":
            guard let last = members.popLast() else { return }
            members.append("\(last)(\(arguments.joined(separator: ", ")))")
            arguments = []
        default: break
        }
    }
}
