internal import MusicShared

/// The time axis of a picture of a transition: 0 is its start.
struct MixTimeline {
    /// Share of the overlap that is drawn before its start and after its end, and the least of both in seconds.
    private static let edgeShare = 0.25
    private static let shortestEdge = 4.0
    private static let longestEdge = 8.0
    /// How far a beat may be from the even ones that a mix follows, in seconds: the first one belongs to the mix even if it is earlier.
    private static let beatDistance = 0.02

    let startSeconds: Double
    let endSeconds: Double
    /// Width of the axis in pixels.
    let width: Double
    private let plan: CrossfadePlan
    private let curve: SpeedCurve

    init(_ plan: CrossfadePlan, width: Double) {
        self.plan = plan
        self.width = width
        curve = SpeedCurve(plan)
        let edge = max(Self.shortestEdge, min(Self.longestEdge, plan.overlapSeconds * Self.edgeShare))
        startSeconds = -edge
        endSeconds = max(plan.overlapSeconds, curve.endSeconds) + edge
    }

    /// Returns the place of a time, in pixels from the left edge.
    func x(_ seconds: Double) -> Double {
        max(0, min(width, (seconds - startSeconds) / (endSeconds - startSeconds) * width))
    }

    /// Returns the time at a place.
    func seconds(at x: Double) -> Double { startSeconds + x / width * (endSeconds - startSeconds) }

    /// Returns the position in the outgoing track at a time, in seconds; nil when it is not played.
    func outgoing(_ time: Double) -> Double? {
        time < plan.overlapSeconds ? plan.startSeconds + time : nil
    }

    /// Returns the position in the incoming track at a time, in seconds; nil when it is not played.
    func incoming(_ time: Double) -> Double? { time < 0 ? nil : curve.position(afterSeconds: time) }

    /// Returns the time at which a position of the outgoing track is heard; nil if it is not drawn.
    func time(ofOutgoing seconds: Double) -> Double? {
        let time = seconds - plan.startSeconds
        return time >= startSeconds && time <= plan.overlapSeconds + Self.beatDistance ? time : nil
    }

    /// Returns the time at which a position of the incoming track is heard; nil if it is not drawn.
    func time(ofIncoming seconds: Double) -> Double? {
        guard seconds >= plan.cueInSeconds - Self.beatDistance,
            seconds <= curve.position(afterSeconds: endSeconds)
        else {
            return nil
        }
        // The curve rises strictly.
        var (low, high) = (0.0, endSeconds)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if curve.position(afterSeconds: middle) < seconds { low = middle } else { high = middle }
        }
        return low
    }

    /// Speed of the incoming track at a time.
    func speed(_ time: Double) -> Double {
        let step = 0.01
        return (curve.position(afterSeconds: time + step) - curve.position(afterSeconds: time)) / step
    }
}
