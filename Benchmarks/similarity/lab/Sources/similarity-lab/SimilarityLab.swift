import Analyzer
import Foundation

///     similarity-lab search [TRACKS [NEIGHBOURS]]     how long it takes to build an index of random descriptors and to find
///                                                     neighbours, on one thread
///     similarity-lab statistics FOLDER TARGET         the statistics of each MP3 file, for training: see ``TrackStatistics``
@main
enum SimilarityLab {
    private static let queries = 200

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("search", 1...3): search(arguments.dropFirst().compactMap { Int($0) })
        case ("statistics", 3): try TrackStatistics.write(of: arguments[1], to: arguments[2])
        default:
            print("usage: similarity-lab search [TRACKS [NEIGHBOURS]] | statistics FOLDER TARGET")
            exit(2)
        }
    }

    private static func search(_ arguments: [Int]) {
        let (count, neighbours) = (arguments.first ?? 100_000, arguments.dropFirst().first ?? 50)
        var random = SystemRandomNumberGenerator()
        let descriptors = (0..<count).compactMap { _ in
            SonicDescriptor(
                rounding: (0..<SonicDescriptor.dimension).map { _ in
                    // About normally distributed.
                    (0..<4).reduce(Float(0)) { sum, _ in sum + Float.random(in: -1...1, using: &random) }
                })
        }
        let clock = ContinuousClock()
        var index = SimilarityIndex([])
        let built = clock.measure { index = SimilarityIndex(descriptors) }
        print("\(count) tracks: index built in \(milliseconds(built)) ms")
        var times: [Double] = []
        var checksum = 0
        for _ in 0..<queries {
            let row = Int.random(in: 0..<count, using: &random)
            times.append(
                milliseconds(
                    clock.measure { checksum &+= index.neighbours(of: row, count: neighbours)[0].row }))
        }
        times.sort()
        print(
            "\(neighbours) neighbours: median \(times[queries / 2]) ms, 95th percentile \(times[queries * 95 / 100]) ms, "
                + "most \(times[queries - 1]) ms (checksum \(checksum))")
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12).rounded() / 1e3
    }
}
