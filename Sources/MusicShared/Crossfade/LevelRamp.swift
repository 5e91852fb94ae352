internal import Foundation

/// The rise of a track from its cue-in, or its fall towards the cue-out: the distance from that point for each level.
///
/// From the cue point the track stays below a level for at least that level's distance, so a ramp is an upper bound of the
/// loudness near either end.
public struct LevelRamp: Sendable, Equatable {
    /// A level and the time at which it is reached.
    public struct Point: Sendable, Equatable {
        /// Level in dB relative to the track's integrated loudness.
        public var levelDB: Double
        /// Distance from the cue point in seconds, never negative.
        public var seconds: Double

        /// Memberwise initializer.
        public init(levelDB: Double, seconds: Double) {
            self.levelDB = levelDB
            self.seconds = seconds
        }
    }

    /// Level in dB at the cue point itself, where a track becomes audible.
    static let cueLevelDB = -42.0

    /// Distances up to this many seconds count as 0. Levels are measured over 400 ms every 100 ms and dated by their middle, so
    /// at the start or end of a file the first one is up to 0.3 s inside, however sharp the edge.
    static let resolutionSeconds = 0.3

    /// Points of rising level with non-decreasing distance; never empty.
    let points: [Point]

    /// Sorts stored points and makes the distances monotonic.
    init(_ points: [Point]) {
        var ordered = [Point(levelDB: Self.cueLevelDB, seconds: 0)]
        var farthest = 0.0
        for point in points.sorted(by: { $0.levelDB < $1.levelDB })
        where point.levelDB > Self.cueLevelDB && point.seconds.isFinite {
            farthest = max(farthest, point.seconds > Self.resolutionSeconds ? point.seconds : 0)
            ordered.append(Point(levelDB: point.levelDB, seconds: farthest))
        }
        self.points = ordered
    }

    /// Returns the rise of a track; derived from the end of its fade-in if no ramp is known.
    static func start(of track: CrossfadeTrack) -> LevelRamp {
        if !track.startRamp.isEmpty { return LevelRamp(track.startRamp) }
        let length = max(0, track.fadeInEndSeconds - track.cueInSeconds)
        // Linear in amplitude: −8 dB is reached after 0.398 of the length.
        return LevelRamp([
            Point(levelDB: CrossfadePlan.maskingLU, seconds: length * amplitude(CrossfadePlan.maskingLU)),
            Point(levelDB: 0, seconds: length),
        ])
    }

    /// Returns the fall of a track; derived from its start-next point if no ramp is known.
    static func end(of track: CrossfadeTrack) -> LevelRamp {
        if !track.endRamp.isEmpty { return LevelRamp(track.endRamp) }
        return LevelRamp([
            Point(
                levelDB: CrossfadePlan.maskingLU,
                seconds: max(0, track.cueOutSeconds - track.startNextSeconds)),
            Point(levelDB: 0, seconds: max(0, track.cueOutSeconds - track.fadeOutStartSeconds)),
        ])
    }

    /// Returns the distance from the cue point within which the track stays below a level; linear in dB between points.
    func seconds(belowDB level: Double) -> Double {
        guard let above = points.firstIndex(where: { $0.levelDB >= level }) else {
            return points.last?.seconds ?? 0
        }
        guard above > 0 else { return 0 }
        let low = points[above - 1]
        let high = points[above]
        return low.seconds + (high.seconds - low.seconds) * (level - low.levelDB)
            / (high.levelDB - low.levelDB)
    }

    /// Returns the highest level in dB within a distance of the cue point, at most 0: louder passages are treated as 0, since
    /// they carry the track's peaks.
    func level(withinSeconds seconds: Double) -> Double {
        guard let beyond = points.firstIndex(where: { $0.seconds > seconds }) else { return 0 }
        guard beyond > 0 else { return min(0, points[0].levelDB) }
        let near = points[beyond - 1]
        let far = points[beyond]
        let share = (seconds - near.seconds) / (far.seconds - near.seconds)
        return min(0, near.levelDB + (far.levelDB - near.levelDB) * share)
    }
}

/// Converts a level in dB to an amplitude factor.
func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

/// Converts an amplitude factor to a level in dB.
func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
