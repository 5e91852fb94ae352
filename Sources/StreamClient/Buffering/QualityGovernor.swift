internal import Synchronization

/// Holds the inputs of the quality decision and makes it. Shared by the engine, which updates it, and the readers, which
/// query it.
final class QualityGovernor: Sendable {
    private struct State {
        var network = NetworkKind.wifi
        var policy: QualityPolicy
        var aheadSeconds = 0.0
    }

    private let state: Mutex<State>
    private let traffic: TrafficMeter

    init(policy: QualityPolicy, traffic: TrafficMeter) {
        state = Mutex(State(policy: policy))
        self.traffic = traffic
    }

    var network: NetworkKind {
        get { state.withLock { $0.network } }
        set { state.withLock { $0.network = newValue } }
    }

    /// Updates the number of buffered seconds.
    func stores(_ seconds: Double) { state.withLock { $0.aheadSeconds = seconds } }

    func choose(among bandwidths: [Int], current: Int?) -> Int {
        let state = state.withLock { $0 }
        return state.policy.choose(
            among: bandwidths, current: current, network: state.network,
            bitsPerSecond: traffic.bitsPerSecond, aheadSeconds: state.aheadSeconds)
    }
}
