/// The colours of a picture that text in a terminal has no use for.
enum PictureColours {
    static let background = RGB(hex: 0x0E1016)
    static let panel = RGB(hex: 0x161A23)
    static let grid = RGB(hex: 0x2A3040)
    static let silence = RGB(hex: 0x8A91A3)
    static let beat = RGB(hex: 0xE8EAF0)
}
