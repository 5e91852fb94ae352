/// Scores that PyTorch computes with the weights of `DownbeatNetwork.trained`, relative to the first; written by
/// Benchmarks/phrases/downbeats.py.
enum DownbeatNetworkReference {
    /// Number of beats; input k of beat i is sin(0.37 i + 1.3 k) + 0.5 cos(0.011 i k).
    static let beatCount = 40
    /// Scores by the number of beats of a bar.
    static let scores: [Int: [Double]] = [
        2: [0.000000, -0.144366],
        3: [0.000000, -0.882942, 2.113487],
        4: [0.000000, -0.413847, 0.986887, 0.974032],
        6: [0.000000, -0.623877, 1.253487, 0.918412, 0.262412, 1.085801],
    ]
}
