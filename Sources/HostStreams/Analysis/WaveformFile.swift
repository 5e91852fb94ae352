internal import Analyzer
internal import Foundation

/// The waveform overview in the two variants of audiowaveform's data format.
enum WaveformFile {
    /// Returns the binary variant, version 2: 8-bit pairs of minimum and maximum after a 24-byte header.
    static func binary(_ waveform: WaveformOverview) -> [UInt8] {
        var bytes: [UInt8] = []
        // Version, flags (bit 0: 8 bits), sample rate, samples per pixel, pixels, channels.
        for value in [2, 1, waveform.sampleRateHz, waveform.samplesPerPixel, waveform.pixelCount, 1] {
            withUnsafeBytes(of: Int32(value).littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes + waveform.extremes.map { UInt8(bitPattern: $0) }
    }

    /// The JSON variant, version 2.
    struct JSON: Encodable {
        let version = 2
        let channels = 1
        let sampleRate: Int
        let samplesPerPixel: Int
        let bits = 8
        let length: Int
        let data: [Int8]

        init(_ waveform: WaveformOverview) {
            sampleRate = waveform.sampleRateHz
            samplesPerPixel = waveform.samplesPerPixel
            length = waveform.pixelCount
            data = waveform.extremes
        }

        private enum CodingKeys: String, CodingKey {
            case version, channels, bits, length, data
            case sampleRate = "sample_rate"
            case samplesPerPixel = "samples_per_pixel"
        }
    }
}
