internal import Analyzer
internal import Foundation
package import LibraryStore
package import MusicShared
internal import Tagging

extension TrackReport {
    /// Creates the report of a track of the library. Measured times are rounded to milliseconds, levels to
    /// hundredths, which is finer than their accuracy; lengths are exact.
    package init(_ analysed: AnalysedTrack) {
        let track = analysed.track
        self.init(relativePath: track.path.text, audioHash: track.audioHash.description)
        id = track.id
        title = track.tags.title
        artist = track.tags.artist
        album = track.tags.album
        albumArtist = track.tags.albumArtist
        trackNumber = track.tags.track.number
        discNumber = track.tags.disc.number
        year = track.tags.year
        genre = track.tags.genre
        guard let analysis = analysed.analysis else { return }
        analyzerVersion = analysis.version
        describe(analysis.stream)
        if let profile = analysis.profile {
            describe(profile.loudness)
            silenceStartSeconds = profile.silence.leadingEndSeconds.rounded(to: 1000)
            silenceEndSeconds = profile.silence.trailingStartSeconds.rounded(to: 1000)
            isSilent = profile.silence.isSilent
            describe(profile.cue)
            bpm = profile.tempo?.bpm.rounded(to: 1000)
            bpmConfidence = profile.tempo?.confidence.rounded(to: 1000)
            beatConfidence = profile.tempo?.beatConfidence?.rounded(to: 1000)
            firstBeatSeconds = profile.tempo?.firstBeatSeconds.rounded(to: 1000)
            key = profile.key?.name
            keyCamelot = profile.key?.camelot
            keyConfidence = profile.key?.confidence.rounded(to: 1000)
            tuningCents = profile.key?.tuningCents?.rounded(to: 10)
        }
    }

    private mutating func describe(_ stream: StreamDescription) {
        durationSeconds = stream.durationSeconds
        sampleCount = stream.sampleCount
        frameCount = stream.frameCount
        sampleRateHz = stream.sampleRateHz
        channels = stream.channels
        mpegVersion = stream.mpegVersion
        bitRateMode = stream.bitRateMode
        averageBitRateBPS = stream.averageBitRate
        encoderDelaySamples = stream.encoderDelaySamples
        encoderPaddingSamples = stream.encoderPaddingSamples
        damagedFrameCount = stream.damagedFrameCount
        remarks = stream.remarks.isEmpty ? nil : stream.remarks
    }

    private mutating func describe(_ loudness: LoudnessMeasurement) {
        integratedLUFS = loudness.integratedLUFS?.rounded(to: 100)
        loudnessRangeLU = loudness.loudnessRangeLU.rounded(to: 100)
        maxMomentaryLUFS = loudness.maxMomentaryLUFS?.rounded(to: 100)
        maxShortTermLUFS = loudness.maxShortTermLUFS?.rounded(to: 100)
        samplePeakDBFS = loudness.samplePeakDBFS?.rounded(to: 100)
        truePeakDBTP = loudness.truePeakDBTP?.rounded(to: 100)
        replayGainDB = loudness.replayGainDB?.rounded(to: 100)
    }

    private mutating func describe(_ cue: CuePoints) {
        cueInSeconds = cue.cueInSeconds.rounded(to: 1000)
        cueOutSeconds = cue.cueOutSeconds.rounded(to: 1000)
        fadeInEndSeconds = cue.fadeInEndSeconds.rounded(to: 1000)
        fadeOutStartSeconds = cue.fadeOutStartSeconds.rounded(to: 1000)
        startNextSeconds = cue.startNextSeconds.rounded(to: 1000)
        ending = cue.ending.rawValue
        cueInConfidence = cue.cueInConfidence.rounded(to: 1000)
        cueOutConfidence = cue.cueOutConfidence.rounded(to: 1000)
        startNextConfidence = cue.startNextConfidence.rounded(to: 1000)
        innerSilenceStartSeconds = cue.innerSilence?.startSeconds.rounded(to: 1000)
        innerSilenceEndSeconds = cue.innerSilence?.endSeconds.rounded(to: 1000)
    }
}
