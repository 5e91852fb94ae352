internal import Foundation

extension CrossfadePlan {
    /// A change of gain over a section of a track; the gain is 1 before a fade-out and after a fade-in.
    public struct Fade: Codable, Sendable, Equatable {
        /// Shape of the fade.
        public var curve: Curve
        /// Start within the track, in seconds.
        public var startSeconds: Double
        /// Duration in seconds.
        public var durationSeconds: Double
        /// Amplitude factor at the start, 0…1.
        public var startGain: Double
        /// Amplitude factor at the end, 0…1.
        public var endGain: Double
        /// Power to which the quarter of a cosine or sine is raised, 1…2, so that two peaks together stay below full scale; nil for 1.
        public var exponent: Double?

        /// Shapes of a fade.
        public enum Curve: String, Codable, Sendable, CaseIterable {
            /// No fade.
            case none
            /// Linear in amplitude.
            case linear
            /// A quarter of a cosine from 1 to 0: half the power at half the time.
            case equalPower = "equal_power"
            /// A quarter of a sine from the start gain to the end gain: with ``equalPower`` on the other track, the powers add up
            /// to 1.
            case equalPowerRise = "equal_power_rise"
        }

        /// Returns the amplitude factor at a time in the track, in seconds.
        public func gain(atSeconds seconds: Double) -> Double {
            let share =
                durationSeconds > 0
                ? max(0, min(1, (seconds - startSeconds) / durationSeconds)) : seconds < startSeconds ? 0 : 1
            return switch curve {
            case .none: 1
            case .linear: startGain + (endGain - startGain) * share
            case .equalPower: endGain + (startGain - endGain) * pow(cos(share * .pi / 2), exponent ?? 1)
            case .equalPowerRise: startGain + (endGain - startGain) * pow(sin(share * .pi / 2), exponent ?? 1)
            }
        }

        private enum CodingKeys: String, CodingKey {
            case curve, exponent
            case startSeconds = "start_seconds"
            case durationSeconds = "duration_seconds"
            case startGain = "start_gain"
            case endGain = "end_gain"
        }
    }
}
