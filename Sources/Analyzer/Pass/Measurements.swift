import Foundation
internal import MPEGAudio

/// All measurements of one track, fed block by block.
struct Measurements {
    private var profile: ProfileMeasurements?
    private var spectrum: SpectrumAnalyzer
    /// Spectra from one visualizer frame to the next.
    private let spectraPerFrame: Int
    private let bands: BandLevels?
    private var levels: [UInt8] = []

    init(stream: MPEGAudioStream, parts: AnalysisParts, settings: AnalysisSettings) throws(AnalyzerError) {
        let sampleRate = Double(stream.timeline.sampleRate)
        let durationSeconds = Double(stream.timeline.sampleCount) / sampleRate
        profile =
            parts.contains(.profile)
            ? try ProfileMeasurements(
                sampleRate: sampleRate, channelCount: stream.format.channelCount,
                durationSeconds: durationSeconds, settings: settings)
            : nil
        let fps = VisualizerFrames.standardFramesPerSecond
        spectraPerFrame = parts.contains(.profile) ? ProfileMeasurements.spectraPerSecond / fps : 1
        spectrum = SpectrumAnalyzer(sampleRate: sampleRate, framesPerSecond: Double(fps * spectraPerFrame))
        if parts.contains(.frames) {
            bands = BandLevels(layout: BandLayout(), sampleRate: sampleRate, fftSize: spectrum.fftSize)
            let frames = Int((durationSeconds * Double(fps)).rounded(.up))
            levels.reserveCapacity(frames * VisualizerFrames.standardBandCount)
        } else {
            bands = nil
        }
    }

    mutating func consume(_ block: PCMBlock) {
        profile?.consume(block)
        spectrum.consume(block.mono) { take(spectrum: $0, power: $1) }
    }

    mutating func finish() -> (profile: TrackProfile?, frames: VisualizerFrames?) {
        spectrum.finish { take(spectrum: $0, power: $1) }
        return (
            profile.take()?.finish(),
            bands == nil ? nil : VisualizerFrames(levels: levels)
        )
    }

    private mutating func take(spectrum index: Int, power: UnsafeBufferPointer<Float>) {
        profile?.consume(power: power)
        if let bands, index % spectraPerFrame == 0 { bands.append(power: power, to: &levels) }
    }
}
