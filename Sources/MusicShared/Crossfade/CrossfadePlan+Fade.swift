internal import Foundation

extension CrossfadePlan {
    /// A change of gain over a stretch of a track, from 1 before it or to 1 after it.
    public struct Fade: Codable, Sendable, Equatable {
        /// Form of the change.
        public var curve: Curve
        /// Where it begins in the track, in seconds.
        public var startSeconds: Double
        /// How long it lasts, in seconds.
        public var durationSeconds: Double
        /// Factor of the amplitude at the start, 0…1.
        public var startGain: Double
        /// Factor of the amplitude at the end, 0…1.
        public var endGain: Double

        /// Forms of a change of gain.
        public enum Curve: String, Codable, Sendable, CaseIterable {
            /// None: the track is left as it is.
            case none
            /// A straight line in amplitude.
            case linear
            /// A quarter of a cosine from 1 to 0: half the power is gone at half the time.
            case equalPower = "equal_power"
        }

        /// Factor of the amplitude at a time in the track, in seconds.
        public func gain(atSeconds seconds: Double) -> Double {
            let share =
                durationSeconds > 0
                ? max(0, min(1, (seconds - startSeconds) / durationSeconds)) : seconds < startSeconds ? 0 : 1
            return switch curve {
            case .none: 1
            case .linear: startGain + (endGain - startGain) * share
            case .equalPower: endGain + (startGain - endGain) * cos(share * .pi / 2)
            }
        }

        private enum CodingKeys: String, CodingKey {
            case curve
            case startSeconds = "start_seconds"
            case durationSeconds = "duration_seconds"
            case startGain = "start_gain"
            case endGain = "end_gain"
        }
    }
}
