import TestSupport
import Testing

@testable import Analyzer
@testable import MusicalStructure

/// Descriptors of made-up spectra.
@Suite("Sonic descriptor") struct SonicDescriptorTests {
    /// Values that Benchmarks/similarity/features.py (NumPy) computes from the same rows, by position in the vector.
    private static let reference: [(index: Int, value: Float)] = [
        (0, -1.0182), (1, -0.3776), (15, 0.1359), (16, 25.5968), (31, 8.4958), (32, 7.8707), (47, 6.6841),
        (48, -0.0101), (49, -0.4946), (53, -0.0021), (54, 1.2657), (59, 1.3138), (60, 1.3293), (89, 0.5736),
        (90, 1.4893), (91, 0.9915), (92, 0.4811), (97, 0.4839), (98, 3.3074), (99, -30.3588),
    ]

    @Test("The statistics are those of an independent implementation")
    func statistics() throws {
        var features = SonicRows.varied.features
        let made = features.vector()
        let vector = try #require(made)
        #expect(vector.count == SonicFeatures.count)
        for (index, value) in Self.reference {
            #expect(abs(vector[index] - value) < 0.002, "\(index): \(vector[index])")
        }
        #expect(abs(vector.reduce(0, +) - 376.727) < 0.02)
    }

    @Test("A quieter copy has the same descriptor")
    func gain() throws {
        // 30 levels are 10.6 dB. The quietest level is not cut off by it.
        var quieter = SonicRows.varied
        quieter.rows = quieter.rows.map { row in row.map { $0 >= 40 ? $0 - 30 : $0 } }
        let original = try #require(SonicRows.varied.character.descriptor)
        let copy = try #require(quieter.character.descriptor)
        #expect(original.distance(to: copy) < 0.01)
    }

    @Test("Silence before and after does not count")
    func surroundingSilence() throws {
        var padded = SonicRows().level(0, 200)
        padded.rows += SonicRows.varied.rows
        #expect(padded.level(0, 500).character == SonicRows.varied.character)
    }

    @Test("Less than a second of sound has no descriptor, and silence none")
    func tooShort() {
        #expect(SonicRows().level(200, 29).character == SoundCharacter())
        #expect(SonicRows().level(0, 1_000).character == SoundCharacter())
        #expect(SonicRows().level(200, 30).character.descriptor != nil)
    }

    @Test("Tones and rhythm have coordinates of their own; unknown ones count as average")
    func groups() throws {
        let (tones, rhythm) = (SonicFeatures.count, SonicFeatures.count + KeyDetector.statisticCount)
        let means = SonicProjection.means
        let sound = Array(means[..<tones]).map { $0 + 0.1 }
        let bare = try #require(SonicDescriptor(sound: sound, tones: nil, rhythm: nil))
        let average = try #require(
            SonicDescriptor(
                sound: sound, tones: Array(means[tones..<rhythm]), rhythm: Array(means[rhythm...])))
        #expect(bare == average)
        let moved = try #require(
            SonicDescriptor(sound: sound, tones: means[tones..<rhythm].map { $0 + 0.1 }, rhythm: nil))
        let rhythmic = try #require(
            SonicDescriptor(sound: sound, tones: nil, rhythm: means[rhythm...].map { $0 + 0.1 }))
        let coordinates = bare.values.indices
        #expect(coordinates.count { bare.values[$0] != moved.values[$0] } == 10)
        #expect(coordinates.count { bare.values[$0] != rhythmic.values[$0] } == 8)
        #expect(
            coordinates.allSatisfy {
                bare.values[$0] == moved.values[$0] || bare.values[$0] == rhythmic.values[$0]
            })
        #expect(SonicDescriptor(sound: sound, tones: [0], rhythm: nil) == nil)
        #expect(SonicDescriptor(sound: [0], tones: nil, rhythm: nil) == nil)
    }

    @Test("Encoding keeps a descriptor; other bytes are rejected")
    func coding() throws {
        let descriptor = try #require(SonicRows.varied.character.descriptor)
        let bytes = descriptor.encoded
        #expect(bytes.count == 97 && bytes[0] == SonicDescriptor.version)
        #expect(SonicDescriptor(encoded: bytes) == descriptor)
        #expect(SonicDescriptor(encoded: bytes.dropLast()) == nil)
        #expect(SonicDescriptor(encoded: []) == nil)
        #expect(SonicDescriptor(encoded: [1] + bytes.dropFirst()) == nil)
    }

    @Test("Coordinates are rounded to 1/1024 and limited to ±32")
    func rounding() throws {
        var values = [Float](repeating: 0.25, count: SonicDescriptor.dimension)
        values[0] = 1e9
        values[1] = -.infinity
        values[2] = .nan
        values[3] = 0.000_6
        let descriptor = try #require(SonicDescriptor(rounding: values))
        #expect(descriptor.values[0] == 32_767.0 / 1024 && descriptor.values[1] == 0)
        #expect(descriptor.values[2] == 0 && descriptor.values[3] == 1.0 / 1024)
        #expect(descriptor.values[4] == 0.25)
        #expect(SonicDescriptor(rounding: Array(values.dropLast())) == nil)
    }
}
