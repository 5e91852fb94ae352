import MusicalStructure
import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging
import Testing

/// Records with made-up values that are all different, so that swapped columns are detected.
enum Sample {
    static let present: @Sendable (RelativePath) -> Bool = { _ in true }
    static let absent: @Sendable (RelativePath) -> Bool = { _ in false }

    static func hash(_ number: Int) -> AudioHash {
        var bytes = [UInt8](repeating: 0xAB, count: 16)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (index * 8)) }
        guard let hash = AudioHash(bytes: bytes) else { preconditionFailure("16 bytes are a hash") }
        return hash
    }

    static func path(_ text: String) throws -> RelativePath { try #require(RelativePath(text: text)) }

    static func tags(
        _ title: String? = "Title", artist: String? = "Artist", album: String? = "Album",
        albumArtist: String? = nil
    ) -> TrackTags {
        var tags = TrackTags()
        tags.title = title
        tags.artist = artist
        tags.album = album
        tags.albumArtist = albumArtist
        return tags
    }

    static func record(
        _ path: String, hash number: Int = 1, size: Int = 1_000, modified: Int = 5, tags: TrackTags = tags(),
        analysis: TrackAnalysis? = nil
    ) throws -> TrackRecord {
        TrackRecord(
            path: try self.path(path), file: FileState(size: size, modificationTimeNanoseconds: modified),
            audioHash: hash(number), tags: tags, analysis: analysis)
    }

    static func stream() -> StreamDescription {
        StreamDescription(
            mpegVersion: "2.5", sampleRateHz: 44_100, channels: 2, bitRateMode: "variable",
            averageBitRate: 191_234, frameCount: 9_187, samplesPerFrame: 1_152, encoderDelaySamples: 576,
            encoderPaddingSamples: 1_105, decodedSampleCount: 10_583_424, sampleCount: 10_581_743,
            durationSeconds: 239.948_821_7, frameIndex: (0..<700).map { UInt8(truncatingIfNeeded: $0) },
            skippedBytes: 12, resyncCount: 3, damagedFrameCount: 4,
            remarks: ["truncated last frame", "two \"streams\"; odd"])
    }

    static func histogram(_ levels: ClosedRange<Int>) -> EnergyHistogram {
        var histogram = EnergyHistogram()
        for level in levels { histogram.add(energy: pow(10, Double(level) / 100)) }
        return histogram
    }

    static func profile(waveformPixels: Int = 100) -> TrackProfile {
        TrackProfile(
            loudness: LoudnessMeasurement(
                integratedLUFS: -9.87, loudnessRangeLU: 6.54, maxMomentaryLUFS: -5.01,
                maxShortTermLUFS: -6.02,
                samplePeak: 0.987, truePeak: 1.023, gatingBlocks: histogram(-250 ... -20),
                shortTermBlocks: histogram(-200 ... -50),
                momentary: MomentaryCurve(values: (0..<2_396).map { UInt8(truncatingIfNeeded: $0 * 11) })),
            silence: SilenceBounds(leadingEndSeconds: 0.12, trailingStartSeconds: 237.5, isSilent: false),
            cue: CuePoints(
                cueInSeconds: 0.13, cueOutSeconds: 237.1, fadeInEndSeconds: 0.5, fadeOutStartSeconds: 229.25,
                startNextSeconds: 231.75, ending: .longTail, cueInConfidence: 0.91, cueOutConfidence: 0.82,
                startNextConfidence: 0.73,
                innerSilence: .init(startSeconds: 100.5, endSeconds: 107.25),
                startRamp: [.init(levelDB: -30, seconds: 0), .init(levelDB: -12, seconds: 0.1 + 0.2)],
                endRamp: [.init(levelDB: -24, seconds: 1.0 / 3)]),
            tempo: Tempo(
                bpm: 127.97, confidence: 0.64, beatConfidence: 0.42, firstBeatSeconds: 0.25,
                beatSeconds: (0..<500).map { 0.25 + Double($0) * 0.468_75 }, beatsPerBar: 3, firstDownbeat: 2,
                barConfidence: 0.37),
            phrases: [
                .init(seconds: 8.219, confidence: 1), .init(seconds: 23.219, confidence: 51.0 / 255),
            ],
            key: MusicalKey(tonic: 9, mode: .minor, confidence: 0.55, tuningCents: -12.5),
            keySections: [
                .init(seconds: 0, key: MusicalKey(tonic: 9, mode: .minor, confidence: 0.6)),
                .init(seconds: 61.25, key: MusicalKey(tonic: 11, mode: .major, confidence: 1)),
            ],
            waveform: WaveformOverview(
                sampleRateHz: 44_100, samplesPerPixel: 4_096,
                extremes: (0..<waveformPixels * 2).map { Int8(truncatingIfNeeded: $0 * 37) }),
            character: SoundCharacter(
                energy: 0.31, danceability: 0.77, brightnessHz: 812.5,
                descriptor: SonicDescriptor(
                    rounding: (0..<SonicDescriptor.dimension).map { Float($0) / 8 - 3 })))
    }

    static func analysis(
        _ number: Int = 1, version: Int = TrackAnalysis.currentVersion, profile: TrackProfile? = profile()
    ) -> TrackAnalysis {
        TrackAnalysis(
            audioHash: hash(number), version: version, stream: stream(), profile: profile, frames: nil)
    }
}
