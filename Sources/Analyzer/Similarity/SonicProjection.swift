/// The linear map from the statistics of a track to the coordinates of its ``SonicDescriptor``.
///
/// Trained by `Benchmarks/similarity/train.py`: linear discriminant analyses (Fisher 1936) of the statistics of spectra, tones and
/// rhythm, whose classes are pieces of music and whose samples are their halves, so that coordinates count by how well they tell
/// pieces apart. Each coordinate has weights for one of the three groups.
enum SonicProjection {
    /// For each statistic its weights in the coordinates.
    static let weights: [SIMD16<Float>] = {
        let blocks = tenThousandths.count / 16
        return (0..<blocks).map { block in
            var weights = SIMD16<Float>.zero
            for lane in 0..<16 { weights[lane] = Float(tenThousandths[16 * block + lane]) * 1e-4 }
            return weights
        }
    }()
}
