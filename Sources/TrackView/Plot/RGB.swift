/// A colour of the screen (sRGB).
struct RGB: Sendable, Hashable {
    /// Red, 0…255.
    var red: UInt8
    /// Green, 0…255.
    var green: UInt8
    /// Blue, 0…255.
    var blue: UInt8

    /// Makes a colour of its parts, 0…1; what lies outside is brought in.
    init(_ red: Double, _ green: Double, _ blue: Double) {
        func part(_ value: Double) -> UInt8 { UInt8((max(0, min(1, value)) * 255).rounded()) }
        self.red = part(red)
        self.green = part(green)
        self.blue = part(blue)
    }

    /// Makes a colour of the usual six hexadecimal digits.
    init(hex: UInt32) {
        red = UInt8(truncatingIfNeeded: hex >> 16)
        green = UInt8(truncatingIfNeeded: hex >> 8)
        blue = UInt8(truncatingIfNeeded: hex)
    }

    /// The colour a fraction of the way to another one.
    func mixed(with other: RGB, _ fraction: Double) -> RGB {
        func part(_ a: UInt8, _ b: UInt8) -> Double { (Double(a) + (Double(b) - Double(a)) * fraction) / 255 }
        return RGB(part(red, other.red), part(green, other.green), part(blue, other.blue))
    }

    /// The nearest of xterm's 256 colours: the 6 × 6 × 6 cube from 16 and the greys from 232.
    var xtermIndex: Int {
        let steps = [0, 95, 135, 175, 215, 255]
        func nearest(_ value: UInt8) -> Int {
            steps.indices.min { abs(steps[$0] - Int(value)) < abs(steps[$1] - Int(value)) } ?? 0
        }
        func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
            let (dr, dg, db) = (r - Int(red), g - Int(green), b - Int(blue))
            return dr * dr + dg * dg + db * db
        }
        let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
        let mean = (Int(red) + Int(green) + Int(blue)) / 3
        let grey = max(0, min(23, (mean - 3) / 10))
        let greyValue = 8 + 10 * grey
        return distance(greyValue, greyValue, greyValue) < distance(steps[r], steps[g], steps[b])
            ? 232 + grey : 16 + 36 * r + 6 * g + b
    }
}
