import MPEGAudio
import Testing

/// Checks header fields against the tables of the standards.
@Suite struct MPEGFrameHeaderTests {
    @Test(
        arguments: [
            // word, version, layer, Hz, kbit/s, frame bytes, side information, samples
            (0xFFFB_9064, MPEGVersion.v1, MPEGLayer.layer3, 44_100, 128, 417, 32, 1152),
            (0xFFFB_92C4, .v1, .layer3, 44_100, 128, 418, 17, 1152),
            (0xFFFA_E400, .v1, .layer3, 48_000, 320, 960, 32, 1152),
            (0xFFF3_8464, .v2, .layer3, 24_000, 64, 192, 17, 576),
            (0xFFF3_18C4, .v2, .layer3, 16_000, 8, 36, 9, 576),
            (0xFFE3_18C4, .v2_5, .layer3, 8_000, 8, 72, 9, 576),
            (0xFFFD_C400, .v1, .layer2, 48_000, 256, 768, 0, 1152),
            (0xFFFF_4800, .v1, .layer1, 32_000, 128, 192, 0, 384),
        ] as [(UInt32, MPEGVersion, MPEGLayer, Int, Int, Int, Int, Int)])
    func fieldsFollowTheTables(
        _ word: UInt32, _ version: MPEGVersion, _ layer: MPEGLayer, _ rate: Int, _ kilobits: Int,
        _ length: Int,
        _ sideInformation: Int, _ samples: Int
    ) throws {
        let header = try #require(MPEGFrameHeader(word: word))
        #expect(header.version == version)
        #expect(header.layer == layer)
        #expect(header.sampleRate == rate)
        #expect(header.bitRate == kilobits * 1000)
        #expect(header.frameLength == length)
        #expect(header.sideInformationLength == sideInformation)
        #expect(header.samplesPerFrame == samples)
    }

    @Test func flagsAreRead() throws {
        let protected = try #require(MPEGFrameHeader(word: 0xFFFA_9064))
        #expect(protected.isProtected)
        #expect(protected.overheadLength == 4 + 2 + 32)
        let joint = try #require(MPEGFrameHeader(word: 0xFFFB_9264))
        #expect(joint.padding)
        #expect(joint.channelMode == .jointStereo)
        #expect(joint.isMidSideStereo)
        #expect(!joint.isIntensityStereo)
        #expect(try #require(MPEGFrameHeader(word: 0xFFFB_9054)).isIntensityStereo)
        #expect(try #require(MPEGFrameHeader(word: 0xFFFB_9084)).channelMode == .dualChannel)
        let free = try #require(MPEGFrameHeader(word: 0xFFFB_0064))
        #expect(free.isFreeFormat)
        #expect(free.frameLength == nil)
    }

    @Test(
        arguments: [
            0xFFDB_9064, 0xFFEB_9064, 0xFFF9_9064, 0xFFFB_F064, 0xFFFB_9C64, 0xFFFB_9066, 0, .max,
        ] as [UInt32])
    func reservedValuesAreRefused(_ word: UInt32) {
        #expect(MPEGFrameHeader(word: word) == nil)
    }
}
