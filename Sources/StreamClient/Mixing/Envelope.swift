internal import Foundation
internal import MusicShared

/// A change of a track's level in a transition.
enum Envelope: Sendable {
    /// The fade of a crossfade plan, raised to a power: 1, or more where the levels leave the peaks no room.
    case planned(CrossfadePlan.Fade, power: Double = 1)
    /// An equal-power fade-in: a quarter sine over `seconds` from `start`.
    case rising(start: Double, seconds: Double)
    /// An equal-power fade-out: a quarter cosine over `seconds` from `start`.
    case falling(start: Double, seconds: Double)

    /// Returns the amplitude factor at a position of the track in seconds.
    func gain(atSeconds seconds: Double) -> Double {
        switch self {
        case .planned(let fade, let power):
            let gain = fade.gain(atSeconds: seconds)
            return power == 1 ? gain : pow(max(0, gain), power)
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
        case .planned(let fade, _):
            fade.startSeconds...max(fade.startSeconds, fade.startSeconds + fade.durationSeconds)
        case .rising(let start, let seconds), .falling(let start, let seconds):
            start...start + max(0, seconds)
        }
    }

    /// Whether the level rises.
    var isFadeIn: Bool {
        switch self {
        case .planned(let fade, _): fade.endGain > fade.startGain
        case .rising: true
        case .falling: false
        }
    }

    /// Returns the smallest power of the fades of a mix at which both peaks together do not pass full scale: 1 is equal power, at 2
    /// the factors add up to 1.
    /// - Parameter peaks: the amplitudes of both tracks' peaks as played.
    static func power(of peaks: (Double, Double)) -> Double {
        var power = 1.0
        while power < 2 {
            let highest = stride(from: 0.0, through: 1, by: 0.02).map { share in
                peaks.0 * pow(max(0, cos(share * .pi / 2)), power) + peaks.1
                    * pow(sin(share * .pi / 2), power)
            }.max()
            if let highest, highest <= 1 { return power }
            power += 0.05
        }
        return 2
    }

    /// Whether the level is unchanged between two positions.
    func isIdle(from: Double, to: Double) -> Bool {
        if case .planned(let fade, _) = self, fade.curve == .none { return true }
        let isOutside = to <= span.lowerBound || from >= span.upperBound
        return isOutside && gain(atSeconds: from) == 1 && gain(atSeconds: to) == 1
    }
}
