extension TempoModel {
    /// One coefficient a feature, in the order of ``features(of:)``.
    ///
    /// Learnt by Benchmarks/tempo/train.py (ridge multinomial logistic regression) from 122 pieces whose
    /// project files state the tempo: the tuning half of the corpus that Benchmarks/tempo describes.
    static let coefficients: [Float] = [
        0.04837, 0.02831, -0.6034, -0.1761, 0.2088, 0.4478, 0.005551, 0.5606,
        -0.24, -0.2729, 0.2349, -0.05164, -0.07296, 0.2369, -1.031, 0.166,
        -0.312, -0.3834, 1.022, 0.01364, 0.3647, -0.04246, 0.5059, -0.1851,
        -0.3814, 0.3672, 0.4829, 0.1977, 0.0269, -0.3781, 0.04956, 0.2413,
        -0.008284, 0.5028, 0.3835, -0.09498, -0.008381, -0.06272, -0.07626, -0.3132,
        -0.3874, 0.7875, -0.1295, -0.2209, 1.228, -0.07609, 0.4827, 0.6034,
        0.5227, -0.1112, -0.1862, -0.05796, -0.1575, 0.5232, 0.8869, -0.4482,
        0.722, 1.418, -0.4896, 0.2331, -0.2987, -0.09995, 0.1313, 0.5829,
        -0.4774, -0.128, 0.07131, 0.2407, 1.108, 0.8832, -0.5121, -0.2835,
        0.06208, 0.04168, 1.016, 0.05448, 0.4947, -0.03415, 0.02478, 1.888,
        -0.4052, 0.2053, -0.2235, 0.08814, 0.06332, 0.5968, 0.1609, 0.9139,
        -0.2729, -0.8164, -0.09388, 0.02635, 0.5854, 0.6303, -0.1044, -0.3057,
        0.3331, -1.355, 0.1346, -1.898, 0.6366, 0.625, 0.06073, 0.6162,
    ]

    /// The chance of being right is the logistic function of `slope` · logit(probability) + `offset`: fitted to
    /// answers for pieces that the coefficients had not been learnt from (cross-validation).
    static let calibration = (slope: 1.233, offset: -0.089)
}
