import Analyzer
import Foundation
import Testing

@testable import TrackView

@Suite struct PlotTests {
    @Test func timeScalePlacesTimes() throws {
        let scale = try #require(TimeScale(durationSeconds: 200, columnCount: 100))
        #expect(scale.column(of: 0) == 0)
        #expect(scale.column(of: 50) == 25)
        #expect(scale.column(of: 199.99) == 99)
        #expect(scale.column(of: 200) == 99)
        for absurd in [Double.nan, .infinity, -.infinity, -1e300, 1e300] {
            #expect((0..<100).contains(scale.column(of: absurd)))
        }
        #expect(TimeScale(durationSeconds: 0, columnCount: 10) == nil)
        #expect(TimeScale(durationSeconds: .nan, columnCount: 10) == nil)
    }

    /// Every value of a series falls into exactly one column where there are more values than columns.
    @Test(arguments: [(100.0, 30.0, 3_000), (7.3, 10, 73), (3_600, 30, 108_000)])
    func columnsShareAllValues(_ seconds: Double, _ perSecond: Double, _ count: Int) throws {
        let scale = try #require(TimeScale(durationSeconds: seconds, columnCount: 48))
        let ranges = (0..<48).compactMap { scale.indices(inColumn: $0, perSecond: perSecond, count: count) }
        #expect(ranges.flatMap { Array($0) } == Array(0..<count))
    }

    @Test(
        arguments: [
            (0.05, ["0:00.00", "0:00.01", "0:00.02", "0:00.03", "0:00.04", "0:00.05"]),
            (65, ["0:00", "0:15", "0:30", "0:45", "1:00"]),
            (36_000, ["0:00", "2:00:00", "4:00:00", "6:00:00", "8:00:00", "10:00:00"]),
        ] as [(Double, [String])])
    func ticksAreRoundTimes(_ seconds: Double, _ labels: [String]) throws {
        let scale = try #require(TimeScale(durationSeconds: seconds, columnCount: 100))
        #expect(scale.ticks(atMost: 6).map(\.label) == labels)
    }

    /// A constant −1 of 128: as a minimum it is −1/128, as a maximum −1/127, which is less.
    @Test(arguments: [Int8](-3...3)) func waveformOfConstantSound(_ value: Int8) throws {
        let overview = WaveformOverview(
            sampleRateHz: 100, samplesPerPixel: 1, extremes: [Int8](repeating: value, count: 2_000))
        let scale = try #require(TimeScale(durationSeconds: 10, columnCount: 50))
        let level = Double(value) / 128
        for column in WaveformColumns.reduced(overview, to: scale) {
            #expect(abs(column.lowerBound - level) < 0.001 && abs(column.upperBound - level) < 0.001)
        }
        let part = try #require(WaveformColumns.extremes(overview, from: 2, to: 2.5))
        #expect(abs(part.lowerBound - level) < 0.001)
        for (from, to) in [(-1.0, 2.0), (11, 12), (.nan, 1), (.infinity, 1)] {
            #expect(WaveformColumns.extremes(overview, from: from, to: to) == nil)
        }
    }

    /// One loud pixel among thousands is still there when they are drawn on a few columns.
    @Test func waveformKeepsPeaks() throws {
        var extremes = [Int8](repeating: 0, count: 2 * 4096)
        extremes[2 * 1000] = -128
        extremes[2 * 3000 + 1] = 127
        let overview = WaveformOverview(sampleRateHz: 4096, samplesPerPixel: 4096, extremes: extremes)
        let scale = try #require(TimeScale(durationSeconds: 4096, columnCount: 64))
        let columns = WaveformColumns.reduced(overview, to: scale)
        #expect(columns.indices.filter { columns[$0].lowerBound == -1 } == [1000 / 64])
        #expect(columns.indices.filter { columns[$0].upperBound == 1 } == [3000 / 64])
    }

    /// Anchors of matplotlib's magma; equal steps of value look like equal steps because the lightness only grows.
    @Test func colourMapIsMagma() {
        let anchors: [(Double, Double, Double, Double)] = [
            (0, 0.001, 0.000, 0.014), (0.5, 0.716, 0.215, 0.475), (1, 0.987, 0.991, 0.750),
        ]
        for (value, red, green, blue) in anchors {
            let colour = ColourMap.magma(value)
            #expect(abs(Double(colour.red) / 255 - red) < 0.03)
            #expect(abs(Double(colour.green) / 255 - green) < 0.03)
            #expect(abs(Double(colour.blue) / 255 - blue) < 0.03)
        }
        let lightness = ColourMap.magmaTable.map {
            0.2126 * pow(Double($0.red), 2.2) + 0.7152 * pow(Double($0.green), 2.2) + 0.0722
                * pow(Double($0.blue), 2.2)
        }
        #expect(zip(lightness.dropFirst(2), lightness.dropFirst(10)).allSatisfy { $0 < $1 })
    }

    @Test(
        arguments: [
            (0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x00FF00, 46), (0x0000FF, 21), (0x808080, 244),
            (0x5F87AF, 67), (0x121212, 233),
        ] as [(UInt32, Int)])
    func coloursOfXterm(_ hex: UInt32, _ index: Int) {
        #expect(RGB(hex: hex).xtermIndex == index)
    }

    @Test(arguments: [
        (0.0, "0:00.000"), (59.9996, "1:00.000"), (185.1234, "3:05.123"), (3_600, "1:00:00.000"),
        (36_000.5, "10:00:00.500"), (.nan, "n/a"), (.infinity, "n/a"), (1e300, "n/a"), (-0.25, "-0:00.250"),
    ])
    func clocks(_ seconds: Double, _ text: String) {
        #expect(NumberText.clock(seconds) == text)
    }

    @Test func numbers() {
        #expect(NumberText.grouped(1_234_567) == "1,234,567")
        #expect(NumberText.grouped(-999) == "-999")
        #expect(NumberText.grouped(Int.min) == "-9,223,372,036,854,775,808")
        #expect(NumberText.fixed(-0.001, 2) == "0.00")
        #expect(NumberText.fixed(.nan, 2, unit: "LUFS") == "n/a")
        #expect(NumberText.fixed(3, 1, unit: "dB", signed: true) == "+3.0 dB")
    }
}
