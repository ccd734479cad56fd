import Clibdbus
import Foundation
import TestSupport
import Testing

@testable import DesktopBus

/// Hostile messages and texts do not stop the program, and a message is read as it was written.
@Suite struct WireFuzzTests {
    @Test func `no bytes of a message stop the program`() throws {
        var seeds: [[UInt8]] = []
        var random = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            var make = ValueGenerator(random: random)
            seeds.append(try Self.bytes(of: make.body()))
            random = make.random
        }
        let accepted = Recording<Bool>()
        try FuzzRun("wire", rounds: 6_000).mutants(of: seeds) { bytes in
            guard let message = Self.message(bytes) else { return }
            defer { dbus_message_unref(message) }
            accepted.append(true)
            _ = try? BodyReader.read(message, budget: .max)
            _ = BodyReader.firstString(message)
        }
        #expect(accepted.all.count > 60, "more than 60 mutants must be messages")
    }

    @Test func `a body of any type is read as it was written`() throws {
        try FuzzRun("values", rounds: 2_000).rounds { _, random in
            var make = ValueGenerator(random: random)
            let body = make.body()
            guard let message = Self.message(try Self.bytes(of: body)) else {
                throw HarnessError("libdbus refuses \(body)")
            }
            defer { dbus_message_unref(message) }
            let back = try BodyReader.read(message, budget: .max)
            // Compare the texts, because NaN equals nothing.
            guard "\(back)" == "\(body)" else { throw HarnessError("\(body) was read as \(back)") }
        }
    }

    @Test func `no address, name or signature stops the program`() throws {
        try FuzzRun("names", rounds: 4_000).mutants(
            of: [
                "unix:path=/run/user/1000/bus;tcp:host=a,port=1", "unix:abstract=%2ftmp%2Fx",
                "org.freedesktop.DBus.Error.Failed", ":1.5", "/org/a/b", "a{s(iv)}aay",
            ], words: ["%", "%2", "unix:", ";", ",", "a{", "((", "}}", ".."]
        ) { text in
            _ = try? BusAddress(text)
            _ = try? BusName(text)
            _ = try? ErrorName(text)
            _ = try? InterfaceName(text)
            _ = try? MemberName(text)
            _ = try? ObjectPath(text)
            _ = try? Signature(text)
        }
    }

    private static func bytes(of body: [BusValue]) throws -> [UInt8] {
        let message = try OutgoingMessage(
            MethodCall(
                destination: "org.example.A", path: "/a", interface: "org.example.B", member: "C",
                arguments: body))
        // libdbus marshals only messages with a serial number.
        dbus_message_set_serial(message.pointer, 1)
        var data: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        guard dbus_message_marshal(message.pointer, &data, &length) != 0, let data else {
            throw HarnessError("\(body) is no message")
        }
        defer { dbus_free(data) }
        return (0..<Int(length)).map { UInt8(bitPattern: data[$0]) }
    }

    private static func message(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBytes { buffer in
            buffer.bindMemory(to: CChar.self).baseAddress.flatMap {
                dbus_message_demarshal($0, Int32(buffer.count), nil)
            }
        }
    }
}
