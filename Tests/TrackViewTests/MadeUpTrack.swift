import MusicalStructure
import Analyzer
import Foundation
import Tagging
@testable import LibraryStore

@testable import Companion

/// A track made up of known numbers.
enum MadeUpTrack {
    /// A path that is allowed.
    static func path(_ text: String) -> RelativePath {
        guard let path = RelativePath(text: text) else { preconditionFailure("not a path: \(text)") }
        return path
    }

    /// A track with tags and, if given, an analysis.
    static func track(
        tags: TrackTags = tags(), path: String = "albums/file.mp3", analysis: TrackAnalysis?
    ) -> AnalysedTrack {
        let hash = AudioHash(of: [UInt8](0..<9).span.bytes)
        let track = CatalogueTrack(
            id: 7, path: Self.path(path), file: FileState(size: 7_654_321, modificationTimeNanoseconds: 1),
            audioHash: hash, tags: tags, artistID: nil, albumID: nil, addedAt: Date(timeIntervalSince1970: 1),
            changedAt: Date(timeIntervalSince1970: 1), unavailableSince: nil)
        return AnalysedTrack(track: track, analysis: analysis)
    }

    static func tags(title: String? = "Some Title", artist: String? = "Some Artist") -> TrackTags {
        var tags = TrackTags()
        tags.title = title
        tags.artist = artist
        tags.album = "Some Album"
        tags.albumArtist = "Some Band"
        tags.track = NumberInSet(number: 3, total: 12)
        tags.disc = NumberInSet(number: 1, total: 2)
        tags.year = 1994
        tags.genre = "Trip Hop"
        tags.composer = "Some Composer"
        tags.comment = "First line\nsecond line"
        tags.replayGain.trackGainDB = -7.53
        tags.kinds = [.id3v2, .ape]
        return tags
    }

    static func analysis(
        seconds: Double, profile: TrackProfile?, remarks: [String] = [],
        version: Int = TrackAnalysis.currentVersion
    ) -> TrackAnalysis {
        let sampleCount = Int(max(0, min(1e12, seconds.isFinite ? seconds : 0)) * 44_100)
        let stream = StreamDescription(
            mpegVersion: "MPEG-2.5", sampleRateHz: 44_100, channels: 2, bitRateMode: "variable",
            averageBitRate: 245_678, frameCount: 9_876, samplesPerFrame: 1_152, encoderDelaySamples: 576,
            encoderPaddingSamples: 1_234, decodedSampleCount: sampleCount + 1_810, sampleCount: sampleCount,
            durationSeconds: seconds, frameIndex: [1, 2, 3], skippedBytes: remarks.isEmpty ? 0 : 4_096,
            resyncCount: remarks.isEmpty ? 0 : 2, remarks: remarks)
        return TrackAnalysis(
            audioHash: AudioHash(of: [UInt8](0..<9).span.bytes), version: version, stream: stream,
            profile: profile,
            frames: nil)
    }

    /// A profile whose every number is different. The waveform is a triangle that falls from full scale, the loudness
    /// −14 LUFS throughout.
    static func profile(seconds: Double) -> TrackProfile {
        let pixels = 2_000
        let extremes = (0..<pixels).flatMap { index -> [Int8] in
            let level = Int8(127 - 127 * index / pixels)
            return [-level, level]
        }
        let samplesPerPixel = max(1, Int((max(0, min(1e9, seconds)) * 44_100 / Double(pixels)).rounded(.up)))
        let curve = [UInt8](repeating: 28, count: max(0, min(400_000, Int(min(1e9, seconds) * 10) - 3)))
        return TrackProfile(
            loudness: LoudnessMeasurement(
                integratedLUFS: -14.27, loudnessRangeLU: 6.31, maxMomentaryLUFS: -9.12,
                maxShortTermLUFS: -10.45,
                samplePeak: 0.944, truePeak: 1.034, gatingBlocks: EnergyHistogram(),
                shortTermBlocks: EnergyHistogram(), momentary: MomentaryCurve(values: curve)),
            silence: SilenceBounds(
                leadingEndSeconds: seconds * 0.02, trailingStartSeconds: seconds * 0.97, isSilent: false),
            cue: CuePoints(
                cueInSeconds: seconds * 0.02, cueOutSeconds: seconds * 0.97, fadeInEndSeconds: seconds * 0.1,
                fadeOutStartSeconds: seconds * 0.8, startNextSeconds: seconds * 0.9, ending: .longTail,
                cueInConfidence: 0.91, cueOutConfidence: 0.82, startNextConfidence: 0.73,
                innerSilence: .init(startSeconds: seconds * 0.4, endSeconds: seconds * 0.5),
                startRamp: [.init(levelDB: -12, seconds: 0.5), .init(levelDB: -6, seconds: 1.25)],
                endRamp: [.init(levelDB: -12, seconds: 2.5)]),
            tempo: Tempo(
                bpm: 123.45, confidence: 0.64, firstBeatSeconds: 0.375,
                beatSeconds: Array(stride(from: 0.375, to: min(1e5, seconds), by: 60 / 123.45))),
            phrases: [
                .init(seconds: 15.927, confidence: 0.9), .init(seconds: 31.478, confidence: 0.3),
                .init(seconds: 62.581, confidence: 0.6),
            ],
            key: MusicalKey(tonic: 6, mode: .minor, confidence: 0.55),
            keySections: [
                .init(seconds: 0, key: MusicalKey(tonic: 6, mode: .minor, confidence: 0.9)),
                .init(seconds: 95.4, key: MusicalKey(tonic: 9, mode: .major, confidence: 0.7)),
            ],
            waveform: WaveformOverview(
                sampleRateHz: 44_100, samplesPerPixel: samplesPerPixel, extremes: extremes),
            character: SoundCharacter(energy: 0.37, danceability: 0.68, brightnessHz: 812.4))
    }

    /// Frames in which one band sounds and all others are silent.
    static func frames(seconds: Double, band: Int, level: UInt8 = 220, perSecond: Int = 30)
        -> VisualizerSpectra
    {
        var row = [UInt8](repeating: 0, count: 64)
        row[band] = level
        let count = Int((seconds * Double(perSecond)).rounded(.up))
        return VisualizerSpectra(
            framesPerSecond: perSecond, bandCount: 64, levels: [UInt8]((0..<count).map { _ in row }.joined()))
    }
}
