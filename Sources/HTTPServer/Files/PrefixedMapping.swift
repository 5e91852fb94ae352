internal import Glibc
internal import Synchronization

/// Memory in which prefixes that are not part of a file directly precede regions of the file, so that both are sent in one
/// call and in full packets, without copying them together.
///
/// The file is mapped privately: writing the prefix copies the one or two pages it falls into, and leaves all others in the
/// page cache. A prefix hides the file's bytes at that place, the end of the previous region. There are three such mappings,
/// because a region has two neighbours, each of which may need a different one.
///
/// Only the kernel may read or write through these addresses: it reports an error for a page removed by a truncation, while
/// an access by this process would crash it.
final class PrefixedMapping: Sendable {
    private static let laneCount = 3
    /// Space for the prefix of a region at the start of the file.
    private static let leadByteCount = 65_536

    /// A region and its prefix in memory.
    private struct Place {
        let lane: Int
        let prefix: [UInt8]
        let region: Range<Int>
        /// The part of the file hidden by the prefix.
        var hidden: Range<Int> { region.lowerBound - prefix.count..<region.lowerBound }
    }

    private struct State {
        /// Addresses of the file's first byte.
        var lanes: [UInt] = []
        /// By start offset of the region.
        var places: [Int: Place] = [:]
    }

    private let descriptor: Int32
    private let byteCount: Int
    private let state = Mutex(State())

    /// - Parameter descriptor: the file; must remain open as long as this object exists.
    init(descriptor: Int32, byteCount: Int) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit { state.withLock { $0.lanes.forEach(unmap) } }

    /// Returns the address of `prefix` followed by the region; nil if they cannot be placed contiguously.
    func address(of prefix: [UInt8], before region: Range<Int>) -> UInt? {
        state.withLock { state in
            if let known = state.places[region.lowerBound] {
                guard known.prefix == prefix, region.upperBound <= known.region.upperBound else { return nil }
                return state.lanes[known.lane] + UInt(region.lowerBound) - UInt(prefix.count)
            }
            guard !prefix.isEmpty, prefix.count <= Self.leadByteCount, region.upperBound <= byteCount
            else { return nil }
            let lane = (0..<Self.laneCount).first { lane in
                let place = Place(lane: lane, prefix: prefix, region: region)
                return !state.places.values.contains { $0.lane == lane && Self.collide($0, place) }
            }
            guard let lane else { return nil }
            while state.lanes.count <= lane {
                guard let address = map() else { return nil }
                state.lanes.append(address)
            }
            let address = state.lanes[lane] + UInt(region.lowerBound) - UInt(prefix.count)
            guard Self.write(prefix, to: address) else { return nil }
            state.places[region.lowerBound] = Place(lane: lane, prefix: prefix, region: region)
            return address
        }
    }

    private static func collide(_ one: Place, _ other: Place) -> Bool {
        one.hidden.overlaps(other.region) || other.hidden.overlaps(one.region)
            || one.hidden.overlaps(other.hidden)
    }

    /// Maps the file after the space for the first prefix.
    private func map() -> UInt? {
        let flags = Int32(MAP_PRIVATE) | Int32(MAP_NORESERVE)
        let base = mmap(
            nil, Self.leadByteCount + byteCount, PROT_READ | PROT_WRITE, flags | Int32(MAP_ANONYMOUS), -1, 0)
        guard let base, base != MAP_FAILED else { return nil }
        let file = mmap(
            base + Self.leadByteCount, byteCount, PROT_READ | PROT_WRITE, flags | Int32(MAP_FIXED),
            descriptor, 0)
        guard file != MAP_FAILED else {
            munmap(base, Self.leadByteCount + byteCount)
            return nil
        }
        return UInt(bitPattern: base) + UInt(Self.leadByteCount)
    }

    private func unmap(_ address: UInt) {
        munmap(
            UnsafeMutableRawPointer(bitPattern: address - UInt(Self.leadByteCount)),
            Self.leadByteCount + byteCount)
    }

    /// Lets the kernel copy the bytes, through a pair of sockets.
    private static func write(_ bytes: [UInt8], to address: UInt) -> Bool {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return false }
        defer { for end in ends { close(end) } }
        return Glibc.write(ends[1], bytes, bytes.count) == bytes.count
            && read(ends[0], UnsafeMutableRawPointer(bitPattern: address), bytes.count) == bytes.count
    }
}
