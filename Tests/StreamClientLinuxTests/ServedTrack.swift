import ClientTestSupport
import MusicShared
import TestSupport

/// A track as served by the host.
enum ServedTrack {
    /// A master playlist with trimming data, and segments of about one second.
    static func serve(
        _ name: String, _ file: [UInt8], samples: Int, into resources: inout [String: FaultyServer.Resource]
    ) throws {
        var frames: [Range<Int>] = []
        var position = 0
        while let length = FrameLength.of(file, at: position) {
            frames.append(position..<position + length)
            position += length
        }
        // The first frame is LAME's Info frame: 576 samples of delay; the padding fills the last frame.
        frames.removeFirst()
        let padding = frames.count * 1152 - 576 - samples
        var segments: [HLSSegment] = []
        for start in stride(from: 0, to: frames.count, by: 38) {
            let part = frames[start..<min(start + 38, frames.count)]
            let path = "/\(name)/\(segments.count).mp3"
            let bytes = Array(file[(part.first?.lowerBound ?? 0)..<(part.last?.upperBound ?? 0)])
            resources[path] = .init(bytes, entityTag: "\"\(path)\"")
            segments.append(
                HLSSegment(
                    uri: "\(segments.count).mp3", sampleCount: part.count * 1152, sampleRate: 44_100))
        }
        let type = HLSManifestGenerator.contentType
        resources["/\(name)/stream.m3u8"] = .init(
            Array(HLSManifestGenerator.mediaPlaylist(segments).utf8), mediaType: type, entityTag: nil)
        let facts = [
            ("encoder_delay_samples", 576), ("encoder_padding_samples", padding), ("sample_count", samples),
        ].map { HLSManifestGenerator.SessionData(id: "org.audiocompanion.\($0.0)", value: "\($0.1)") }
        let master = HLSManifestGenerator.masterPlaylist(
            variants: [.init(uri: "stream.m3u8", bandwidth: 140_000, averageBandwidth: 130_000)],
            sessionData: facts)
        resources["/\(name)/master.m3u8"] = .init(Array(master.utf8), mediaType: type, entityTag: nil)
    }
}
