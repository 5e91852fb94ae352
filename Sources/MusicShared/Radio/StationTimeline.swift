/// The last hour of a station, as far as the host has kept it.
///
/// Times are milliseconds since 1970. Audio is dated by its arrival at the connection, and from there on by its own duration.
public struct StationTimeline: Codable, Sendable, Equatable {
    /// The state of the host's connection to the station.
    public enum State: String, Codable, Sendable, CaseIterable {
        /// The first connection is being made.
        case connecting
        /// Audio arrives.
        case live
        /// The connection was lost, and the host tries again.
        case reconnecting
    }

    /// A segment of audio: whole frames.
    public struct Segment: Codable, Sendable, Equatable {
        /// Number in its station; increases by one, and is never used again.
        public var number: Int
        /// Time of its first sample.
        public var startMilliseconds: Double
        /// Duration in seconds.
        public var durationSeconds: Double
        /// Format of its frames.
        public var format: StationFormat
        /// Number of frames.
        public var frameCount: Int
        /// Samples per channel of each frame.
        public var samplesPerFrame: Int
        /// Samples per second that the frames state.
        public var sampleRate: Int
        /// Number of channels that the frames state.
        public var channelCount: Int
        /// Whether it does not continue the segment before it.
        public var isDiscontinuity: Bool

        /// Memberwise initializer.
        public init(
            number: Int, startMilliseconds: Double, durationSeconds: Double, format: StationFormat,
            frameCount: Int, samplesPerFrame: Int, sampleRate: Int, channelCount: Int, isDiscontinuity: Bool
        ) {
            self.number = number
            self.startMilliseconds = startMilliseconds
            self.durationSeconds = durationSeconds
            self.format = format
            self.frameCount = frameCount
            self.samplesPerFrame = samplesPerFrame
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.isDiscontinuity = isDiscontinuity
        }

        private enum CodingKeys: String, CodingKey {
            case number, format
            case startMilliseconds = "start_ms"
            case durationSeconds = "duration_seconds"
            case frameCount = "frame_count"
            case samplesPerFrame = "samples_per_frame"
            case sampleRate = "sample_rate_hz"
            case channelCount = "channels"
            case isDiscontinuity = "is_discontinuity"
        }
    }

    /// A title that a station has reported.
    public struct Title: Codable, Sendable, Equatable {
        /// Time of the audio with which it arrived.
        public var startMilliseconds: Double
        /// The title, usually "artist - title"; empty where the station ended a title without another.
        public var text: String

        /// Memberwise initializer.
        public init(startMilliseconds: Double, text: String) {
            self.startMilliseconds = startMilliseconds
            self.text = text
        }

        private enum CodingKeys: String, CodingKey {
            case text
            case startMilliseconds = "start_ms"
        }
    }

    /// The state of the connection.
    public var state: State
    /// Why there is no connection; nil while audio arrives.
    public var message: String?
    /// The segments that are kept, in order; only those after the requested number.
    public var segments: [Segment]
    /// Number of the oldest segment that is kept; nil without any.
    public var firstNumber: Int?
    /// Time of the oldest sample that is kept; nil without any.
    public var firstMilliseconds: Double?
    /// The titles of the kept audio, in order.
    public var titles: [Title]
    /// The recording in progress, if any.
    public var recording: StationRecordingState?

    /// Memberwise initializer.
    public init(
        state: State, message: String?, segments: [Segment], firstNumber: Int?, firstMilliseconds: Double?,
        titles: [Title], recording: StationRecordingState? = nil
    ) {
        self.state = state
        self.message = message
        self.segments = segments
        self.firstNumber = firstNumber
        self.firstMilliseconds = firstMilliseconds
        self.titles = titles
        self.recording = recording
    }

    private enum CodingKeys: String, CodingKey {
        case state, message, segments, titles, recording
        case firstNumber = "first_number"
        case firstMilliseconds = "first_ms"
    }
}
