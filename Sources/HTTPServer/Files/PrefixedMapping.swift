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

    /// A prefix in front of its region, as offsets in the file.
    private struct Place {
        let region: Range<Int>
        /// The part of the file hidden by the prefix.
        let hidden: Range<Int>

        func collides(with other: Place) -> Bool {
            hidden.overlaps(other.region) || other.hidden.overlaps(region) || hidden.overlaps(other.hidden)
        }
    }

    /// A mapping of the file.
    private struct Lane {
        /// Address of the file's first byte.
        let address: UInt
        var places: [Place] = []
    }

    private struct State {
        var lanes: [Lane] = []
        /// The placed regions by their start offset.
        var known: [Int: (lane: Int, prefix: [UInt8], end: Int)] = [:]
    }

    private let descriptor: Int32
    private let byteCount: Int
    private let state = Mutex(State())

    /// - Parameter descriptor: the file; must remain open as long as this object exists.
    init(descriptor: Int32, byteCount: Int) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit { state.withLock { $0.lanes.forEach { unmap($0.address) } } }

    /// Returns the address of `prefix` followed by the region; nil if they cannot be placed contiguously.
    func address(of prefix: [UInt8], before region: Range<Int>) -> UInt? {
        state.withLock { state in
            if let known = state.known[region.lowerBound] {
                guard known.prefix == prefix, region.upperBound <= known.end else { return nil }
                return state.lanes[known.lane].address + UInt(region.lowerBound) - UInt(prefix.count)
            }
            guard !prefix.isEmpty, prefix.count <= Self.leadByteCount, region.upperBound <= byteCount
            else { return nil }
            let place = Place(
                region: region, hidden: region.lowerBound - prefix.count..<region.lowerBound)
            guard let lane = lane(for: place, &state.lanes) else { return nil }
            let address = state.lanes[lane].address + UInt(region.lowerBound) - UInt(prefix.count)
            guard KernelCopy.write(prefix, to: address) else { return nil }
            state.lanes[lane].places.append(place)
            state.known[region.lowerBound] = (lane, prefix, region.upperBound)
            return address
        }
    }

    /// Returns the index of a lane in which a place is free, or nil.
    private func lane(for place: Place, _ lanes: inout [Lane]) -> Int? {
        let free = lanes.firstIndex { !$0.places.contains(where: place.collides) }
        if let free { return free }
        guard lanes.count < Self.laneCount, let address = map() else { return nil }
        lanes.append(Lane(address: address))
        return lanes.count - 1
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
}

/// Copies bytes by the kernel, which reports an error if the target cannot be written, instead of a signal.
private enum KernelCopy {
    /// The ends of a pair of sockets, shared by all mappings; nil if they cannot be created.
    private static let ends: Mutex<(input: Int32, output: Int32)?> = {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        return Mutex(socketpair(AF_UNIX, kind, 0, &pair) == 0 ? (pair[0], pair[1]) : nil)
    }()

    /// - Returns: Whether all bytes were copied.
    static func write(_ bytes: [UInt8], to address: UInt) -> Bool {
        ends.withLock { ends in
            guard let ends else { return false }
            let isCopied =
                Glibc.write(ends.input, bytes, bytes.count) == bytes.count
                && read(ends.output, UnsafeMutableRawPointer(bitPattern: address), bytes.count) == bytes.count
            if !isCopied {
                // The remaining bytes would precede the next ones.
                var rest = [UInt8](repeating: 0, count: 4096)
                while read(ends.output, &rest, rest.count) > 0 {}
            }
            return isCopied
        }
    }
}
