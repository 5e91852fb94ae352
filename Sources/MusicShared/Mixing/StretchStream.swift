/// Plays the incoming track of a mix along its ``SpeedCurve``, from samples that arrive in pieces. The output is that of
/// ``TimeStretcher``; memory is bounded.
///
/// Once the track has its own speed, the rest is passed through: ``isSettled``.
public struct StretchStream: Sendable {
    private let match: WaveformMatch
    private let window: [Float]
    private let channelCount: Int
    private let rate: Double
    private let curve: SpeedCurve
    private let elapsed: Double
    /// Kept input, the sum of its channels, and the position of its first sample in the track.
    private var input: [Float] = []
    private var mono: [Float] = []
    private var first: Int
    private var last: (place: Double, start: Int)?
    private var windows = 0
    /// The second half of the last window.
    private var tail: [Float]
    private var output: [Float] = []
    /// Number of output samples before those in ``output``, and of those in it that have been taken.
    private var given = 0
    private var taken = 0
    private var hasEnded = false
    /// The output sample from which the input is passed through, and its position in the track.
    private var settled: (output: Int, input: Int)?

    /// Creates a stream.
    /// - Parameters:
    ///   - sampleRate: samples per second, at least 1.
    ///   - channelCount: number of channels, at least 1.
    ///   - curve: the speed of the track.
    ///   - elapsedSeconds: time since the start of the mix at the first output sample.
    ///   - firstSample: position in the track of the first sample that is pushed, best ``firstNeeded(sampleRate:curve:elapsedSeconds:)``.
    public init(
        sampleRate: Int, channelCount: Int, curve: SpeedCurve, elapsedSeconds: Double, firstSample: Int
    ) {
        match = WaveformMatch(sampleRate: max(1, sampleRate))
        window = match.window
        self.channelCount = max(1, channelCount)
        rate = Double(max(1, sampleRate))
        self.curve = curve
        elapsed = elapsedSeconds
        first = firstSample
        tail = [Float](repeating: 0, count: match.hop * self.channelCount)
    }

    /// Returns the position of the first sample that a stream needs, 0 or more.
    public static func firstNeeded(sampleRate: Int, curve: SpeedCurve, elapsedSeconds: Double) -> Int {
        let match = WaveformMatch(sampleRate: max(1, sampleRate))
        let start = WaveformMatch.sample(
            curve.position(afterSeconds: elapsedSeconds) * Double(max(1, sampleRate)))
        return max(0, start - match.hop - match.search)
    }

    /// Number of samples per channel that can be taken.
    public var available: Int { output.count / channelCount - taken }

    /// Whether the input is passed through: the track has its own speed.
    public var isSettled: Bool { settled != nil }

    /// Position in the track, in seconds, of the sample `offset` samples after the next one to take.
    public func seconds(at offset: Int = 0) -> Double {
        let index = given + taken + offset
        if let settled, index >= settled.output {
            return Double(settled.input + index - settled.output) / rate
        }
        return curve.position(afterSeconds: elapsed + Double(index) / rate)
    }

    /// Adds interleaved samples.
    public mutating func push(_ samples: UnsafeBufferPointer<Float>) {
        guard settled == nil else { return output.append(contentsOf: samples) }
        input.append(contentsOf: samples)
        mono += WaveformMatch.mono(samples, channelCount: channelCount)
        work()
    }

    /// Ends the input, so that the rest of it can be taken.
    public mutating func finish() {
        guard settled == nil, !hasEnded else { return }
        hasEnded = true
        work()
    }

    /// Removes samples from the front and passes them to `body`, interleaved.
    public mutating func take(_ count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        let count = max(0, min(count, available))
        output.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[taken * channelCount..<(taken + count) * channelCount]))
        }
        taken += count
        guard taken > 1 << 14 else { return }
        output.removeFirst(taken * channelCount)
        given += taken
        taken = 0
    }

    /// Adds all windows that the input suffices for; after its end, until a window begins after it.
    private mutating func work() {
        let hop = match.hop
        while settled == nil {
            let place = curve.position(afterSeconds: elapsed + Double(windows * hop) / rate) * rate
            let nominal = WaveformMatch.sample(place) - hop
            let end = first + mono.count
            let needed = max(nominal + match.search, last.map { $0.start + hop } ?? nominal) + 2 * hop
            guard hasEnded ? nominal < end : needed <= end else { return }
            let start = match.next(at: place, after: last, in: mono, from: first)
            add(start, isFirst: last == nil)
            last = (place, start)
            let centre = windows * hop
            windows += 1
            if elapsed + Double(centre) / rate >= curve.endSeconds {
                settle(output: centre, input: start + hop)
            } else {
                drop(before: min(start + hop, nominal - match.search))
            }
        }
    }

    /// Adds a window: what is before its centre is complete.
    private mutating func add(_ start: Int, isFirst: Bool) {
        let half = match.hop * channelCount
        let source = (start - first) * channelCount
        if !isFirst {
            for index in 0..<half {
                output.append(tail[index] + window[index / channelCount] * sample(source + index))
            }
        }
        for index in 0..<half {
            tail[index] = window[match.hop + index / channelCount] * sample(source + half + index)
        }
    }

    private func sample(_ place: Int) -> Float { place >= 0 && place < input.count ? input[place] : 0 }

    private mutating func settle(output centre: Int, input position: Int) {
        settled = (centre, position)
        let source = max(0, position - first) * channelCount
        if source < input.count { output.append(contentsOf: input[source...]) }
        input = []
        mono = []
    }

    /// Drops input before a position, when it is much.
    private mutating func drop(before position: Int) {
        let count = min(position - first, mono.count)
        guard count > 8 * match.hop else { return }
        input.removeFirst(count * channelCount)
        mono.removeFirst(count)
        first += count
    }
}
