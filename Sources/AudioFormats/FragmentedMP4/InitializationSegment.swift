/// The start of a fragmented MP4 stream of one audio track: everything but the samples (ISO/IEC 14496-12 §8.8, RFC 8216 §3.3).
package enum InitializationSegment {
    /// The number of the only track.
    static let trackNumber = 1

    /// Returns the segment.
    ///
    /// Times are in samples. The duration is not stated: that of a fragmented file is the sum of its fragments.
    /// - Parameters:
    ///   - skippedSamples: samples at the start that players shall not play (ISO/IEC 14496-12 §8.6.6).
    ///   - prerollFrames: number of frames that a decoder needs before the one it starts with. Above 0, all fragments must say that
    ///     they have such frames.
    package static func bytes(
        _ entry: AudioSampleEntry, skippedSamples: Int = 0, prerollFrames: Int = 0
    ) -> [UInt8] {
        var writer = BoxWriter()
        writer.box("ftyp") { box in
            box.put(code: "iso6")
            box.put(0, byteCount: 4)
            box.put(code: "iso6")
            box.put(code: "mp41")
        }
        writer.box("moov") { box in
            movieHeader(entry, &box)
            track(entry, skippedSamples, prerollFrames, &box)
            box.box("mvex") { box in
                box.fullBox("trex") { box in
                    box.put(trackNumber, byteCount: 4)
                    // The first sample description; no standard duration and size.
                    box.put(1, byteCount: 4)
                    box.putZeros(8)
                    box.put(FragmentHeader.independentSample, byteCount: 4)
                }
            }
        }
        return writer.bytes
    }

    private static func movieHeader(_ entry: AudioSampleEntry, _ writer: inout BoxWriter) {
        writer.fullBox("mvhd") { box in
            box.putZeros(8)
            box.put(entry.sampleRate, byteCount: 4)
            box.putZeros(4)
            // Normal speed and volume.
            box.put(0x0001_0000, byteCount: 4)
            box.put(0x0100, byteCount: 2)
            box.putZeros(10)
            unityMatrix(&box)
            box.putZeros(24)
            box.put(trackNumber + 1, byteCount: 4)
        }
    }

    private static func track(
        _ entry: AudioSampleEntry, _ skippedSamples: Int, _ prerollFrames: Int, _ writer: inout BoxWriter
    ) {
        writer.box("trak") { box in
            // Enabled, in the movie and in its preview.
            box.fullBox("tkhd", flags: 7) { box in
                box.putZeros(8)
                box.put(trackNumber, byteCount: 4)
                box.putZeros(16)
                // Layer and group 0, full volume.
                box.putZeros(4)
                box.put(0x0100, byteCount: 2)
                box.putZeros(2)
                unityMatrix(&box)
                box.putZeros(8)
            }
            if skippedSamples > 0 { edit(skippedSamples, &box) }
            box.box("mdia") { box in
                box.fullBox("mdhd") { box in
                    box.putZeros(8)
                    box.put(entry.sampleRate, byteCount: 4)
                    box.putZeros(4)
                    // The language "und", five bits per letter.
                    box.put(0x55C4, byteCount: 2)
                    box.putZeros(2)
                }
                box.fullBox("hdlr") { box in
                    box.putZeros(4)
                    box.put(code: "soun")
                    box.putZeros(13)
                }
                box.box("minf") { mediaInformation(entry, prerollFrames, &$0) }
            }
        }
    }

    /// Writes the edit that starts later than the first sample, at normal speed; 0 stands for the rest of the fragments.
    private static func edit(_ skippedSamples: Int, _ writer: inout BoxWriter) {
        writer.box("edts") { box in
            box.fullBox("elst", version: 1) { box in
                box.put(1, byteCount: 4)
                box.put(0, byteCount: 8)
                box.put(skippedSamples, byteCount: 8)
                box.put(0x0001_0000, byteCount: 4)
            }
        }
    }

    private static func mediaInformation(
        _ entry: AudioSampleEntry, _ prerollFrames: Int, _ writer: inout BoxWriter
    ) {
        writer.fullBox("smhd") { $0.putZeros(4) }
        writer.box("dinf") { box in
            box.fullBox("dref") { box in
                box.put(1, byteCount: 4)
                // In this file.
                box.fullBox("url ", flags: 1) { _ in }
            }
        }
        writer.box("stbl") { box in
            box.fullBox("stsd") { box in
                box.put(1, byteCount: 4)
                entry.write(to: &box)
            }
            // The samples are in the fragments.
            box.fullBox("stts") { $0.putZeros(4) }
            box.fullBox("stsc") { $0.putZeros(4) }
            box.fullBox("stsz") { $0.putZeros(8) }
            box.fullBox("stco") { $0.putZeros(4) }
            if prerollFrames > 0 { rollGroup(prerollFrames, &box) }
        }
    }

    /// Writes the description of the group of all frames (ISO/IEC 14496-12 §10.1): negative, since the frames come before.
    private static func rollGroup(_ prerollFrames: Int, _ writer: inout BoxWriter) {
        writer.fullBox("sgpd", version: 1) { box in
            box.put(code: FragmentHeader.rollGroup)
            // The size of a description, and their number.
            box.put(2, byteCount: 4)
            box.put(1, byteCount: 4)
            box.put(0x1_0000 - prerollFrames, byteCount: 2)
        }
    }

    private static func unityMatrix(_ writer: inout BoxWriter) {
        for number in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] {
            writer.put(number, byteCount: 4)
        }
    }
}
