internal import Foundation
internal import MusicShared

/// A change of a track's level in a transition.
enum Envelope: Sendable {
    /// The fade of a crossfade plan.
    case planned(CrossfadePlan.Fade)
    /// An equal-power fade-in: a quarter sine over `seconds` from `start`.
    case rising(start: Double, seconds: Double)
    /// An equal-power fade-out: a quarter cosine over `seconds` from `start`.
    case falling(start: Double, seconds: Double)

    /// Returns the amplitude factor at a position of the track in seconds.
    func gain(atSeconds seconds: Double) -> Double {
        switch self {
        case .planned(let fade): return fade.gain(atSeconds: seconds)
        case .rising(let start, let length):
            return sin(Self.share(seconds - start, length) * .pi / 2)
        case .falling(let start, let length):
            return cos(Self.share(seconds - start, length) * .pi / 2)
        }
    }

    private static func share(_ passed: Double, _ length: Double) -> Double {
        length > 0 ? max(0, min(1, passed / length)) : passed < 0 ? 0 : 1
    }

    /// Start and end of the fade, in seconds.
    private var span: ClosedRange<Double> {
        switch self {
        case .planned(let fade):
            fade.startSeconds...max(fade.startSeconds, fade.startSeconds + fade.durationSeconds)
        case .rising(let start, let seconds), .falling(let start, let seconds):
            start...start + max(0, seconds)
        }
    }

    /// Whether the level is unchanged between two positions.
    func isIdle(from: Double, to: Double) -> Bool {
        if case .planned(let fade) = self, fade.curve == .none { return true }
        let isOutside = to <= span.lowerBound || from >= span.upperBound
        return isOutside && gain(atSeconds: from) == 1 && gain(atSeconds: to) == 1
    }
}
