#define _GNU_SOURCE
#include "fault_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { slot_count = 256 };

struct slot {
    atomic_uintptr_t base; // 0: free; 1: being set up
    atomic_size_t length;
    atomic_bool faulted;
};

static struct slot slots[slot_count];
static struct sigaction previous[_NSIG];
static uintptr_t page_size;

// Crash mark of the current thread.
static __thread struct {
    int descriptor;
    int64_t offset;
    int64_t value; // 0: no mark
    char *const *program; // arguments of the program to run; NULL: none
    void *stack;   // stack of the handler, as the thread's own stack may be exhausted
    stack_t stack_before;
} mark;

enum { handler_stack_size = 64 << 10 };

// Runs in the signal handler. Hands over to the previously installed handler.
static void pass_on(int signal_number, const siginfo_t *info)
{
    // abort() signals its own process; signals from other processes are not related to this thread's work.
    bool is_own = info->si_code > 0 || (info->si_code == SI_TKILL && info->si_pid == getpid());
    if (is_own && mark.value != 0) {
        ssize_t written = pwrite(mark.descriptor, &mark.value, sizeof mark.value, mark.offset);
        (void)written;
        if (mark.program != NULL) {
            // The new program would inherit that the signal is blocked.
            sigset_t none;
            sigemptyset(&none);
            sigprocmask(SIG_SETMASK, &none, NULL);
            execve("/proc/self/exe", mark.program, environ);
        }
    }
    sigaction(signal_number, &previous[signal_number], NULL);
    // A fault recurs by itself; a signal that was sent does not.
    if (info->si_code <= 0) raise(signal_number);
}

static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    pass_on(signal_number, info);
}

// Runs in the signal handler: only atomics and mmap, a plain system call.
static void on_bus_error(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t address = (uintptr_t)info->si_addr;
    for (int i = 0; i < slot_count; i++) {
        uintptr_t base = atomic_load(&slots[i].base);
        if (base <= 1 || address < base || address - base >= atomic_load(&slots[i].length)) continue;
        void *page = (void *)(address & ~(page_size - 1));
        if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) break;
        atomic_store(&slots[i].faulted, true);
        return;
    }
    // Not in a guarded region.
    pass_on(signal_number, info);
}

static void install(void)
{
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {0};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &previous[SIGBUS]);
    action.sa_sigaction = on_crash;
    static const int signals[] = {SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, &previous[signals[i]]);
}

static void install_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

int fault_guard_add(const void *base, size_t length)
{
    install_once();
    for (int i = 0; i < slot_count; i++) {
        uintptr_t expected = 0;
        if (!atomic_compare_exchange_strong(&slots[i].base, &expected, 1)) continue;
        atomic_store(&slots[i].length, length);
        atomic_store(&slots[i].faulted, false);
        atomic_store(&slots[i].base, (uintptr_t)base);
        return i;
    }
    return -1;
}

bool fault_guard_faulted(int slot)
{
    return slot >= 0 && slot < slot_count && atomic_load(&slots[slot].faulted);
}

void fault_guard_remove(int slot)
{
    if (slot >= 0 && slot < slot_count) atomic_store(&slots[slot].base, 0);
}

void crash_mark_begin(int descriptor, int64_t offset, int64_t value, char *const *program)
{
    install_once();
    mark.descriptor = descriptor;
    mark.offset = offset;
    mark.value = value;
    mark.program = program;
    mark.stack = malloc(handler_stack_size);
    stack_t stack = {.ss_sp = mark.stack, .ss_size = handler_stack_size};
    if (mark.stack != NULL && sigaltstack(&stack, &mark.stack_before) != 0) {
        free(mark.stack);
        mark.stack = NULL;
    }
}

void crash_mark_end(void)
{
    mark.value = 0;
    mark.program = NULL;
    if (mark.stack == NULL) return;
    sigaltstack(&mark.stack_before, NULL);
    free(mark.stack);
    mark.stack = NULL;
}
