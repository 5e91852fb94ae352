/// A master playlist, which lists the variants of a stream.
package struct HLSMasterPlaylist: Sendable, Equatable {
    /// A variant stream.
    package struct Variant: Sendable, Equatable {
        /// The URL of its media playlist.
        package let address: String
        /// Peak bit rate in bits per second.
        package let bandwidth: Int
        /// The CODECS attribute, if present.
        package let codecs: String?

        /// Whether its frames are FLAC.
        package var isFLAC: Bool { codecs?.lowercased().contains("flac") == true }
    }

    /// The variants that the caller can play.
    package private(set) var variants: [Variant] = []
    /// The session data by id.
    package private(set) var sessionData: [String: String] = [:]

    init(
        _ lines: some Sequence<String>, from address: String, canPlay: (_ codecs: String?) -> Bool
    ) throws(HLSPlaylistError) {
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
                guard canPlay(codecs) else {
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
                ? HLSPlaylistError(
                    .unsupported, "the stream has no variant with a supported codec")
                : HLSPlaylistError(.malformed, "the master playlist has no variants")
        }
    }
}

extension StringProtocol {
    /// Returns the text after a prefix; nil if the prefix is missing.
    func value(of prefix: String) -> SubSequence? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
