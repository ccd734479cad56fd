import Foundation
import NotificationModel
import PushDistributor
import TestSupport
import Testing

/// The files of a distributor, in a separate directory for each test.
@Suite struct DistributorFileTests {
    private let folder = NSTemporaryDirectory() + "distributor-" + UUID().uuidString

    @Test func `a missing file reads as empty, and a written file is private and readable`() throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (state, configuration) = (folder + "/state.json", folder + "/a/configuration.json")
        #expect(try DistributorState(file: state) == DistributorState())
        var registered = DistributorState()
        registered.registrations["token"] = .init(
            service: "org.example.App", token: "token", version: 2, server: "https://a.example",
            topic: "topic")
        try registered.write(state)
        #expect(try DistributorState(file: state) == registered)
        var chosen = try DistributorConfiguration(file: configuration)
        try chosen.choose("https://a.example/", accessToken: "secret")
        try chosen.write(configuration)
        #expect(try DistributorConfiguration(file: configuration) == chosen)
        for file in [state, configuration] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(file)")
        }
    }

    @Test func `a server whose scheme is in upper case is chosen, and another scheme refused`()
        throws
    {
        var configuration = DistributorConfiguration()
        try configuration.choose("HTTPS://ntfy.example/Base/", accessToken: "secret")
        #expect(configuration.server == "https://ntfy.example/Base")
        #expect(configuration.accessTokens == ["https://ntfy.example/Base": "secret"])
        #expect(throws: NotificationError.self) {
            try configuration.choose("ftp://ntfy.example", accessToken: nil)
        }
    }

    @Test func `the error about an unusable file names the file or the reason`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder + "/folder", withIntermediateDirectories: true)
        try "{".write(toFile: folder + "/damaged", atomically: true, encoding: .utf8)
        for file in ["damaged", "folder"].map({ folder + "/" + $0 }) {
            let state = #expect(throws: NotificationError.self) { try DistributorState(file: file) }
            #expect(state?.code == .storeUnavailable && state?.message.contains(file) == true)
            let chosen = #expect(throws: NotificationError.self) {
                try DistributorConfiguration(file: file)
            }
            #expect(chosen?.message.contains("tocsin-distributor --server URL") == true)
            // The reason of damaged JSON ends with a full stop, which the message must not repeat.
            for error in [state, chosen] {
                #expect(error?.message.contains("..") == false, "\(error?.message ?? "")")
            }
        }
        let written = #expect(throws: NotificationError.self) {
            try DistributorState().write(folder + "/folder")
        }
        #expect(written?.message.contains("Is a directory") == true, "\(written?.message ?? "")")
        let below = #expect(throws: NotificationError.self) {
            try DistributorConfiguration().write(folder + "/damaged/configuration")
        }
        #expect(below?.code == .storeUnavailable)
    }

    @Test func `a server that is chosen again keeps its token until an empty token removes it`()
        throws
    {
        var configuration = DistributorConfiguration()
        try configuration.choose("https://a.example", accessToken: "secret")
        try configuration.choose("https://b.example", accessToken: nil)
        try configuration.choose("https://a.example/", accessToken: nil)
        #expect(configuration.accessTokens == ["https://a.example": "secret"])
        try configuration.choose("https://a.example", accessToken: "")
        #expect(configuration.accessTokens.isEmpty)
    }

    @Test func `a password in a server's address is refused and not repeated`() {
        var configuration = DistributorConfiguration()
        let error = #expect(throws: NotificationError.self) {
            try configuration.choose("https://me:secret@a.example", accessToken: nil)
        }
        #expect(error?.message.contains("--access-token-file") == true)
        #expect(error?.message.contains("secret") == false)
        #expect(configuration == DistributorConfiguration())
    }
}
