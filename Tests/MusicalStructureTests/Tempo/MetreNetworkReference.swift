/// Scores that PyTorch computes with the weights of `MetreNetwork.trained`; written by Benchmarks/tempo/metre.py.
enum MetreNetworkReference {
    /// Number of steps; lane k of step i is sin(0.37 i + 1.3 k) + 0.5 cos(0.011 i k).
    static let stepCount = 400
    /// Scores by step.
    static let scores: [Int: [Float]] = [
        0: [15.828712, 16.541636, 24.551926, 17.799723, 15.632949],
        1: [10.871646, 14.632976, 21.679953, 15.762126, 12.844708],
        57: [-4.887252, -0.617332, -7.526830, 1.137231, -20.226814],
        200: [-3.156473, 2.701575, -5.448037, 1.059365, -18.413578],
        311: [-2.677865, 3.716725, 3.946855, 4.754184, -4.801292],
        398: [-2.642507, 1.541502, -1.179173, 1.235258, -10.359962],
        399: [-2.898220, -0.110565, -4.680925, -0.701819, -15.526218],
    ]
}
