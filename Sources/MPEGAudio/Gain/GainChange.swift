/// A change of level that needs no decoding: a number added to every `global_gain` of layer III frames.
///
/// What the frames decode to is the same sound times 2^(steps / 4), apart from the decoder's own rounding. The coded spectrum stays
/// as it is; so do all lengths and the bit reservoir. Granules that hold no spectrum keep their gain, and those that are too
/// quiet to be heard go no lower than the field does, so that silence does not limit a change.
public struct GainChange: Sendable, Hashable {
    /// Steps of 1.505 dB; negative ones make it quieter.
    public let steps: Int

    /// A change by a number of steps.
    public init(steps: Int) { self.steps = steps }

    /// The change in decibels.
    public var decibels: Double { Double(steps) * GlobalGain.decibelsPerStep }

    /// The factor that the decoded samples are multiplied by.
    public var factor: Double {
        // Four steps are a factor of two.
        Double(sign: .plus, exponent: steps >> 2, significand: 1) * Self.quarters[steps & 3]
    }

    /// 2^(n / 4).
    private static let quarters = [1, 1.189_207_115_002_721, 1.414_213_562_373_095_1, 1.681_792_830_507_429]

    /// Changes one frame in place, and its CRC where it has one.
    ///
    /// - Parameters:
    ///   - bytes: memory that holds the frame.
    ///   - offset: where its header begins.
    ///   - fade: steps by which it is lowered besides. What would come below the field's 0 that way becomes 0, which is as silent.
    /// - Throws: ``MPEGAudioError/Code/indexMismatch`` where no layer III frame stands there;
    ///   ``MPEGAudioError/Code/gainOutOfRange`` where a field would leave 0…255: the frame is then partly changed.
    public func apply(to bytes: inout MutableRawSpan, frameAt offset: Int, fadedBy fade: Int = 0)
        throws(MPEGAudioError)
    {
        guard let header = MPEGFrameHeader(bytes.bytes, at: offset), header.layer == .layer3,
            offset + header.overheadLength <= bytes.byteCount
        else {
            throw MPEGAudioError(
                .indexMismatch, "the file's bytes are not those that its frame index was made from",
                offset: offset)
        }
        guard steps != 0 || fade != 0 else { return }
        let sideInformation = offset + header.overheadLength - header.sideInformationLength
        let layout = GlobalGain.Layout(header)
        for index in 0..<layout.count {
            let start = sideInformation * 8
            guard bytes.bytes.bits(12, at: start + layout.lengthPosition(index)) != 0 else { continue }
            let position = start + layout.gainPosition(index)
            let old = bytes.bytes.bits(8, at: position)
            var gain = old + steps
            if old <= GlobalGain.inaudible { gain = max(GlobalGain.values.lowerBound, gain) }
            if fade != 0, gain > GlobalGain.values.lowerBound {
                gain = max(GlobalGain.values.lowerBound, gain - fade)
            }
            guard GlobalGain.values.contains(gain) else {
                throw MPEGAudioError(
                    .gainOutOfRange,
                    "a change by \(steps) steps takes a frame's gain to \(gain), outside 0 to 255",
                    offset: offset)
            }
            bytes.setByte(UInt8(gain), atBit: position)
        }
        if header.isProtected {
            let sum = FrameChecksum(header: header, sideInformation: bytes.bytes, at: sideInformation)
            bytes.storeBytes(of: sum.value.bigEndian, toByteOffset: offset + 4, as: UInt16.self)
        }
    }
}

extension RawSpan {
    /// Up to 12 bits at a bit position, as a number. Traps where the three bytes from there on are not in the span.
    @inline(__always)
    fileprivate func bits(_ count: Int, at position: Int) -> Int {
        let first = position >> 3
        let word =
            Int(byte(at: first)) << 16 | Int(byte(at: first + 1)) << 8 | Int(byte(at: first + 2))
        return (word >> (24 - count - position & 7)) & ((1 << count) - 1)
    }

    /// The `global_gain` fields of a frame's granules that can be heard, smallest and largest; nil where none can.
    func globalGains(ofFrameAt offset: Int, _ header: MPEGFrameHeader) -> ClosedRange<Int>? {
        let start = (offset + header.overheadLength - header.sideInformationLength) * 8
        let layout = GlobalGain.Layout(header)
        var range: ClosedRange<Int>?
        for index in 0..<layout.count where bits(12, at: start + layout.lengthPosition(index)) != 0 {
            let gain = bits(8, at: start + layout.gainPosition(index))
            guard gain > GlobalGain.inaudible else { continue }
            range = range.map { min($0.lowerBound, gain)...max($0.upperBound, gain) } ?? gain...gain
        }
        return range
    }
}

extension MutableRawSpan {
    /// Puts eight bits at a bit position.
    @inline(__always)
    fileprivate mutating func setByte(_ value: UInt8, atBit position: Int) {
        let (first, shift) = (position >> 3, position & 7)
        let old = UInt16(bytes.byte(at: first)) << 8 | UInt16(bytes.byte(at: first + 1))
        let new = old & ~(0xFF00 >> UInt16(shift)) | UInt16(value) << (8 - UInt16(shift))
        storeBytes(of: new.bigEndian, toByteOffset: first, as: UInt16.self)
    }
}
