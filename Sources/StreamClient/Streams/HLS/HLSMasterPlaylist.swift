/// A master playlist, which lists the variants of a stream.
struct HLSMasterPlaylist: Sendable, Equatable {
    /// A variant stream.
    struct Variant: Sendable, Equatable {
        /// The URL of its media playlist.
        let address: String
        /// Peak bit rate in bits per second.
        let bandwidth: Int
        /// The CODECS attribute, if present.
        let codecs: String?

        /// Whether its frames are FLAC.
        var isFLAC: Bool { codecs?.lowercased().contains("flac") == true }
    }

    /// The variants that are MP3 or FLAC or do not declare a codec.
    private(set) var variants: [Variant] = []
    /// The session data by id.
    private(set) var sessionData: [String: String] = [:]

    init(_ lines: some Sequence<String>, from address: String) throws(PlaybackError) {
        var attributes: HLSAttributes?
        var others = 0
        for line in lines where !line.isEmpty {
            if let text = line.value(of: "#EXT-X-STREAM-INF:") {
                attributes = HLSAttributes(text)
            } else if let text = line.value(of: "#EXT-X-SESSION-DATA:") {
                let data = HLSAttributes(text)
                if let id = data["DATA-ID"], let value = data["VALUE"] { sessionData[id] = value }
            } else if !line.hasPrefix("#"), let known = attributes {
                attributes = nil
                let codecs = known["CODECS"]
                guard Self.isPlayable(codecs) else {
                    others += 1
                    continue
                }
                variants.append(
                    Variant(
                        address: try HLSPlaylist.resolve(line, address),
                        bandwidth: known["BANDWIDTH"].flatMap { Int($0) } ?? 0, codecs: codecs))
            }
        }
        guard !variants.isEmpty else {
            throw others > 0
                ? PlaybackError(
                    .unsupported, "the stream has no variant with MP3 or FLAC; others are not supported")
                : PlaybackError(.badPlaylist, "the master playlist has no variants")
        }
    }

    private static func isPlayable(_ codecs: String?) -> Bool {
        guard let codecs else { return true }
        return ["mp4a.40.34", "mp4a.6b", "mp4a.69", "mp3", "flac"].contains {
            codecs.lowercased().contains($0)
        }
    }
}

extension StringProtocol {
    /// Returns the text after a prefix; nil if the prefix is missing.
    func value(of prefix: String) -> SubSequence? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
