import CommandLineProgram
import Foundation
import StreamHost

extension Following {
    /// Name of the environment variable with the primary's API key.
    private static let keyVariable = "FOLLOW_KEY"

    /// Returns what the settings say about the host to follow; nil if they name none.
    /// - Throws: `UsageError` for a missing or malformed key or address.
    init?(_ settings: EffectiveSettings) throws {
        guard let address = settings[\.follow] else { return nil }
        let key: String
        if let path = settings[\.followKeyFile] {
            key = try PrivateFile.line(of: path, named: "the API key")
        } else if let text = ProcessInfo.processInfo.environment[Self.keyVariable], !text.isEmpty {
            key = text
        } else {
            throw UsageError(
                message:
                    "--follow needs the API key of that host: write it to a file, for --follow-key-file, or set \(Self.keyVariable)"
            )
        }
        self.init(
            primary: try PrimaryHost(
                address: address, key: key, userAgent: "audio-companion/\(ProductVersion.text)"),
            sharesMusic: settings[\.music] != nil, audioCacheBytes: settings[\.followCache] << 30)
    }
}
