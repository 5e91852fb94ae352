#define _GNU_SOURCE
#include "thread_priority.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/ioprio.h, which is missing on older systems: class in the upper bits, level in the lower.
enum { WHO_PROCESS = 1, CLASS_BEST_EFFORT = 2, CLASS_SHIFT = 13, LAST_LEVEL = 7 };

void thread_step_back(int niceness) {
    // On Linux all of these are per-thread settings (setpriority(2), "C library/kernel differences").
    const id_t thread = (id_t)syscall(SYS_gettid);
    errno = 0;
    const int present = getpriority(PRIO_PROCESS, thread);
    if (errno == 0) {
        const int wanted = present + niceness;
        setpriority(PRIO_PROCESS, thread, wanted > 19 ? 19 : wanted);
    }
    const struct sched_param parameters = {.sched_priority = 0};
    sched_setscheduler(0, SCHED_BATCH, &parameters);
    syscall(SYS_ioprio_set, WHO_PROCESS, 0, CLASS_BEST_EFFORT << CLASS_SHIFT | LAST_LEVEL);
}

void thread_set_name(const char *name) { pthread_setname_np(pthread_self(), name); }
