#define _GNU_SOURCE
#include "fault_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { slot_count = 256 };

struct slot {
    atomic_uintptr_t base; // 0: free; 1: being set up
    atomic_size_t length;
    atomic_bool faulted;
};

static struct slot slots[slot_count];
static struct sigaction previous;
static uintptr_t page_size;

// Runs inside the signal: only atomics and mmap, which is a plain system call.
static void on_bus_error(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number;
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
    // Not ours: the fault happens again under the handler that was there before.
    sigaction(SIGBUS, &previous, NULL);
}

static void install(void)
{
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {0};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &previous);
}

int fault_guard_add(const void *base, size_t length)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
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
