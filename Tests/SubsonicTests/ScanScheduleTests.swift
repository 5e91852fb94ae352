import Testing

@testable import Subsonic

/// A schedule driven by expectations.
private final class DrivenSchedule {
    private var schedule: ScanSchedule

    init(delaySeconds: Double) { schedule = ScanSchedule(delaySeconds: delaySeconds) }

    var state: String { schedule.state }

    func changed(at now: Double, atOnce: Bool = false) { schedule.changed(at: now, atOnce: atOnce) }
    func next(at now: Double) -> ScanSchedule.Step { schedule.next(at: now) }
    func started(at now: Double, wasRunning: Bool) { schedule.started(at: now, wasRunning: wasRunning) }
    func failed(at now: Double, isPassing: Bool) -> Double? { schedule.failed(at: now, isPassing: isPassing) }
    func looked(at now: Double, isScanning: Bool?) -> Bool {
        schedule.looked(at: now, isScanning: isScanning)
    }
}

@Suite("Scan schedule")
struct ScanScheduleTests {
    @Test("Many changes cause one scan after a quiet period, or after the maximum delay")
    func gathering() {
        let schedule = DrivenSchedule(delaySeconds: 5)
        #expect(schedule.next(at: 0) == .rest)
        for time in 0..<10 { schedule.changed(at: Double(time)) }
        #expect(schedule.next(at: 9) == .wait(until: 14))
        #expect(schedule.next(at: 14) == .start)
        schedule.started(at: 15, wasRunning: false)
        #expect(schedule.next(at: 15) == .wait(until: 17))
        #expect(schedule.next(at: 17) == .look)
        #expect(!schedule.looked(at: 17, isScanning: true))
        #expect(schedule.looked(at: 19, isScanning: false))
        #expect(schedule.next(at: 1000) == .rest && schedule.state == "idle")
        // One change per second, endlessly: the scan is started after a minute nevertheless.
        for time in 2000...2100 where time <= 2060 { schedule.changed(at: Double(time)) }
        #expect(schedule.next(at: 2059) == .wait(until: 2060))
        #expect(schedule.next(at: 2060) == .start)
    }

    @Test("A manual request starts without delay")
    func atOnce() {
        let schedule = DrivenSchedule(delaySeconds: 5)
        schedule.changed(at: 0)
        schedule.changed(at: 1, atOnce: true)
        #expect(schedule.next(at: 1) == .start)
        _ = schedule.failed(at: 2, isPassing: true)
        #expect(schedule.next(at: 2) == .wait(until: 2 + ScanSchedule.retrySeconds[0]))
        schedule.changed(at: 3, atOnce: true)
        #expect(schedule.next(at: 3) == .start)
    }

    @Test("A change while a scan runs or is being requested causes exactly one more scan")
    func following() {
        for changesWhileAsking in [true, false] {
            let schedule = DrivenSchedule(delaySeconds: 5)
            schedule.changed(at: 0)
            #expect(schedule.next(at: 5) == .start)
            if changesWhileAsking { schedule.changed(at: 5.5) }
            schedule.started(at: 6, wasRunning: false)
            if !changesWhileAsking { for time in 7...20 { schedule.changed(at: Double(time)) } }
            #expect(!schedule.looked(at: 8, isScanning: true))
            #expect(schedule.looked(at: 30, isScanning: false))
            #expect(schedule.next(at: 30) == .wait(until: 35))
            #expect(schedule.next(at: 35) == .start)
            schedule.started(at: 35, wasRunning: false)
            #expect(schedule.looked(at: 40, isScanning: false) && schedule.next(at: 99) == .rest)
        }
    }

    @Test("A scan that was already running may have missed the change: another one follows it")
    func foreignScan() {
        let schedule = DrivenSchedule(delaySeconds: 0)
        schedule.changed(at: 0)
        #expect(schedule.next(at: 0) == .start)
        schedule.started(at: 1, wasRunning: true)
        #expect(schedule.looked(at: 3, isScanning: false))
        #expect(schedule.next(at: 3) == .start)
    }

    @Test("Retries are limited, permanent failures are not retried, and the next change starts again")
    func retries() {
        let schedule = DrivenSchedule(delaySeconds: 0)
        var now = 0.0
        schedule.changed(at: now)
        for seconds in ScanSchedule.retrySeconds {
            #expect(schedule.next(at: now) == .start)
            #expect(schedule.failed(at: now, isPassing: true) == now + seconds)
            #expect(schedule.next(at: now) == .wait(until: now + seconds))
            now += seconds
        }
        #expect(schedule.next(at: now) == .start)
        #expect(schedule.failed(at: now, isPassing: true) == nil)
        #expect(schedule.next(at: now) == .rest)
        schedule.changed(at: now)
        #expect(schedule.next(at: now) == .start)
        #expect(
            schedule.failed(at: now, isPassing: false) == nil && schedule.next(at: now + 1e6) == .rest)
    }

    @Test("A scan that is no longer reported, or never ends, is not waited for")
    func lostScan() {
        let schedule = DrivenSchedule(delaySeconds: 0)
        for _ in 0..<2 {
            schedule.changed(at: 0)
            #expect(schedule.next(at: 0) == .start)
            schedule.started(at: 0, wasRunning: false)
            for look in 1...4 { #expect(!schedule.looked(at: Double(look), isScanning: nil)) }
            #expect(schedule.looked(at: 5, isScanning: nil))
        }
        schedule.changed(at: 0)
        #expect(schedule.next(at: 0) == .start)
        schedule.started(at: 0, wasRunning: false)
        #expect(!schedule.looked(at: 3600, isScanning: true))
        #expect(schedule.looked(at: 7 * 3600, isScanning: true))
    }
}
