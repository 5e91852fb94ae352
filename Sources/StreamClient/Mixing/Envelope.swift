internal import Foundation
internal import MusicShared

/// How the level of a track changes where it meets another.
enum Envelope: Sendable {
    /// As a plan says.
    case planned(CrossfadePlan.Fade)
    /// Up from nothing at equal power: a quarter of a sine over `seconds` from `start` on.
    case rising(start: Double, seconds: Double)
    /// Down to nothing at equal power: a quarter of a cosine.
    case falling(start: Double, seconds: Double)

    /// Factor of the amplitude at a moment of the track, in seconds.
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

    /// When it begins to change something and when it is done, in seconds.
    private var span: ClosedRange<Double> {
        switch self {
        case .planned(let fade):
            fade.startSeconds...max(fade.startSeconds, fade.startSeconds + fade.durationSeconds)
        case .rising(let start, let seconds), .falling(let start, let seconds):
            start...start + max(0, seconds)
        }
    }

    /// Whether the level is left alone between two moments.
    func isIdle(from: Double, to: Double) -> Bool {
        if case .planned(let fade) = self, fade.curve == .none { return true }
        let isOutside = to <= span.lowerBound || from >= span.upperBound
        return isOutside && gain(atSeconds: from) == 1 && gain(atSeconds: to) == 1
    }
}
