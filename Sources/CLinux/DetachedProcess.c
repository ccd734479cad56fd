#define _GNU_SOURCE
#include "DetachedProcess.h"
#include "ProcessParts.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int clinux_is_secure(void) {
    return getauxval(AT_SECURE) != 0;
}

// What the processes between write into one pipe; small enough to arrive in one piece.
struct report {
    enum { STARTED_PID = 1, EXEC_ERRNO = 2 } kind;
    int value;
};

static void tell(int pipe, int kind, int value) {
    struct report report = {.kind = kind, .value = value};
    (void)!write(pipe, &report, sizeof report);
}

static void redirect(const char *log) {
    int null = open("/dev/null", O_RDWR);
    int output = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600) : -1;
    if (output < 0) output = null;
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
}

// The daemon's own process; what goes wrong is written to `report`.
static void become(
    const char *path, char **arguments, char **environment, const char *log, int report
) {
    clinux_reset_signals();
    redirect(log);
    // Marked, not closed: the pipe must stay open until the program has started.
    syscall(SYS_close_range, 3U, UINT_MAX, 4U /* CLOSE_RANGE_CLOEXEC */);
    if (chdir("/") == 0) execve(path, arguments, environment);
    tell(report, EXEC_ERRNO, errno);
    _exit(127);
}

// Between the caller and the daemon stands one process that ends at once, so that the daemon is
// init's child and never a zombie of the caller's.
static void stand_between(
    const char *path, char **arguments, char **environment, const char *log, int report
) {
    setsid();
    pid_t daemon = fork();
    if (daemon == 0) become(path, arguments, environment, log, report);
    tell(report, daemon < 0 ? EXEC_ERRNO : STARTED_PID, daemon < 0 ? errno : daemon);
    _exit(0);
}

// Reads to the end of the pipe, which the daemon's exec closes: 0 or the errno of the failure.
static int read_reports(int pipe, pid_t *daemon) {
    struct report report;
    int problem = 0;
    ssize_t count;
    while ((count = read(pipe, &report, sizeof report)) != 0) {
        if (count < 0 && errno == EINTR) continue;
        if (count != sizeof report) break;
        if (report.kind == STARTED_PID) *daemon = report.value;
        if (report.kind == EXEC_ERRNO) problem = report.value;
    }
    if (problem) return problem;
    return *daemon > 0 ? 0 : EAGAIN;
}

static int start(const char *path, char **arguments, char **environment, const char *log) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return -errno;
    pid_t between = fork();
    if (between == 0) {
        // Above the standard descriptors, where redirecting leaves it alone.
        int high = fcntl(report[1], F_DUPFD_CLOEXEC, 3);
        stand_between(path, arguments, environment, log, high);
    }
    int problem = between < 0 ? errno : 0;
    close(report[1]);
    pid_t daemon = 0;
    if (between > 0) {
        problem = read_reports(report[0], &daemon);
        while (waitpid(between, NULL, 0) < 0 && errno == EINTR) {}
    }
    close(report[0]);
    if (problem) return -problem;
    int descriptor = (int)syscall(SYS_pidfd_open, daemon, 0U);
    return descriptor < 0 ? -errno : descriptor;
}

int clinux_start_detached(
    const char *path, const char *arguments, const char *environment, const char *log
) {
    char **argument_list = clinux_split(arguments);
    char **environment_list = clinux_split(environment);
    int result = -ENOMEM;
    if (argument_list && environment_list) {
        result = start(path, argument_list, environment_list, log);
    }
    free(argument_list);
    free(environment_list);
    return result;
}
