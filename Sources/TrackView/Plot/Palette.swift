/// The colours of terminal and picture.
enum Palette {
    static let text = RGB(hex: 0xE8EAF0)
    static let muted = RGB(hex: 0x8A91A3)
    static let faint = RGB(hex: 0x565D70)
    static let accent = RGB(hex: 0x7DB8FF)
    static let warning = RGB(hex: 0xFFB454)

    static let cueIn = RGB(hex: 0x6EE7A0)
    static let fade = RGB(hex: 0xC3CAD9)
    static let startNext = RGB(hex: 0xFFD166)
    static let cueOut = RGB(hex: 0xFF7B86)
    static let integrated = RGB(hex: 0xFFD166)

    /// Sound that is mostly bass, middle and treble.
    private static let bass = RGB(hex: 0xF2587A)
    private static let middle = RGB(hex: 0xB18CFF)
    private static let treble = RGB(hex: 0x52D6F5)

    /// The colour of the waveform where the sound's brightness is known, 0 (dull) … 1 (bright).
    static func waveform(brightness: Double) -> RGB {
        brightness < 0.5
            ? bass.mixed(with: middle, max(0, brightness) * 2)
            : middle.mixed(with: treble, min(1, brightness) * 2 - 1)
    }

    /// The colour of the waveform where it is not.
    static let waveform = RGB(hex: 0x7DB8FF)
}
