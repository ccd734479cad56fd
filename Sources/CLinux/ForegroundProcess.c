#define _GNU_SOURCE
#include "ForegroundProcess.h"
#include "ProcessParts.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The program's own process; what goes wrong is written to `report`.
static void become(char **arguments, const int output[2], const int errors[2], int report) {
    clinux_reset_process();
    if (output[1] >= 0) dup2(output[1], STDOUT_FILENO);
    if (errors[1] >= 0) dup2(errors[1], STDERR_FILENO);
    syscall(SYS_close_range, 3U, UINT_MAX, 4U /* CLOSE_RANGE_CLOEXEC */);
    execvp(arguments[0], arguments);
    int problem = errno;
    (void)!write(report, &problem, sizeof problem);
    _exit(127);
}

static void close_both(int pipe[2]) {
    for (int end = 0; end < 2; end++) {
        if (pipe[end] >= 0) close(pipe[end]);
        pipe[end] = -1;
    }
}

// Its pid, or minus an errno.
static int start(char **arguments, const int output[2], const int errors[2]) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return -errno;
    pid_t pid = fork();
    // Whoever has no standard descriptors gets the pipes in their place.
    if (pid == 0) become(arguments, output, errors, fcntl(report[1], F_DUPFD_CLOEXEC, 3));
    int problem = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0) problem = clinux_read_problem(report[0]);
    close(report[0]);
    if (pid > 0 && problem) clinux_reap_foreground(pid);
    return problem ? -problem : pid;
}

int clinux_start_foreground(
    const char *arguments, int argument_count, int captures,
    struct clinux_foreground *ret_process
) {
    int output[2] = {-1, -1};
    int errors[2] = {-1, -1};
    char **list = clinux_list(arguments, (size_t)argument_count);
    int result = list ? 0 : -ENOMEM;
    if (!result && captures) {
        result = pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0 ? -errno : 0;
    }
    if (!result) result = start(list, output, errors);
    free(list);
    int pidfd = result > 0 ? (int)syscall(SYS_pidfd_open, result, 0U) : -1;
    if (result > 0 && pidfd < 0) {
        int problem = errno;
        kill(result, SIGKILL);
        clinux_reap_foreground(result);
        result = -problem;
    }
    if (result < 0) {
        close_both(output);
        close_both(errors);
        return -result;
    }
    if (captures) {
        close(output[1]);
        close(errors[1]);
    }
    *ret_process = (struct clinux_foreground){
        .pid = result, .pidfd = pidfd, .output = output[0], .errors = errors[0]};
    return 0;
}

int clinux_reap_foreground(int pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return 127;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
