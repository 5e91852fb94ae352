#pragma once

// System calls that the C library shows to GNU sources only, or not at all.

#ifdef __cplusplus
extern "C" {
#endif

/// Lets the calling thread have the processor and the disk when nobody else wants them: adds to its nice value, puts it into
/// the scheduler's class of work that nobody waits for (SCHED_BATCH) and at the end of the disk's queue. What the system
/// refuses is left as it is.
void thread_step_back(int niceness);

#ifdef __cplusplus
}
#endif
