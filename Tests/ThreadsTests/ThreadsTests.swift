import Glibc
import Synchronization
import Testing
import Threads

@Suite("Threads")
struct ThreadsTests {
    /// The calling thread's name.
    fileprivate static var threadName: String {
        var name = [CChar](repeating: 0, count: 32)
        let file = fopen("/proc/thread-self/comm", "r")
        defer { if let file { fclose(file) } }
        guard let file, fgets(&name, 32, file) != nil else { return "" }
        return String(
            decoding: name.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The calling thread's nice value.
    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test("No more tasks than the limit run at the same time, and all are served, also after errors")
    func concurrencyLimit() async throws {
        struct Failure: Error {}
        struct Counts { var (running, most, failures) = (0, 0, 0) }
        let limit = ConcurrencyLimit(3)
        let counts = Turnstile(Counts())
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        try await limit.run {
                            counts.change {
                                $0.running += 1
                                $0.most = max($0.most, $0.running)
                            }
                            for _ in 0..<10 { await Task.yield() }
                            counts.change { $0.running -= 1 }
                            if number % 7 == 0 { throw Failure() }
                        }
                    } catch {
                        counts.change { $0.failures += 1 }
                    }
                }
            }
        }
        #expect(counts.read { $0.most } == 3)
        #expect(counts.read { $0.failures } == 29)
        #expect(counts.read { $0.running } == 0)
    }

    @Test("A thread has its name and runs with lowered priority, others are not affected")
    func nameAndPriority() async throws {
        let found = try await DedicatedThread.run("a name that is too long for Linux") { Self.threadName }
        #expect(found == "a name that is ")
        let before = Self.niceness
        let nice = Turnstile(nil as Int32?)
        DedicatedThread.start("nice", niceness: 5) { nice.change { $0 = Self.niceness } }
        #expect(nice.wait { $0 } == min(19, before + 5))
        #expect(Self.niceness == before)
    }

    @Test("An error of the work reaches the caller, and a value that is not Sendable can be handed over")
    func results() async throws {
        final class Box { var value = 1 }
        struct Failure: Error {}
        #expect(try await DedicatedThread.run("work", with: Box()) { $0.value + 1 } == 2)
        await #expect(throws: Failure.self) {
            try await DedicatedThread.run("work") { () -> Int in throw Failure() }
        }
    }

    @Test("A turnstile wakes those whose condition has come true, and times out for the others")
    func turnstile() {
        let state = Turnstile(0)
        DedicatedThread.start("counter") { for _ in 0..<1000 { state.change { $0 += 1 } } }
        #expect(state.wait { $0 == 1000 ? $0 : nil } == 1000)
        let start = ContinuousClock.now
        #expect(state.wait(upTo: 0.05) { $0 > 1000 ? $0 : nil } == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        // Neither a negative nor an endless time is an error.
        #expect(state.wait(upTo: -1) { $0 > 1000 ? $0 : nil } == nil)
        #expect(state.wait(upTo: .infinity) { $0 } == 1000)
    }

    @Test(
        "A bounded queue delivers everything once and in order, never holds more than its capacity, and ends")
    func boundedQueue() {
        let queue = BoundedQueue<Int>(capacity: 4, producers: 2)
        for producer in 0..<2 {
            DedicatedThread.start("producer") {
                for number in 0..<500 { queue.put(producer * 1000 + number) }
                queue.producerFinished()
            }
        }
        var taken: [Int] = []
        while true {
            let some = queue.takeAll()
            if some.isEmpty { break }
            #expect(some.count <= 4)
            taken += some
        }
        #expect(taken.filter { $0 < 1000 } == Array(0..<500))
        #expect(taken.filter { $0 >= 1000 } == Array(1000..<1500))
        #expect(BoundedQueue<Int>(capacity: 1, producers: 1).takeAll(within: 0.01) == nil)
    }

    @Test("A poller calls until it is stopped or released")
    func poller() {
        let count = Turnstile(0)
        var poller: Poller? = Poller("poll", every: 0.001)
        poller?.start { count.change { $0 += 1 } }
        #expect(count.wait { $0 >= 3 ? true : nil } == true)
        poller?.stop()
        poller = nil
        // A call that was running may still count.
        let after = count.wait(upTo: 0.02) { $0 < 0 ? $0 : nil } ?? count.read { $0 }
        #expect(count.wait(upTo: 0.05) { $0 > after + 1 ? $0 : nil } == nil)
    }

    private actor Device {
        private let thread = ThreadExecutor("device")
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
        private var values: [Int] = []

        func add(_ value: Int) -> String {
            values.append(value)
            return ThreadsTests.threadName
        }
        var count: Int { values.count }
    }

    @Test("An actor with a thread of its own runs all its jobs on that thread")
    func threadExecutor() async {
        let device = Device()
        var threads: Set<String> = []
        for number in 0..<100 { threads.insert(await device.add(number)) }
        #expect(threads == ["device"])
        #expect(await device.count == 100)
    }
}
