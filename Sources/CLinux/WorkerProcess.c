#define _GNU_SOURCE
#include "WorkerProcess.h"
#include "ProcessParts.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int file_with(const uint8_t *bytes, int64_t count) {
    int file = memfd_create("input", MFD_CLOEXEC);
    if (file < 0) return -1;
    int64_t done = 0;
    while (done < count) {
        ssize_t written = write(file, bytes + done, (size_t)(count - done));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            close(file);
            return -1;
        }
        done += written;
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

// The worker's own process; what goes wrong is written to `report`.
static void work(
    const char *path, char **arguments, char **environment, const char *directory, int input,
    int output, int64_t file_limit, int report, pid_t parent
) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setsid();
    clinux_reset_process();
    struct rlimit limit = {.rlim_cur = (rlim_t)file_limit, .rlim_max = (rlim_t)file_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    syscall(SYS_close_range, 3U, UINT_MAX, 4U /* CLOSE_RANGE_CLOEXEC */);
    if (chdir(directory) == 0) execve(path, arguments, environment);
    int problem = errno;
    (void)!write(report, &problem, sizeof problem);
    _exit(127);
}

static int start(
    const char *path, char **arguments, char **environment, const char *directory, int input,
    int output, int64_t file_limit, struct clinux_worker *ret_worker
) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        // Above the standard descriptors, where redirecting leaves them alone.
        int high_report = fcntl(report[1], F_DUPFD_CLOEXEC, 3);
        int high_input = fcntl(input, F_DUPFD_CLOEXEC, 3);
        int high_output = fcntl(output, F_DUPFD_CLOEXEC, 3);
        work(path, arguments, environment, directory, high_input, high_output, file_limit,
             high_report, parent);
    }
    int problem = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0) problem = clinux_read_problem(report[0]);
    close(report[0]);
    int pidfd = -1;
    if (pid > 0 && !problem) {
        pidfd = (int)syscall(SYS_pidfd_open, pid, 0U);
        if (pidfd < 0) {
            problem = errno;
            kill(-pid, SIGKILL);
        }
    }
    if (pid > 0 && problem) clinux_reap_worker(pid);
    ret_worker->pid = pid;
    ret_worker->pidfd = pidfd;
    return problem;
}

int clinux_start_worker(
    const char *path, const char *arguments, const char *environment, const char *directory,
    const uint8_t *input, int64_t input_size, int64_t file_limit, struct clinux_worker *ret_worker
) {
    char **argument_list = clinux_split(arguments);
    char **environment_list = clinux_split(environment);
    int in = file_with(input, input_size);
    int out = memfd_create("output", MFD_CLOEXEC);
    int problem = errno;
    if (argument_list && environment_list && in >= 0 && out >= 0) {
        problem = start(
            path, argument_list, environment_list, directory, in, out, file_limit, ret_worker);
    }
    if (in >= 0) close(in);
    if (problem && out >= 0) close(out);
    ret_worker->output = problem ? -1 : out;
    free(argument_list);
    free(environment_list);
    return problem;
}

void clinux_signal_worker(int pid, int signal) {
    // The session's leader has a process group of its own from its first moment.
    if (kill(-pid, signal) != 0) kill(pid, signal);
}

int clinux_reap_worker(int pid) {
    int status = 0;
    pid_t reaped;
    do {
        reaped = waitpid(pid, &status, 0);
    } while (reaped < 0 && errno == EINTR);
    if (reaped != pid) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
