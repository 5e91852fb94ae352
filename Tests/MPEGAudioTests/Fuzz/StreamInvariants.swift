import MPEGAudio

/// Conditions that every scan's result must meet, whatever the input.
enum StreamInvariants {
    /// Returns the first violation, or nil.
    static func violation(
        in stream: MPEGAudioStream, bytes: [UInt8], random: inout some RandomNumberGenerator
    ) -> String? {
        frames(stream, bytes) ?? accounting(stream, bytes) ?? lookups(stream, &random) ?? segments(stream)
            ?? timeline(stream) ?? blob(stream) ?? preRoll(stream, bytes, &random)
    }

    private static func frames(_ stream: MPEGAudioStream, _ bytes: [UInt8]) -> String? {
        guard stream.index.count > 0 else { return "no frames" }
        guard stream.payload.lowerBound >= 0, stream.payload.upperBound <= bytes.count else {
            return "payload"
        }
        var end = stream.payload.lowerBound
        for section in stream.sections {
            for frame in section.frames {
                let extent = stream.index[frame]
                guard extent.offset >= end, extent.range.upperBound <= stream.payload.upperBound else {
                    return "frame \(frame) at \(extent.range) overlaps or is outside \(stream.payload)"
                }
                end = extent.range.upperBound
                guard let header = MPEGFrameHeader(bytes.span.bytes, at: extent.offset) else {
                    // Inside a chain, reserved emphasis is accepted, as decoders do.
                    guard bytes[extent.offset + 3] & 3 == 2 else { return "frame \(frame) has no header" }
                    continue
                }
                guard header.sampleRate == section.format.sampleRate,
                    header.channelCount == section.format.channelCount,
                    header.frameLength == nil || header.frameLength == extent.length
                else { return "frame \(frame) contradicts its header" }
            }
        }
        return nil
    }

    /// Checks that every byte belongs to a frame or a tag, or is counted as skipped.
    private static func accounting(_ stream: MPEGAudioStream, _ bytes: [UInt8]) -> String? {
        let diagnostics = stream.diagnostics
        var end = 0
        for tag in stream.tags {
            guard tag.range.lowerBound >= end, tag.range.upperBound <= bytes.count else {
                return "tag \(tag)"
            }
            end = tag.range.upperBound
        }
        let tagBytes = stream.tags.reduce(0) { $0 + $1.range.count }
        let sum =
            stream.index.byteCount + diagnostics.infoFrameBytes + tagBytes + diagnostics.skippedBytes
            + diagnostics.truncatedBytes
        return sum == bytes.count ? nil : "\(sum) bytes accounted for of \(bytes.count): \(diagnostics)"
    }

    private static func lookups(_ stream: MPEGAudioStream, _ random: inout some RandomNumberGenerator)
        -> String?
    {
        let index = stream.index
        for _ in 0..<4 {
            let frame = Int.random(in: 0..<index.count, using: &random)
            let ticks = index.startTicks(ofFrame: frame)
            let next = index.startTicks(ofFrame: frame + 1)
            guard index.frame(atTicks: ticks) == frame, index.frame(atTicks: next - 1) == frame else {
                return "frame \(frame) not found by its time"
            }
            if stream.sections.count == 1, index.frame(atSample: index.startSample(ofFrame: frame)) != frame {
                return "frame \(frame) not found by its sample"
            }
        }
        return index.frame(atTicks: index.totalTicks) == nil ? nil : "a frame after the end"
    }

    private static func segments(_ stream: MPEGAudioStream) -> String? {
        guard let plan = try? SegmentPlan(index: stream.index, targetDuration: 0.25) else {
            return stream.diagnostics.isFreeFormat ? nil : "no segment plan"
        }
        var frame = 0
        var ticks = 0
        var byteCount = 0
        for segment in plan.segments {
            guard segment.firstFrame == frame, segment.frameCount > 0, segment.startTicks == ticks else {
                return "segment \(segment.index) does not follow the previous one"
            }
            frame = segment.frames.upperBound
            ticks += segment.ticks
            byteCount += segment.byteCount
            guard segment.byteRanges.first?.lowerBound == stream.index[segment.firstFrame].offset,
                segment.byteRanges.last?.upperBound == stream.index[frame - 1].range.upperBound
            else { return "segment \(segment.index) differs from the bytes of its frames" }
        }
        return frame == stream.index.count && ticks == stream.index.totalTicks
            && byteCount == stream.index.byteCount
            ? nil : "segments do not add up"
    }

    private static func timeline(_ stream: MPEGAudioStream) -> String? {
        let timeline = stream.timeline
        return timeline.headTrim >= 0 && timeline.tailTrim >= 0 && timeline.sampleCount >= 0
            && timeline.ticks >= 0
            ? nil : "timeline \(timeline)"
    }

    private static func blob(_ stream: MPEGAudioStream) -> String? {
        guard let copy = try? FrameIndex(decoding: stream.index.encoded()) else {
            return "the blob is rejected"
        }
        return copy == stream.index ? nil : "the blob decodes to a different index"
    }

    private static func preRoll(
        _ stream: MPEGAudioStream, _ bytes: [UInt8], _ random: inout some RandomNumberGenerator
    ) -> String? {
        let frame = Int.random(in: 0..<stream.index.count, using: &random)
        let first = try? BitReservoir.firstFrameToFeed(
            toDecode: frame, index: stream.index, bytes: bytes.span.bytes)
        guard let first else {
            // Only a header with reserved emphasis is rejected.
            return stream.index.contains { bytes[$0.offset + 3] & 3 == 2 } ? nil : "no pre-roll"
        }
        return (0...frame).contains(first) ? nil : "pre-roll of \(frame) from \(first)"
    }
}
