import Foundation
import Testing

@testable import Analyzer
@testable import MusicalStructure

@Suite struct TempoNetworkTests {
    @Test func scoreIsTheLinearPathAndTheHiddenUnits() {
        let network = TempoNetwork(
            direct: [0.5, -1], hidden: [1, 2, -3, 0.25], offsets: [0.1, -0.2], outputs: [2, -0.5])
        let expected =
            0.5 * 0.3 - 1 * 0.7 + 2 * tanh(0.1 + 0.3 + 2 * 0.7) - 0.5 * tanh(-0.2 - 3 * 0.3 + 0.25 * 0.7)
        #expect(abs(network.score([0.3, 0.7]) - expected) < 1e-5)
    }

    /// A file with a missing number would shift all following weights.
    @Test func trainedWeightsFitTheFeatures() throws {
        let groups = OnsetGroup.all(of: TempoSignal.clicks(bpm: 120, seconds: 8).envelope())
        let features = TempoModel.features(of: PulsePeriodicity(groups: groups, framesPerSecond: 60))
        let network = TempoNetwork.trained
        #expect(features.count == TempoModel.candidates.count)
        #expect(features.allSatisfy { $0.count == network.direct.count })
        #expect(network.hidden.count == network.direct.count * network.outputs.count)
        #expect(network.offsets.count == network.outputs.count)
    }
}
