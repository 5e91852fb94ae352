/// Scores that PyTorch computes with the weights of `MetreNetwork.trained`; written by Benchmarks/tempo/metre.py.
enum MetreNetworkReference {
    /// Number of steps; lane k of step i is sin(0.37 i + 1.3 k) + 0.5 cos(0.011 i k).
    static let stepCount = 400
    /// Scores by step.
    static let scores: [Int: [Float]] = [
        0: [10.331023, 11.718063, 14.840168, 14.695826, 8.570560],
        1: [8.355434, 12.293329, 13.506352, 14.735584, 6.365895],
        57: [-3.441667, -1.890557, -9.146613, -1.662656, -20.805613],
        200: [-2.516039, -3.333453, -4.135841, -3.168537, -14.548593],
        311: [-4.745141, -0.672158, -3.188119, 0.622362, -13.444642],
        398: [-0.129343, 0.227147, -1.184100, 1.231750, -9.846689],
        399: [-0.414042, -0.197349, 2.118510, 2.087732, -5.217735],
    ]
}
