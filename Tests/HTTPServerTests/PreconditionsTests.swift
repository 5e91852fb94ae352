import HTTPServer
import Testing

@Suite("Conditional requests (RFC 9110 §13)")
struct PreconditionsTests {
    // The date of RFC 9110 §5.6.7.
    static let date = HTTPDate(secondsSince1970: 784_111_777)
    static let current = Preconditions(entityTag: EntityTag("abc"), lastModified: date)

    @Test(arguments: [
        ("\"abc\"", true), ("W/\"abc\"", true), ("\"x\", \"abc\"", true), ("*", true), ("\"x\"", false),
        ("abc", false), ("\"a,b\", \"abc\"", true), ("", false),
    ])
    func ifNoneMatch(_ text: String, _ isCurrent: Bool) {
        #expect(
            Self.current.evaluate([.ifNoneMatch: text], byteCount: 100) == (isCurrent ? .notModified : .full))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sunday, 06-Nov-94 08:49:37 GMT", true),
        ("Sun Nov  6 08:49:37 1994", true), ("Sun, 06 Nov 1994 08:49:36 GMT", false),
        ("Mon, 07 Nov 1994 00:00:00 GMT", true), ("nonsense", false),
        ("Sun, 06 Nov 1994 25:49:37 GMT", false),
    ])
    func ifModifiedSince(_ text: String, _ isCurrent: Bool) {
        #expect(
            Self.current.evaluate([.ifModifiedSince: text], byteCount: 100)
                == (isCurrent ? .notModified : .full))
    }

    @Test func ifNoneMatchGoesBeforeIfModifiedSince() {
        let fields: HTTPFields = [.ifNoneMatch: "\"x\"", .ifModifiedSince: "Mon, 07 Nov 1994 00:00:00 GMT"]
        #expect(Self.current.evaluate(fields, byteCount: nil) == .full)
    }

    @Test(arguments: [
        ("\"abc\"", true), ("W/\"abc\"", false), ("\"x\"", false), ("Sun, 06 Nov 1994 08:49:37 GMT", true),
        ("Mon, 07 Nov 1994 08:49:37 GMT", false), ("junk", false),
    ])
    func ifRange(_ text: String, _ applies: Bool) {
        let outcome = Self.current.evaluate([.range: "bytes=1-2", .ifRange: text], byteCount: 100)
        #expect(outcome == (applies ? .partial(1..<3) : .full))
    }

    @Test("A weak entity tag never satisfies If-Range")
    func aWeakTagOfOursNeverSatisfiesIfRange() {
        let weak = Preconditions(entityTag: EntityTag("abc", isWeak: true))
        #expect(weak.evaluate([.range: "bytes=1-2", .ifRange: "\"abc\""], byteCount: 100) == .full)
    }

    @Test func rangesOutsideAndSeveral() {
        #expect(Self.current.evaluate([.range: "bytes=100-"], byteCount: 100) == .rangeNotSatisfiable)
        #expect(Self.current.evaluate([.range: "bytes=0-1,5-6"], byteCount: 100) == .full)
        #expect(Self.current.evaluate([.range: "bytes=0-1"], byteCount: nil) == .full)
        #expect(
            Self.current.evaluate([.range: "bytes=0-1", .ifNoneMatch: "\"abc\""], byteCount: 100)
                == .notModified)
    }

    @Test func ifMatch() {
        #expect(Self.current.evaluate([.ifMatch: "\"abc\""], byteCount: nil) == .full)
        #expect(Self.current.evaluate([.ifMatch: "W/\"abc\""], byteCount: nil) == .failed)
        #expect(
            Self.current.evaluate([.ifUnmodifiedSince: "Sun, 06 Nov 1994 08:49:36 GMT"], byteCount: nil)
                == .failed)
    }
}

@Suite("Dates (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    // Timestamps from GNU date: `date -u -d "…" +%s`.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ])
    func bothWays(_ text: String, _ seconds: Int64) {
        #expect(HTTPDate(text)?.secondsSince1970 == seconds)
        #expect(HTTPDate(secondsSince1970: seconds).description == text)
    }
}
