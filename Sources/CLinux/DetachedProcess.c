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
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int clinux_is_secure(void) {
    return getauxval(AT_SECURE) != 0;
}

struct program {
    const char *path;
    const char *directory;
    const char *log;
    int keeps_errors;
};

// What the processes between write into one pipe; small enough to arrive in one piece.
struct report {
    enum { STARTED_PID = 1, EXEC_ERRNO = 2 } kind;
    int value;
};

static void tell(int pipe, int kind, int value) {
    struct report report = {.kind = kind, .value = value};
    (void)!write(pipe, &report, sizeof report);
}

static void redirect(const struct program *program) {
    int null = open("/dev/null", O_RDWR);
    const char *log = program->log;
    int output = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600) : -1;
    if (output < 0 && program->keeps_errors) output = STDERR_FILENO;
    if (output < 0) output = null;
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
}

// The program's own process; what goes wrong is written to `report`.
static void become(
    const struct program *program, char **arguments, char **environment, int report
) {
    clinux_reset_process();
    redirect(program);
    // Marked, not closed: the pipe must stay open until the program has started.
    syscall(SYS_close_range, 3U, UINT_MAX, 4U /* CLOSE_RANGE_CLOEXEC */);
    if (chdir(program->directory) == 0) execve(program->path, arguments, environment);
    tell(report, EXEC_ERRNO, errno);
    _exit(127);
}

// Between the caller and the program stands one process that ends at once, so that the program is
// init's child and never a zombie of the caller's.
static void stand_between(
    const struct program *program, char **arguments, char **environment, int report
) {
    setsid();
    pid_t started = fork();
    if (started == 0) become(program, arguments, environment, report);
    tell(report, started < 0 ? EXEC_ERRNO : STARTED_PID, started < 0 ? errno : started);
    _exit(0);
}

// Reads to the end of the pipe, which the program's exec closes: 0 or the errno of the failure.
static int read_reports(int pipe, pid_t *started) {
    struct report report;
    int problem = 0;
    ssize_t count;
    while ((count = read(pipe, &report, sizeof report)) != 0) {
        if (count < 0 && errno == EINTR) continue;
        if (count != sizeof report) break;
        if (report.kind == STARTED_PID) *started = report.value;
        if (report.kind == EXEC_ERRNO) problem = report.value;
    }
    if (problem) return problem;
    return *started > 0 ? 0 : EAGAIN;
}

static int start(
    const struct program *program, char **arguments, char **environment
) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return -errno;
    pid_t between = fork();
    if (between == 0) {
        // Above the standard descriptors, where redirecting leaves it alone.
        int high = fcntl(report[1], F_DUPFD_CLOEXEC, 3);
        stand_between(program, arguments, environment, high);
    }
    int problem = between < 0 ? errno : 0;
    close(report[1]);
    pid_t started = 0;
    if (between > 0) {
        problem = read_reports(report[0], &started);
        while (waitpid(between, NULL, 0) < 0 && errno == EINTR) {}
    }
    close(report[0]);
    if (problem) return -problem;
    int descriptor = (int)syscall(SYS_pidfd_open, started, 0U);
    // It has ended already, and init was quick: what is readable from the beginning says the same.
    if (descriptor < 0 && errno == ESRCH) descriptor = eventfd(1, EFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int clinux_start_detached(
    const char *path, const char *arguments, int argument_count, const char *environment,
    const char *directory, const char *log, int keeps_errors
) {
    struct program program = {
        .path = path, .directory = directory, .log = log, .keeps_errors = keeps_errors};
    char **argument_list = clinux_list(arguments, (size_t)argument_count);
    char **environment_list = clinux_split(environment);
    int result = -ENOMEM;
    if (argument_list && environment_list) {
        result = start(&program, argument_list, environment_list);
    }
    free(argument_list);
    free(environment_list);
    return result;
}
