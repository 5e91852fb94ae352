internal import Foundation

/// How a track rises from its cue-in, or falls towards its cue-out: for each level the distance from that point.
///
/// Seen from the cue point the track is below a level for at least that level's distance, so that a ramp bounds the
/// loudness near either end from above.
public struct LevelRamp: Sendable, Equatable {
    /// A level and when it is reached.
    public struct Point: Sendable, Equatable {
        /// Level in dB relative to the track's integrated loudness.
        public var levelDB: Double
        /// Distance from the cue point in seconds, never negative.
        public var seconds: Double

        /// Puts the parts together.
        public init(levelDB: Double, seconds: Double) {
            self.levelDB = levelDB
            self.seconds = seconds
        }
    }

    /// Level in dB at the cue point itself, which is where a track becomes audible.
    static let cueLevelDB = -42.0

    /// Distances up to this many seconds are none. Levels are of 400 ms every 100 ms, dated by their middle: at the very
    /// start or end of a file the first that there is lies up to 0.3 s inside, however sharp the edge.
    static let resolutionSeconds = 0.3

    /// Points of rising level at distances that never shrink; never empty.
    let points: [Point]

    /// Puts stored points in order.
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

    /// The rise of a track; made from the end of its fade-in where no ramp is known.
    static func start(of track: CrossfadeTrack) -> LevelRamp {
        if !track.startRamp.isEmpty { return LevelRamp(track.startRamp) }
        let length = max(0, track.fadeInEndSeconds - track.cueInSeconds)
        // Straight in amplitude: a level of −8 dB is reached after 0.398 of the length.
        return LevelRamp([
            Point(levelDB: CrossfadePlan.maskingLU, seconds: length * amplitude(CrossfadePlan.maskingLU)),
            Point(levelDB: 0, seconds: length),
        ])
    }

    /// The fall of a track; made from its start of the next where no ramp is known.
    static func end(of track: CrossfadeTrack) -> LevelRamp {
        if !track.endRamp.isEmpty { return LevelRamp(track.endRamp) }
        return LevelRamp([
            Point(
                levelDB: CrossfadePlan.maskingLU,
                seconds: max(0, track.cueOutSeconds - track.startNextSeconds)),
            Point(levelDB: 0, seconds: max(0, track.cueOutSeconds - track.fadeOutStartSeconds)),
        ])
    }

    /// Distance from the cue point within which the track stays below a level; straight in dB between points.
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

    /// Highest level in dB within a distance of the cue point, at most 0: what is louder than the track's own loudness
    /// is taken as that, since peaks belong to it.
    func level(withinSeconds seconds: Double) -> Double {
        guard let beyond = points.firstIndex(where: { $0.seconds > seconds }) else { return 0 }
        guard beyond > 0 else { return min(0, points[0].levelDB) }
        let near = points[beyond - 1]
        let far = points[beyond]
        let share = (seconds - near.seconds) / (far.seconds - near.seconds)
        return min(0, near.levelDB + (far.levelDB - near.levelDB) * share)
    }
}

/// The factor of a level in dB.
func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

/// The level in dB of a factor.
func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
