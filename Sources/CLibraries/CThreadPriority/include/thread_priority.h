#pragma once

// System calls that the C library declares for GNU sources only, or not at all.

#ifdef __cplusplus
extern "C" {
#endif

/// Lowers the priority of the calling thread for processor and disk: increases its nice value, switches it to the scheduler's
/// batch class (SCHED_BATCH) and to the lowest level of the disk queue. Settings that the system rejects are not changed.
void thread_step_back(int niceness);

/// Sets the calling thread's name for debuggers and `ps`; 15 bytes at most.
void thread_set_name(const char *name);

#ifdef __cplusplus
}
#endif
