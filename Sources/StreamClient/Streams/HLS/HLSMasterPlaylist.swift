/// A playlist of qualities of the same thing.
struct HLSMasterPlaylist: Sendable, Equatable {
    /// One quality.
    struct Variant: Sendable, Equatable {
        /// Address of its media playlist.
        let address: String
        /// Highest bits per second.
        let bandwidth: Int
        /// CODECS, where it is told.
        let codecs: String?
    }

    /// The qualities whose codec is not known to be another than MP3.
    private(set) var variants: [Variant] = []
    /// Facts by name.
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
                guard Self.mayBeMP3(codecs) else {
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
                ? PlaybackError(.unsupported, "no quality of the stream is MP3, the only codec supported")
                : PlaybackError(.badPlaylist, "the master playlist lists nothing")
        }
    }

    private static func mayBeMP3(_ codecs: String?) -> Bool {
        guard let codecs else { return true }
        return ["mp4a.40.34", "mp4a.6b", "mp4a.69", "mp3"].contains { codecs.lowercased().contains($0) }
    }
}

extension StringProtocol {
    /// What follows a prefix; nil where it is not there.
    func value(of prefix: String) -> SubSequence? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
