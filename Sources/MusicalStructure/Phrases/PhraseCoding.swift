/// Phrases as bytes, for the database: ``TimedBytes`` with the confidence in 255ths.
package enum PhraseCoding {
    package static func encode(_ phrases: [PhraseBoundary]) -> [UInt8] {
        TimedBytes.encode(
            phrases.map { .init(seconds: $0.seconds, bytes: [TimedBytes.share($0.confidence)]) })
    }

    /// The boundaries; nil if the bytes are not in this format.
    package static func decode(_ bytes: [UInt8]) -> [PhraseBoundary]? {
        TimedBytes.decode(bytes, count: 1)?.map {
            PhraseBoundary(seconds: $0.seconds, confidence: Double($0.bytes[0]) / 255)
        }
    }
}
