import MPEGAudio
import TestSupport
import Testing

/// Compares files by LAME with ffprobe, mpg123 and the known source.
@Suite struct EncodedFileTests {
    @Test(arguments: Encoding.all)
    func framesAndLengthsAgreeWithOtherTools(_ encoding: Encoding) throws {
        let source = encoding.source(frameCount: encoding.rate * 3 + 321)
        let bytes = try encoding.encode(source)
        let stream = try MPEGAudioStream.scan(bytes)
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "a.mp3")

        #expect(stream.format.sampleRate == encoding.rate)
        #expect(stream.format.channelCount == encoding.channels)
        #expect(stream.diagnostics.isFreeFormat == encoding.isFreeFormat)
        #expect(stream.diagnostics.isCRCProtected == encoding.options.contains("-p"))
        #expect(stream.diagnostics.skippedBytes == 0)
        #expect(stream.diagnostics.frameCountMismatch == nil)
        let expectedMode: BitRateMode =
            encoding.isFreeFormat
            ? .free
            : encoding.options.contains("--cbr")
                ? .constant : encoding.options.contains("--abr") ? .average : .variable
        #expect(stream.bitRateMode == expectedMode)

        // libavformat cannot read free format.
        if !encoding.isFreeFormat { #expect(Array(stream.index) == (try ReferenceTools.packets(path))) }
        #expect(
            stream.timeline.decodedSampleCount == (try ReferenceTools.mpg123SampleCount(path, gapless: false))
        )
        if stream.infoTag?.hasGaplessFields == true {
            #expect(stream.timeline.sampleCount == source.frameCount)
            #expect(
                stream.timeline.sampleCount == (try ReferenceTools.mpg123SampleCount(path, gapless: true)))
        }
    }
}
