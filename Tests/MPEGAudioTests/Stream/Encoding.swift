import TestSupport

/// An encoding: the source format and the encoder's options.
struct Encoding: Sendable, CustomStringConvertible {
    let rate: Int
    let channels: Int
    let options: String
    var isFreeFormat = false

    var description: String { "\(rate) Hz, \(channels) ch, lame \(options)" }

    func source(frameCount: Int, seed: UInt64 = 1) -> PCM {
        PCM.music(frameCount: frameCount, sampleRate: rate, channelCount: channels, seed: seed)
    }

    func encode(_ source: PCM) throws -> [UInt8] {
        try Encoders.lame(source, options.split(separator: " ").map(String.init))
    }

    static let all: [Encoding] = [
        Encoding(rate: 44_100, channels: 2, options: "--cbr -b 128"),
        Encoding(rate: 44_100, channels: 2, options: "--cbr -b 320"),
        Encoding(rate: 44_100, channels: 2, options: "--cbr -b 192 -m s -p"),
        Encoding(rate: 44_100, channels: 2, options: "-V 0"),
        Encoding(rate: 44_100, channels: 2, options: "-V 5 -p"),
        Encoding(rate: 44_100, channels: 2, options: "--abr 170"),
        Encoding(rate: 48_000, channels: 2, options: "--cbr -b 256"),
        Encoding(rate: 48_000, channels: 1, options: "-V 2"),
        Encoding(rate: 32_000, channels: 2, options: "--cbr -b 40 --resample 32"),
        Encoding(rate: 32_000, channels: 1, options: "--cbr -b 32 -m m --resample 32"),
        Encoding(rate: 24_000, channels: 2, options: "-V 4 --resample 24"),
        Encoding(rate: 22_050, channels: 2, options: "--cbr -b 64 --resample 22.05"),
        Encoding(rate: 22_050, channels: 1, options: "--cbr -b 56 -p --resample 22.05"),
        Encoding(rate: 16_000, channels: 1, options: "--abr 24 --resample 16"),
        Encoding(rate: 12_000, channels: 2, options: "-V 6 --resample 12"),
        Encoding(rate: 11_025, channels: 1, options: "--cbr -b 24 --resample 11.025"),
        Encoding(rate: 8_000, channels: 1, options: "--cbr -b 8 --resample 8"),
        Encoding(rate: 8_000, channels: 2, options: "--cbr -b 64 --resample 8"),
        Encoding(rate: 44_100, channels: 2, options: "--freeformat -b 400", isFreeFormat: true),
        Encoding(rate: 44_100, channels: 1, options: "--freeformat -b 96", isFreeFormat: true),
    ]
}
