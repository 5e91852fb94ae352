package import Analyzer
internal import Companion
package import Foundation
package import LibraryStore

/// A picture of one track: title and key numbers, waveform with beats and cue points, loudness curve
/// and spectrogram on one time axis.
///
/// 1600 × 1060 pixels. The waveform's colour distinguishes bass from treble. Any track can be drawn: missing data is
/// left out and named.
package enum TrackPicture {
    /// Draws a track into a PNG file. An existing file is replaced.
    /// - Parameter frames: the track's visualizer frames, for the spectrogram.
    /// - Throws: ``TrackViewError`` with the file's path: `fileUnwritable`, `drawingFailed`.
    package static func write(
        track: AnalysedTrack, frames: VisualizerSpectra?, to path: String
    ) throws(TrackViewError) {
        try PictureFile.write(to: path) { () throws(TrackViewError) in try png(track: track, frames: frames) }
    }

    /// Draws a track.
    /// - Parameter frames: the track's visualizer frames, for the spectrogram.
    /// - Returns: the bytes of a PNG file.
    /// - Throws: `drawingFailed`.
    package static func png(track: AnalysedTrack, frames: VisualizerSpectra?) throws(TrackViewError) -> Data {
        let canvas = try Canvas(
            width: PictureLayout.width, height: PictureLayout.height, background: PictureColours.background)
        let facts = TrackFacts(track, frames: frames)
        PictureHeading(facts: facts).draw(on: canvas)
        for area in [PictureLayout.waveform, PictureLayout.loudness, PictureLayout.spectrogram] {
            canvas.fill(area, PictureColours.panel)
        }
        let scale = TimeScale(
            durationSeconds: track.analysis?.stream.durationSeconds ?? 0,
            columnCount: Int(PictureLayout.plotWidth))
        if let analysis = track.analysis, let scale {
            let spectrum = frames.flatMap { SpectrumColumns($0, scale: scale) }
            SpectrogramPanel(spectrum: spectrum, scale: scale).draw(on: canvas)
            TimeGrid(scale: scale).draw(on: canvas)
            WaveformPanel(
                profile: analysis.profile, scale: scale, brightness: spectrum?.brightnessOfColumns()
            )
            .draw(on: canvas)
            LoudnessPanel(loudness: analysis.profile?.loudness, scale: scale).draw(on: canvas)
            if let profile = analysis.profile {
                SilenceShades(profile: profile, scale: scale).draw(on: canvas)
                CueLines(cue: profile.cue, scale: scale).draw(on: canvas)
            }
        } else {
            canvas.note(track.analysis == nil ? "not analysed yet" : "no audio", in: PictureLayout.waveform)
        }
        return try canvas.png()
    }
}
