#define _GNU_SOURCE
#include "PipedProcess.h"
#include "ProcessParts.h"
#include "WorkerProcess.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The program's own process; what goes wrong is written to `report`.
static void become(
    const char *path, char **arguments, char **environment, int output, int report, pid_t parent
) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    clinux_reset_process();
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    syscall(SYS_close_range, 3U, UINT_MAX, 4U /* CLOSE_RANGE_CLOEXEC */);
    execve(path, arguments, environment);
    int problem = errno;
    (void)!write(report, &problem, sizeof problem);
    _exit(127);
}

static int start(
    const char *path, char **arguments, char **environment, int output, const int report[2]
) {
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        // Above the standard descriptors, where redirecting leaves them alone.
        int high_output = fcntl(output, F_DUPFD_CLOEXEC, 3);
        int high_report = fcntl(report[1], F_DUPFD_CLOEXEC, 3);
        become(path, arguments, environment, high_output, high_report, parent);
    }
    int problem = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0) problem = clinux_read_problem(report[0]);
    close(report[0]);
    if (pid > 0 && problem) clinux_reap_worker(pid);
    return problem ? -problem : pid;
}

int clinux_start_piped(
    const char *path, const char *arguments, const char *environment, int *ret_output
) {
    int output[2];
    int report[2];
    if (pipe2(output, O_CLOEXEC) != 0) return -errno;
    if (pipe2(report, O_CLOEXEC) != 0) {
        int problem = errno;
        close(output[0]);
        close(output[1]);
        return -problem;
    }
    char **argument_list = clinux_split(arguments);
    char **environment_list = clinux_split(environment);
    int result = -ENOMEM;
    if (argument_list && environment_list) {
        result = start(path, argument_list, environment_list, output[1], report);
    } else {
        close(report[0]);
        close(report[1]);
    }
    free(argument_list);
    free(environment_list);
    close(output[1]);
    if (result < 0) close(output[0]);
    *ret_output = result < 0 ? -1 : output[0];
    return result;
}
