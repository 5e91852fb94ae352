internal import MusicalStructure
package import Analyzer
internal import Foundation
package import LibraryStore
package import MusicShared
internal import Tagging

extension CrossfadeTrack {
    /// Converts a track of the library; nil if it has no profile.
    package init?(_ analysed: AnalysedTrack) {
        guard let analysis = analysed.analysis, let profile = analysis.profile else { return nil }
        let cue = profile.cue
        self.init(
            id: analysed.track.id, durationSeconds: analysis.stream.durationSeconds,
            ending: Ending(cue.ending))
        cueInSeconds = cue.cueInSeconds
        cueOutSeconds = cue.cueOutSeconds
        fadeInEndSeconds = cue.fadeInEndSeconds
        fadeOutStartSeconds = cue.fadeOutStartSeconds
        startNextSeconds = cue.startNextSeconds
        startRamp = cue.startRamp.map { LevelRamp.Point(levelDB: $0.levelDB, seconds: $0.seconds) }
        endRamp = cue.endRamp.map { LevelRamp.Point(levelDB: $0.levelDB, seconds: $0.seconds) }
        if let integrated = profile.loudness.integratedLUFS, let truePeak = profile.loudness.truePeakDBTP {
            loudness = Loudness(integratedLUFS: integrated, truePeakDBTP: truePeak)
        }
        tempo = profile.tempo.map {
            var tempo = Tempo(
                bpm: $0.bpm, confidence: $0.confidence, beatConfidence: $0.beatConfidence,
                beatSeconds: $0.beatSeconds)
            tempo.downbeatSeconds = $0.downbeatSeconds
            tempo.barConfidence = $0.barConfidence ?? 0
            return tempo
        }
        phrases = (profile.phrases ?? []).map { Phrase(seconds: $0.seconds, confidence: $0.confidence) }
        let keys = EndKeys(whole: profile.key, sections: profile.keySections ?? [])
        startKey = keys.start.flatMap { CamelotKey($0.camelot) }
        endKey = keys.end.flatMap { CamelotKey($0.camelot) }
        if let album = analysed.track.albumID, let number = analysed.track.tags.track.number {
            place = AlbumPlace(albumID: album, disc: analysed.track.tags.disc.number ?? 1, track: number)
        }
    }
}

extension CrossfadeTrack.Ending {
    fileprivate init(_ ending: CuePoints.Ending) {
        self =
            switch ending {
            case .hard: .hard
            case .fade: .fade
            case .sustained: .sustained
            case .longTail: .longTail
            }
    }
}

extension CrossfadeTrack.Loudness {
    /// The loudness of an album; nil if the album is silent.
    package init?(_ album: AlbumLoudness) {
        guard let integrated = album.integratedLUFS, album.truePeak > 0 else { return nil }
        self.init(integratedLUFS: integrated, truePeakDBTP: 20 * log10(album.truePeak))
    }
}
