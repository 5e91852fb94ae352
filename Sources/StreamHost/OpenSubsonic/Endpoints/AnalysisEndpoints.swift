internal import MusicalStructure
internal import Analyzer
internal import Companion
internal import Foundation
internal import HostStreams
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Measurements of songs, and orders made from them: this server's extension audioCompanionAnalysis.
struct AnalysisEndpoints: SubsonicEndpoints {
    let library: LibraryStore

    var handlers: [String: Handler] {
        [
            "getSongAnalysis": { .element("songAnalysis", try analysis($0.request)) },
            "getMixOrder": { .element("mixOrder", try mixOrder($0.request)) },
        ]
    }

    /// Sorts songs for mixing, as `POST /mix` does.
    private func mixOrder(_ request: SubsonicRequest) throws -> SubsonicObject {
        _ = try request.id()
        let ids = try request.trackIDs("id")
        guard ids.count <= MixOrderRequest.largestCount else {
            throw SubsonicError(.generic, "Send at most \(MixOrderRequest.largestCount) songs.")
        }
        let energy = request.text("energy") ?? MixOrder.Energy.none.rawValue
        guard let energy = MixOrder.Energy(rawValue: energy) else {
            let names = MixOrder.Energy.allCases.map(\.rawValue).joined(separator: ", ")
            throw SubsonicError(.generic, "\"energy\" must be one of: \(names).")
        }
        let known = try library.catalogue { try $0.mixableTracks(ids: ids) }
        let tracks = try ids.map { id in
            guard let track = known[id] else {
                throw SubsonicError.noSuch("song", ItemID.track(id).description)
            }
            return track
        }
        let order = MixOrder(
            tracks, energy: energy, keepsFirst: request.flag("keepFirst") ?? false,
            keepsLast: request.flag("keepLast") ?? false)
        var object = SubsonicObject()
        object.add("songId", order.trackIDs.map { ItemID.track($0).description })
        object.add(
            "step",
            order.steps.map { step in
                SongMixStep(
                    fromID: ItemID.track(step.fromID).description, toID: ItemID.track(step.toID).description,
                    keyScore: step.score.key, tempoScore: step.score.tempo, levelScore: step.score.level,
                    reason: step.reason)
            })
        return object
    }

    private func analysis(_ request: SubsonicRequest) throws -> SongAnalysis {
        let (track, profile) = try analysed(request.trackID())
        var analysis = Self.analysis(track, profile)
        if request.text("nextId")?.isEmpty == false {
            let (next, _) = try analysed(request.trackID("nextId"))
            if let outgoing = CrossfadeTrack(track), let incoming = CrossfadeTrack(next) {
                analysis.transition = Self.transition(
                    try library.crossfadePlan(from: outgoing, to: incoming))
            }
        }
        return analysis
    }

    private func analysed(_ id: Int) throws -> (AnalysedTrack, TrackProfile) {
        let name = ItemID.track(id).description
        guard let track = try library.track(id: id) else { throw SubsonicError.noSuch("song", name) }
        guard let profile = track.analysis?.profile else {
            throw SubsonicError(.notFound, "The song \"\(name)\" has not been analysed yet.")
        }
        return (track, profile)
    }

    private static func analysis(_ track: AnalysedTrack, _ profile: TrackProfile) -> SongAnalysis {
        let cue = profile.cue
        var analysis = SongAnalysis(
            id: ItemID.track(track.track.id).description,
            cue: SongAnalysis.Cue(
                inMilliseconds: milliseconds(cue.cueInSeconds),
                outMilliseconds: milliseconds(cue.cueOutSeconds),
                fadeInEndMilliseconds: milliseconds(cue.fadeInEndSeconds),
                fadeOutStartMilliseconds: milliseconds(cue.fadeOutStartSeconds),
                startNextMilliseconds: milliseconds(cue.startNextSeconds), ending: cue.ending.rawValue),
            waveform: SongAnalysis.Waveform(
                sampleRate: profile.waveform.sampleRateHz, samplesPerPixel: profile.waveform.samplesPerPixel,
                extremes: profile.waveform.extremes.map { Int($0) }))
        let loudness = profile.loudness
        analysis.loudness.integrated = loudness.integratedLUFS?.rounded(in: .lufs)
        analysis.loudness.range = loudness.loudnessRangeLU.rounded(in: .lu)
        analysis.loudness.maxShortTerm = loudness.maxShortTermLUFS?.rounded(in: .lufs)
        analysis.loudness.samplePeak = loudness.samplePeakDBFS?.rounded(in: .dBFS)
        analysis.loudness.truePeak = loudness.truePeakDBTP?.rounded(in: .dBTP)
        analysis.tempo = profile.tempo.map { tempo in
            var shown = SongAnalysis.Tempo(
                bpm: tempo.bpm.rounded(in: .bpm), confidence: tempo.confidence.rounded(in: .share),
                beatConfidence: tempo.beatConfidence?.rounded(in: .share),
                beatMilliseconds: tempo.beatSeconds.map(milliseconds))
            shown.beatsPerBar = tempo.beatsPerBar
            shown.firstDownbeat = tempo.firstDownbeat
            shown.barConfidence = tempo.barConfidence?.rounded(in: .share)
            return shown
        }
        analysis.key = profile.key?.name
        analysis.camelotKey = profile.key?.camelot
        return analysis
    }

    private static func transition(_ plan: CrossfadePlan) -> SongTransition {
        var transition = SongTransition(
            nextID: ItemID.track(plan.toID).description, kind: plan.transition.rawValue,
            startMilliseconds: milliseconds(plan.startSeconds),
            endMilliseconds: milliseconds(plan.endSeconds),
            cueInMilliseconds: milliseconds(plan.cueInSeconds),
            overlapMilliseconds: milliseconds(plan.overlapSeconds), targetLoudness: plan.targetLUFS,
            outgoing: side(plan.outgoing), incoming: side(plan.incoming))
        transition.tempoRatio = plan.tempo?.ratio
        transition.keyRelation = plan.key?.relation.rawValue
        return transition
    }

    private static func side(_ side: CrossfadePlan.Side) -> SongTransition.Side {
        SongTransition.Side(
            gain: side.gainDB, albumGain: side.albumGainDB,
            fade: side.fade.map { fade in
                SongTransition.Fade(
                    curve: fade.curve.rawValue, startMilliseconds: milliseconds(fade.startSeconds),
                    durationMilliseconds: milliseconds(fade.durationSeconds), startGain: fade.startGain,
                    endGain: fade.endGain)
            })
    }

    private static func milliseconds(_ seconds: Double) -> Int { SubsonicClock.milliseconds(seconds) }
}
