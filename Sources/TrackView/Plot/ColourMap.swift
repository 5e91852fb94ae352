/// A scale of colours from dark to bright whose steps look equal: "magma" of matplotlib (S. van der Walt and N. Smith,
/// CC0), as the polynomial of sixth degree that M. Zucker fitted to it (CC0).
enum ColourMap {
    private static let red = [
        -0.002136485053939582, 0.2516605407371642, 8.353717279216625, -27.66873308576866, 52.17613981234068,
        -50.76852536473588, 18.65570506591883,
    ]
    private static let green = [
        -0.000749655052795221, 0.6775232436837668, -3.577719514958484, 14.26473078096533, -27.94360607168351,
        29.04658282127291, -11.48977351997711,
    ]
    private static let blue = [
        -0.005386127855323933, 2.494026599312351, 0.3144679030132573, -13.64921318813922, 12.94416944238394,
        4.23415299384598, -5.601961508734096,
    ]

    /// The colour of a value of 0…1.
    static func magma(_ value: Double) -> RGB {
        let t = max(0, min(1, value))
        func polynomial(_ coefficients: [Double]) -> Double {
            coefficients.reversed().reduce(0) { $0 * t + $1 }
        }
        return RGB(polynomial(red), polynomial(green), polynomial(blue))
    }

    /// 256 colours from 0 to 1.
    static let magmaTable: [RGB] = (0..<256).map { magma(Double($0) / 255) }
}
