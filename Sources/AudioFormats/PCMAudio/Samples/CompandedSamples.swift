/// The samples that the codes of ITU-T G.711 stand for.
enum CompandedSamples {
    /// The samples of A-law, by code; full scale is 1.
    static let aLaw: [Float] = (0..<256).map { code in
        // Even bits are inverted in transmission (G.711, table 1a).
        let value = code ^ 0x55
        let segment = value >> 4 & 7
        let step = value & 15
        // Thirteen bits; the value is the middle of its interval.
        let magnitude = segment == 0 ? 2 * step + 1 : (2 * step + 33) << (segment - 1)
        return Float(value & 0x80 != 0 ? magnitude : -magnitude) / 4096
    }

    /// The samples of µ-law, by code; full scale is 1.
    static let muLaw: [Float] = (0..<256).map { code in
        // All bits are inverted (G.711, table 2a).
        let value = ~code & 0xFF
        let magnitude = ((2 * (value & 15) + 33) << (value >> 4 & 7)) - 33
        return Float(value & 0x80 != 0 ? -magnitude : magnitude) / 8192
    }
}
