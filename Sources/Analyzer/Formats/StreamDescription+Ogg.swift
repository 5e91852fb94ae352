internal import AudioFrames
internal import MusicShared
internal import OggAudio

extension StreamDescription {
    /// Describes a scanned stream.
    init(_ stream: OggAudioStream, _ decoded: DecodedAudio) {
        let skipped = stream.index.links.reduce(0) { $0 + $1.skippedSamples }
        self.init(
            format: stream.codec == .opus ? .opus : .vorbis, mpegVersion: nil,
            sampleRateHz: stream.sampleRate, channels: stream.channelCount,
            bitRateMode: Self.hasEqualPackets(stream) ? "constant" : "variable",
            averageBitRate: stream.averageBitRate, frameCount: stream.index.packets.count,
            samplesPerFrame: stream.index.packets.usualSamples, encoderDelaySamples: skipped,
            encoderPaddingSamples: stream.index.packets.sampleCount - skipped - stream.sampleCount,
            decodedSampleCount: stream.index.packets.sampleCount, sampleCount: stream.sampleCount,
            durationSeconds: stream.durationSeconds, frameIndex: stream.index.encoded(),
            skippedBytes: stream.diagnostics.skippedBytes, resyncCount: stream.diagnostics.resyncCount,
            damagedFrameCount: decoded.damagedFrames, remarks: Self.remarks(on: stream, decoded))
    }

    /// Whether all packets have the same size, as those of a constant bit rate have.
    private static func hasEqualPackets(_ stream: OggAudioStream) -> Bool {
        var size: Int?
        var isEqual = true
        stream.index.packets.forEach { packet in
            isEqual = size == nil || size == packet.byteCount
            size = packet.byteCount
            return isEqual
        }
        return isEqual
    }

    private static func remarks(on stream: OggAudioStream, _ decoded: DecodedAudio) -> [String] {
        let diagnostics = stream.diagnostics
        var remarks: [String] = []
        func note(_ count: Int, _ one: String, _ several: String) {
            if count > 0 { remarks.append(count == 1 ? "1 \(one)" : "\(count) \(several)") }
        }
        if diagnostics.isTruncated { remarks.append("the last page or packet is cut off") }
        if diagnostics.hasNoLastPage { remarks.append("no page is marked as the last") }
        note(diagnostics.damagedPageCount, "page is damaged and left out", "pages are damaged and left out")
        note(diagnostics.gapCount, "gap in the pages' numbers", "gaps in the pages' numbers")
        note(diagnostics.skippedBytes, "byte belongs to no page", "bytes belong to no page")
        note(diagnostics.invalidPacketCount, "packet is invalid", "packets are invalid")
        note(
            diagnostics.foreignPageCount, "page of another stream is ignored",
            "pages of other streams are ignored")
        if stream.index.links.count > 1 { remarks.append("\(stream.index.links.count) streams joined") }
        note(
            diagnostics.differingLinkCount, "joined stream of another format is left out",
            "joined streams of another format are left out")
        if diagnostics.hasLeadingID3v2 { remarks.append("an ID3v2 tag precedes the Ogg stream") }
        note(
            decoded.damagedFrames, "packet is damaged and was measured as silence",
            "packets are damaged and were measured as silence")
        return remarks
    }
}
