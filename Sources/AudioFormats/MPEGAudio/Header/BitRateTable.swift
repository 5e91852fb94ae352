/// Bit rates and sample rates by header field (ISO/IEC 11172-3 §2.4.2.3, ISO/IEC 13818-3 §2.4.2.3).
enum BitRateTable {
    /// Returns kbit/s for the header's 4-bit index; 0 for index 0 (free format) and 15 (forbidden).
    static func kilobits(version: MPEGVersion, layer: MPEGLayer, index: Int) -> Int {
        let row: InlineArray<16, Int>
        switch (version, layer) {
        case (.v1, .layer1):
            row = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 0]
        case (.v1, .layer2):
            row = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0]
        case (.v1, .layer3):
            row = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
        case (_, .layer1):
            row = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 0]
        default:
            row = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
        }
        return row[index & 15]
    }

    /// Returns Hz for the header's 2-bit index; nil for the reserved index 3.
    static func sampleRate(version: MPEGVersion, index: Int) -> Int? {
        let base: Int
        switch index {
        case 0: base = 44_100
        case 1: base = 48_000
        case 2: base = 32_000
        default: return nil
        }
        switch version {
        case .v1: return base
        case .v2: return base / 2
        case .v2_5: return base / 4
        }
    }
}
