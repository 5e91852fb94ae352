extension Int16 {
    /// The nearest 16-bit sample to one of full scale ±1; clipped at full scale.
    package init(sample: Float) {
        let scaled = (sample * 32_768).rounded()
        self = Int16(Swift.max(-32_768, Swift.min(32_767, scaled.isNaN ? 0 : scaled)))
    }
}
