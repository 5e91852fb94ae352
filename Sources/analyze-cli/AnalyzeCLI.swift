import Analyzer
import Foundation
@main struct AnalyzeCLI { static func main() {
  for p in CommandLine.arguments.dropFirst() {
    do {
      let f = try MappedFile(path: Array(p.utf8))
      let t = Date()
      if case .analyzed(let a) = try TrackAnalyzer().analyze(f) {
        let s = a.stream, pr = a.profile!
        print(p, s.durationSeconds, s.sampleCount, s.frameCount, s.remarks, pr.loudness.integratedLUFS as Any, pr.loudness.loudnessRangeLU, pr.loudness.truePeakDBTP as Any, pr.silence, pr.cue, a.frames!.frameCount, pr.waveform.pixelCount, a.audioHash, s.frameIndex.count, Date().timeIntervalSince(t))
      }
    } catch { print(p, error) }
  }
} }
