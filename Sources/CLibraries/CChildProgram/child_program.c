#define _GNU_SOURCE
#include "include/child_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// In the child: only what is allowed between fork and exec in a multithreaded process.
static void become(
    const char *path, char *const arguments[], char *const environment[], int output, int failure, pid_t parent) {
    // Signals ignored by the parent would stay ignored.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // The parent may have exited before the death signal was set.
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
    if (getppid() != parent) _exit(127);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) return;
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) return;
    if (dup2(failure, 3) < 0 || fcntl(3, F_SETFD, FD_CLOEXEC) != 0) return;
    closefrom(4);
    execve(path, arguments, environment);
}

pid_t child_program_start(
    const char *path, char *const arguments[], char *const environment[], int *output) {
    int ends[2], failure[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
    if (pipe2(failure, O_CLOEXEC) != 0) {
        const int error = errno;
        close(ends[0]);
        close(ends[1]);
        return -error;
    }
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        become(path, arguments, environment, ends[1], failure[1], parent);
        const int error = errno;
        // By now the pipe may only be open as descriptor 3.
        if (write(failure[1], &error, sizeof error) < 0 && write(3, &error, sizeof error) < 0) _exit(126);
        _exit(127);
    }
    int error = child < 0 ? errno : 0;
    close(ends[1]);
    close(failure[1]);
    if (child > 0) {
        ssize_t count;
        do count = read(failure[0], &error, sizeof error);
        while (count < 0 && errno == EINTR);
        if (count == (ssize_t)sizeof error) {
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        } else {
            error = 0;
        }
    }
    close(failure[0]);
    if (error == 0) {
        *output = ends[0];
        return child;
    }
    close(ends[0]);
    return -error;
}
