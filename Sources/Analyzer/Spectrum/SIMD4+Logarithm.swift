extension SIMD4<Float> {
    /// log₂ of each lane, for positive normal numbers, to within 2·10⁻⁷ or two units in the last place.
    ///
    /// The mantissa m is normalised to √½…√2, where log₂ m is the series of artanh((m − 1) / (m + 1)) up to its ninth power.
    @inline(__always)
    var logarithm2: Self {
        let bits = unsafeBitCast(self, to: SIMD4<Int32>.self)
        // Relative to √½, so that the exponent changes there.
        let above = bits &- 0x3F35_04F3
        let exponent = Self(above &>> 23)
        let mantissa = unsafeBitCast((above & 0x7F_FFFF) &+ 0x3F35_04F3, to: Self.self)
        let t = (mantissa - 1) / (mantissa + 1)
        let square = t * t
        let series =
            2.885_390_1 + square
            * (0.961_796_7 + square * (0.577_078_02 + square * (0.412_198_6 + square * 0.320_598_9)))
        return exponent + t * series
    }
}
