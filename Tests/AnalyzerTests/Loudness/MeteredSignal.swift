import TestSupport

@testable import Analyzer

/// Feeds whole signals to the meters in blocks of uneven length, like a decoder.
enum MeteredSignal {
    static func meter(_ channels: [Signal], weights: [Double]? = nil) -> LoudnessMeter {
        var meter = LoudnessMeter(
            sampleRate: channels[0].sampleRate,
            channelWeights: weights ?? [Double](repeating: 1, count: channels.count))
        inBlocks(channels) { meter.consume($0) }
        return meter
    }

    static func measure(_ channels: [Signal], weights: [Double]? = nil) -> LoudnessMeasurement {
        var meter = meter(channels, weights: weights)
        return meter.finish()
    }

    static func reference(_ channels: [Signal]) throws -> LoudnessMeasurement {
        let meter = try ReferenceLoudnessMeter(
            sampleRate: Int(channels[0].sampleRate), channelCount: channels.count)
        inBlocks(channels) { meter.consume($0) }
        return meter.finish()
    }

    /// Returns libebur128's short-term loudness in LUFS every 100 ms.
    static func referenceShortTerm(_ channels: [Signal]) throws -> [Double] {
        let meter = try ReferenceLoudnessMeter(
            sampleRate: Int(channels[0].sampleRate), channelCount: channels.count)
        inBlocks(channels) { meter.consume($0) }
        _ = meter.finish()
        return meter.shortTermLUFS
    }

    static func inBlocks(_ channels: [Signal], _ body: ([UnsafeBufferPointer<Float>]) -> Void) {
        let count = channels[0].samples.count
        let lengths = [4608, 1152, 577, 4607, 13]
        var start = 0
        var turn = 0
        while start < count {
            let end = min(count, start + lengths[turn % lengths.count])
            withBuffers(channels.map { Array($0.samples[start..<end]) }, [], body)
            start = end
            turn += 1
        }
    }

    private static func withBuffers(
        _ arrays: [[Float]], _ buffers: [UnsafeBufferPointer<Float>],
        _ body: ([UnsafeBufferPointer<Float>]) -> Void
    ) {
        guard let first = arrays.first else { return body(buffers) }
        first.withUnsafeBufferPointer { withBuffers(Array(arrays.dropFirst()), buffers + [$0], body) }
    }
}
