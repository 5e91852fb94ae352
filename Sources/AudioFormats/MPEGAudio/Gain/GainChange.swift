/// A change of level without decoding: an offset added to every `global_gain` of Layer III frames.
///
/// The decoded sound is scaled by 2^(steps / 4), apart from the decoder's own rounding. The coded spectrum, all lengths and the
/// bit reservoir remain unchanged. Granules without a spectrum keep their gain, and granules too quiet to be heard are clamped
/// at the field's lower limit, so that silence does not limit the change.
public struct GainChange: Sendable, Hashable {
    /// Number of steps of 1.505 dB; negative is quieter.
    public let steps: Int

    /// Creates a change by a number of steps.
    public init(steps: Int) { self.steps = steps }

    /// The change in decibels.
    public var decibels: Double { Double(steps) * GlobalGain.decibelsPerStep }

    /// Factor by which the decoded samples are multiplied.
    public var factor: Double {
        // Four steps are a factor of two.
        Double(sign: .plus, exponent: steps >> 2, significand: 1) * Self.quarters[steps & 3]
    }

    /// 2^(n / 4).
    private static let quarters = [1, 1.189_207_115_002_721, 1.414_213_562_373_095_1, 1.681_792_830_507_429]

    /// Changes one frame in place, including its CRC if it has one.
    ///
    /// - Parameters:
    ///   - bytes: memory that contains the frame.
    ///   - offset: offset of its header.
    ///   - fade: additional steps by which to lower the gain. Values that would fall below 0 become 0, which is silent.
    /// - Throws: ``MPEGAudioError/Code/indexMismatch`` if there is no Layer III frame at this offset;
    ///   ``MPEGAudioError/Code/gainOutOfRange`` if a field would leave 0…255; the frame is then partly changed.
    public func apply(to bytes: inout MutableRawSpan, frameAt offset: Int, fadedBy fade: Int = 0)
        throws(MPEGAudioError)
    {
        guard let header = MPEGFrameHeader(bytes.bytes, at: offset), header.layer == .layer3,
            offset + header.overheadLength <= bytes.byteCount
        else {
            throw MPEGAudioError(
                .indexMismatch, "the file does not match its frame index",
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
                    "a change of \(steps) steps moves a frame's gain to \(gain), outside 0…255",
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
    /// Returns up to 12 bits at a bit position as a number. Traps if any of the three bytes from there on is outside the span.
    @inline(__always)
    func bits(_ count: Int, at position: Int) -> Int {
        let first = position >> 3
        let word =
            Int(byte(at: first)) << 16 | Int(byte(at: first + 1)) << 8 | Int(byte(at: first + 2))
        return (word >> (24 - count - position & 7)) & ((1 << count) - 1)
    }

    /// Returns the range of the `global_gain` fields of a frame's audible granules; nil if none is audible.
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
    /// Writes eight bits at a bit position.
    @inline(__always)
    fileprivate mutating func setByte(_ value: UInt8, atBit position: Int) {
        let (first, shift) = (position >> 3, position & 7)
        let old = UInt16(bytes.byte(at: first)) << 8 | UInt16(bytes.byte(at: first + 1))
        let new = old & ~(0xFF00 >> UInt16(shift)) | UInt16(value) << (8 - UInt16(shift))
        storeBytes(of: new.bigEndian, toByteOffset: first, as: UInt16.self)
    }
}
