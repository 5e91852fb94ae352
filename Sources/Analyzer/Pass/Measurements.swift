import Foundation

/// All measurements of one track, fed block by block.
struct Measurements {
    private var profile: ProfileMeasurements?
    private var spectrum: SpectrumAnalyzer
    /// Spectra per visualizer frame.
    private let spectraPerFrame: Int
    private let bands: BandLevels
    private var frames: MeasuredSpectra?
    /// The current row of the frames.
    private var row: [UInt8] = []
    private let timer: StageTimer?

    /// - Parameter spoolFolder: folder for the frames of long tracks; nil keeps all frames in memory.
    init(
        stream: any AudioStream, parts: AnalysisParts, settings: AnalysisSettings, spoolFolder: String? = nil,
        timer: StageTimer? = nil
    ) throws(AnalyzerError) {
        self.timer = timer
        let sampleRate = Double(stream.sampleRateHz)
        let durationSeconds = Double(stream.sampleCount) / sampleRate
        profile =
            parts.contains(.profile)
            ? try ProfileMeasurements(
                sampleRate: sampleRate, channelWeights: stream.channelWeights,
                durationSeconds: durationSeconds, settings: settings)
            : nil
        let fps = VisualizerSpectra.standardFramesPerSecond
        spectraPerFrame = parts.contains(.profile) ? ProfileMeasurements.spectraPerSecond / fps : 1
        spectrum = SpectrumAnalyzer(sampleRate: sampleRate, framesPerSecond: Double(fps * spectraPerFrame))
        bands = BandLevels(layout: BandLayout(), sampleRate: sampleRate, fftSize: spectrum.fftSize)
        row.reserveCapacity(VisualizerSpectra.standardBandCount)
        if parts.contains(.frames) {
            frames = MeasuredSpectra(
                expectedFrameCount: Int((durationSeconds * Double(fps)).rounded(.up)),
                spoolFolder: spoolFolder)
        }
    }

    mutating func consume(_ block: PCMBlock) {
        let before = timer?.enter(.loudness)
        profile?.consume(block, timer)
        timer?.enter(.spectra)
        spectrum.consume(block.mono) { take(spectrum: $0, power: $1) }
        if let before { timer?.enter(before) }
    }

    mutating func finish() -> (profile: TrackProfile?, frames: MeasuredSpectra?) {
        spectrum.finish { take(spectrum: $0, power: $1) }
        return (profile.take()?.finish(), frames.take())
    }

    private mutating func take(spectrum index: Int, power: UnsafeBufferPointer<Float>) {
        let before = timer?.enter(.onsets)
        profile?.consume(power: power)
        if index % spectraPerFrame == 0 {
            timer?.enter(.frames)
            row.removeAll(keepingCapacity: true)
            bands.append(power: power, to: &row)
            frames?.append(row)
            timer?.enter(.sound)
            row.withUnsafeBufferPointer { profile?.consume(row: $0) }
        }
        if let before { timer?.enter(before) }
    }
}
