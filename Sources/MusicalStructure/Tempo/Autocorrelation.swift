/// Computes the autocorrelation of a sequence that arrives value by value.
///
/// Averages over half-overlapping blocks through their power spectra (Wiener–Khinchin), zero-padded against wrap-around; each
/// lag is divided by its number of products.
struct Autocorrelation {
    private static let blockLength = 2048
    private static let transformSize = 4096

    private let lagCount: Int
    private let fft = RealFFT(size: transformSize)
    private var power = [Float](repeating: 0, count: transformSize / 2 + 1)
    private var products: [Double]
    private var block = [Float](repeating: 0, count: blockLength)
    private var blockCount = 0
    private var isFirstBlock = true

    /// - Parameter lagCount: number of lags, starting at 0; at most half a transform.
    init(lagCount: Int) {
        self.lagCount = min(lagCount, Self.transformSize - Self.blockLength)
        products = [Double](repeating: 0, count: self.lagCount)
    }

    /// Appends the next value.
    mutating func append(_ value: Float) {
        if blockCount == Self.blockLength {
            addBlock()
            // The second half of a block becomes the first half of the next.
            for i in 0..<Self.blockLength / 2 { block[i] = block[Self.blockLength / 2 + i] }
            blockCount = Self.blockLength / 2
            isFirstBlock = false
        }
        block[blockCount] = value
        blockCount += 1
    }

    /// Ends the sequence and returns the autocorrelation from lag 0, where it is 1; zeros for an empty sequence.
    mutating func finish() -> [Float] {
        if isFirstBlock || blockCount > Self.blockLength / 2 { addBlock() }
        // A real and even sequence has a real and even transform, so the forward transform serves as the inverse.
        for bin in power.indices {
            fft.input[bin] = power[bin]
            if bin > 0 { fft.input[Self.transformSize - bin] = power[bin] }
        }
        fft.execute()
        let zero = Double(fft.output[0]) / max(products[0], 1)
        guard zero > 0 else { return [Float](repeating: 0, count: lagCount) }
        return (0..<lagCount).map { lag in
            // With few products the quotient is noise.
            products[lag] < 0.1 * products[0] ? 0 : Float(Double(fft.output[2 * lag]) / products[lag] / zero)
        }
    }

    private mutating func addBlock() {
        for i in 0..<Self.transformSize { fft.input[i] = i < blockCount ? block[i] : 0 }
        fft.execute()
        for bin in power.indices {
            let real = fft.output[2 * bin]
            let imaginary = fft.output[2 * bin + 1]
            power[bin] += real * real + imaginary * imaginary
        }
        for lag in 0..<min(lagCount, blockCount) { products[lag] += Double(blockCount - lag) }
    }
}
