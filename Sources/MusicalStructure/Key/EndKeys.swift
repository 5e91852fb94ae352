/// The keys at the start and at the end of a track, where it meets other tracks.
package struct EndKeys: Sendable, Equatable {
    /// Key at the start; nil if unknown.
    package let start: MusicalKey?
    /// Key at the end; nil if unknown.
    package let end: MusicalKey?

    /// Confidence from which the key of a section counts instead of that of the whole track: four in five such sections are right.
    private static let leastSectionConfidence = 0.8

    /// - Parameters:
    ///   - whole: the key of the whole track; nil if unknown.
    ///   - sections: the keys of its parts, in order; may be empty.
    package init(whole: MusicalKey?, sections: [KeySection]) {
        func key(_ section: KeySection?) -> MusicalKey? {
            guard let section, section.key.confidence >= Self.leastSectionConfidence else { return whole }
            return section.key
        }
        start = key(sections.first)
        end = key(sections.last)
    }
}
