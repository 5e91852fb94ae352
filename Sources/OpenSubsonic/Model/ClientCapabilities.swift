/// The formats that a client can play, as it sends them to getTranscodeDecision (`ClientInfo` of the extension transcoding).
///
/// An empty list of containers, codecs or protocols means any; a limit that is missing or 0 means none. Limitations count only
/// where they are required.
package struct ClientCapabilities: Decodable, Sendable {
    /// Formats that a client plays as they are.
    package struct DirectPlayProfile: Decodable, Sendable {
        let containers: [String]?
        let audioCodecs: [String]?
        let protocols: [String]?
        let maxAudioChannels: Int?
    }

    /// A format that a client accepts in place of the original.
    package struct TranscodingProfile: Decodable, Sendable {
        let container: String?
        let audioCodec: String?
        let `protocol`: String?
        let maxAudioChannels: Int?
    }

    /// Limits of a codec.
    package struct CodecProfile: Decodable, Sendable {
        let type: String?
        let name: String?
        let limitations: [Limitation]?
    }

    /// A limit of one property.
    package struct Limitation: Decodable, Sendable {
        let name: String
        let comparison: String
        let values: [String]
        let required: Bool?
    }

    let maxAudioBitrate: Int?
    let maxTranscodingAudioBitrate: Int?
    let directPlayProfiles: [DirectPlayProfile]?
    let transcodingProfiles: [TranscodingProfile]?
    let codecProfiles: [CodecProfile]?

    /// Returns why the client cannot play a stream as it is, one reason for each of its profiles; empty where it can.
    package func obstacles(to stream: StreamDetails) -> [String] {
        if Self.exceeds(stream.bitRate, maxAudioBitrate) { return ["AudioBitrateNotSupported"] }
        if let limitation = brokenLimitation(stream) { return [limitation] }
        let profiles = directPlayProfiles ?? []
        guard !profiles.isEmpty else { return ["NoDirectPlayProfile"] }
        var reasons: [String] = []
        for profile in profiles {
            guard let reason = Self.obstacle(stream, profile) else { return [] }
            reasons.append(reason)
        }
        return reasons
    }

    /// Whether the client takes a stream in place of the original.
    package func accepts(_ stream: StreamDetails) -> Bool {
        guard !Self.exceeds(stream.bitRate, maxTranscodingAudioBitrate ?? maxAudioBitrate),
            brokenLimitation(stream) == nil
        else { return false }
        return (transcodingProfiles ?? []).contains { profile in
            Self.equals(profile.container, stream.container) && Self.equals(profile.audioCodec, stream.codec)
                && Self.equals(profile.protocol, stream.streamProtocol)
                && !Self.exceeds(stream.channels, profile.maxAudioChannels)
        }
    }

    private static func obstacle(_ stream: StreamDetails, _ profile: DirectPlayProfile) -> String? {
        func isMissing(_ value: String, _ list: [String]?) -> Bool {
            guard let list, !list.isEmpty else { return false }
            return !list.contains { equals($0, value) }
        }
        if isMissing(stream.container, profile.containers) { return "ContainerNotSupported" }
        if isMissing(stream.codec, profile.audioCodecs) { return "AudioCodecNotSupported" }
        if isMissing(stream.streamProtocol, profile.protocols) { return "ProtocolNotSupported" }
        if exceeds(stream.channels, profile.maxAudioChannels) { return "AudioChannelsNotSupported" }
        return nil
    }

    private func brokenLimitation(_ stream: StreamDetails) -> String? {
        let profiles = (codecProfiles ?? []).filter {
            Self.equals($0.type, "AudioCodec") && Self.equals($0.name, stream.codec)
        }
        for limitation in profiles.flatMap({ $0.limitations ?? [] })
        where limitation.required ?? false && !Self.holds(limitation, stream) {
            let name = limitation.name
            return "\(name.prefix(1).uppercased())\(name.dropFirst().prefix(50))NotSupported"
        }
        return nil
    }

    private static func holds(_ limitation: Limitation, _ stream: StreamDetails) -> Bool {
        let value: Int? =
            switch limitation.name.lowercased() {
            case "audiochannels": stream.channels
            case "audiobitrate": stream.bitRate
            case "audiosamplerate": stream.sampleRate
            default: nil
            }
        // MP3 has neither profiles nor a bit depth.
        guard let value else { return true }
        let numbers = limitation.values.compactMap { Int($0) }
        switch limitation.comparison.lowercased() {
        case "equals": return numbers.contains(value)
        case "notequals": return !numbers.contains(value)
        case "lessthanequal": return numbers.first.map { value <= $0 } ?? false
        case "greaterthanequal": return numbers.first.map { value >= $0 } ?? false
        default: return false
        }
    }

    private static func exceeds(_ value: Int, _ limit: Int?) -> Bool {
        guard let limit, limit > 0 else { return false }
        return value > limit
    }

    private static func equals(_ text: String?, _ value: String) -> Bool {
        text?.lowercased() == value.lowercased()
    }
}
