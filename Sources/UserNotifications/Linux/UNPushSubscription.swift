/// An app's subscription to remote notifications; the app passes the subscription to its server.
///
/// Linux has no push service of its own. The user's push distributor (UnifiedPush) gives each app a
/// URL. The app's server posts encrypted messages of Web Push (RFC 8291) to this URL. The device
/// token of `UIApplicationDelegate` is ``deviceToken``: the JSON of a W3C PushSubscription. Every
/// library for Web Push takes this JSON.
public struct UNPushSubscription: Hashable, Sendable {
    /// The subscription as JSON in UTF-8: `{"endpoint":…,"keys":{"p256dh":…,"auth":…}}`.
    public let deviceToken: Data
    /// The URL to which the server posts its messages.
    public let endpoint: String
    /// The public key of P-256 with which the server encrypts, 65 bytes.
    public let p256dh: Data
    /// The secret that the server and this computer share, 16 bytes.
    public let auth: Data

    /// Reads a device token.
    ///
    /// - Throws: A ``UNServiceError`` if the data is no subscription.
    public init(deviceToken: Data) throws {
        guard let json = try? JSONDecoder().decode(Document.self, from: deviceToken),
            let p256dh = Data(base64URL: json.keys.p256dh), p256dh.count == 65,
            let auth = Data(base64URL: json.keys.auth), auth.count == 16
        else {
            throw UNServiceError(
                .invalidArgument,
                "The device token cannot be read: it is not the JSON of a PushSubscription with "
                    + "endpoint, p256dh and auth. Pass the data that the registration returned.")
        }
        self.deviceToken = deviceToken
        endpoint = json.endpoint
        self.p256dh = p256dh
        self.auth = auth
    }

    private struct Document: Decodable {
        var endpoint: String
        var keys: Keys
    }

    private struct Keys: Decodable {
        var p256dh: String
        var auth: String
    }
}

extension Data {
    /// Bytes of Base64URL without padding (RFC 4648, section 5).
    fileprivate init?(base64URL text: String) {
        var text = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: text)
    }
}
