internal import AudioFrames

/// An entry of the `stsd` box of a track with audio (ISO/IEC 14496-12 §12.2.3, and QuickTime's versions of it).
struct SampleEntry {
    private let type: BoxType
    private let isProtected: Bool
    private let cookie: [UInt8]?
    private let descriptor: ESDescriptor?

    init(_ bytes: RawSpan, _ entry: MP4Box) {
        type = entry.type
        // Six reserved bytes, a reference, a version; then fields whose number depends on it.
        let version = bytes.number(at: entry.start + 8, byteCount: 2, in: entry.contents) ?? 0
        let fixed = entry.start + 28 + (version == 1 ? 16 : version == 2 ? 36 : 0)
        let boxes = min(fixed, entry.range.upperBound)..<entry.range.upperBound
        isProtected = type == "enca" || type == "drms" || MP4Box.first("sinf", bytes, in: boxes) != nil
        // QuickTime puts the configuration into a box of its own.
        let inner = MP4Box.first("wave", bytes, in: boxes)?.contents
        func find(_ type: BoxType) -> MP4Box? {
            MP4Box.first(type, bytes, in: boxes) ?? inner.flatMap { MP4Box.first(type, bytes, in: $0) }
        }
        cookie = find("alac").map { bytes.array($0.fullContents.prefix(ALACConfiguration.byteCount)) }
        descriptor = find("esds").flatMap { ESDescriptor(bytes, in: $0.fullContents) }
    }

    /// Returns the codec.
    /// - Throws: `encrypted`, or `unsupportedCodec` with its name.
    func codec() throws(AudioFormatError) -> MP4AudioCodec {
        if isProtected {
            throw AudioFormatError(
                .encrypted, "the audio is encrypted (DRM): only its shop's player can play it")
        }
        switch type {
        case "alac":
            guard let cookie else {
                throw AudioFormatError(.unsupportedCodec, "the configuration of the ALAC decoder is missing")
            }
            return .alac(try ALACConfiguration(cookie))
        case "mp4a":
            guard let descriptor else {
                throw AudioFormatError(.unsupportedCodec, "the configuration of the AAC decoder is missing")
            }
            guard descriptor.objectType == 0x40 || (0x66...0x68).contains(descriptor.objectType) else {
                let isMP3 = descriptor.objectType == 0x69 || descriptor.objectType == 0x6B
                let name = isMP3 ? "MP3" : "of object type \(descriptor.objectType)"
                throw AudioFormatError(.unsupportedCodec, "the MP4 file's audio is \(name), not AAC or ALAC")
            }
            guard let configuration = descriptor.configuration else {
                throw AudioFormatError(.unsupportedCodec, "the configuration of the AAC decoder is missing")
            }
            return .aac(try AACConfiguration(configuration))
        default:
            throw AudioFormatError(.unsupportedCodec, "the MP4 file's audio is '\(type)', not AAC or ALAC")
        }
    }
}
