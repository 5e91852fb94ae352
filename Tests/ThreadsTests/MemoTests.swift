import Synchronization
import Testing
import Threads

@Suite("Memo")
struct MemoTests {
    private struct Failure: Error {}

    @Test("A value is computed once per key, and again when the memo was full")
    func values() {
        let memo = Memo<Int, Int>(capacity: 2)
        var made: [Int] = []
        func square(_ key: Int) -> Int {
            memo.value(for: key) {
                made.append(key)
                return key * key
            }
        }
        #expect([square(3), square(3), square(4), square(3), square(4)] == [9, 9, 16, 9, 16])
        #expect(made == [3, 4])
        #expect(memo[3] == 9 && memo[5] == nil)
        #expect(square(5) == 25)
        #expect(memo[3] == nil && memo[4] == nil && memo[5] == 25)
        #expect(square(3) == 9)
        #expect(made == [3, 4, 5, 3])
    }

    @Test("With a capacity of 1, only the value of the latest revision is kept")
    func revisions() {
        let memo = Memo<String, Int>(capacity: 1)
        #expect(memo.valueMadeOnce(for: "a") { 1 } == 1)
        #expect(memo.valueMadeOnce(for: "a") { 2 } == 1)
        #expect(memo.valueMadeOnce(for: "b") { 3 } == 3)
        #expect(memo.valueMadeOnce(for: "a") { 4 } == 4)
        memo["b"] = 5
        #expect(memo["a"] == nil && memo["b"] == 5)
    }

    @Test("A failed computation is not kept")
    func failures() throws {
        let memo = Memo<Int, Int>(capacity: 4)
        #expect(throws: Failure.self) { try memo.value(for: 1) { throw Failure() } }
        #expect(throws: Failure.self) { try memo.valueMadeOnce(for: 1) { throw Failure() } }
        #expect(memo[1] == nil)
        #expect(memo.value(for: 1) { 7 } == 7)
    }

    @Test("Threads that ask for the same key at once wait for one computation")
    func together() {
        let memo = Memo<Int, Int>(capacity: 4)
        let made = Atomic(0)
        let state = Turnstile((started: 0, results: [Int]()))
        for _ in 0..<8 {
            DedicatedThread.start("memo") {
                state.change { $0.started += 1 }
                let value = memo.valueMadeOnce(for: 1) {
                    // Holds the memo until all threads run.
                    state.wait { $0.started == 8 ? () : nil }
                    return made.add(1, ordering: .relaxed).newValue
                }
                state.change { $0.results.append(value) }
            }
        }
        #expect(state.wait { $0.results.count == 8 ? $0.results : nil } == [Int](repeating: 1, count: 8))
    }
}
