#define _GNU_SOURCE
#include "Subprocess.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The values before clinux_be_private and clinux_raise_file_limit changed them; each forked child
// has a copy.
static struct {
    int is_private;
    mode_t mask;
    struct rlimit core;
    struct rlimit files;
} former;

void clinux_raise_file_limit(uint64_t count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
    former.files = limit;
    limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
    setrlimit(RLIMIT_NOFILE, &limit);
}

void clinux_be_private(void) {
    former.mask = umask(0077);
    if (getrlimit(RLIMIT_CORE, &former.core) == 0) {
        // The hard limit stays, so a started program can get its former limit back.
        struct rlimit none = {.rlim_cur = 0, .rlim_max = former.core.rlim_max};
        setrlimit(RLIMIT_CORE, &none);
    }
    former.is_private = 1;
}

int clinux_ignores_signal(int number) {
    struct sigaction current;
    return sigaction(number, NULL, &current) == 0 && current.sa_handler == SIG_IGN;
}

static int stays_ignored(int number) {
    return number != SIGPIPE && number != SIGCHLD && clinux_ignores_signal(number);
}

// Resets the handlers, unblocks every signal, and restores the former umask and core limit.
static void reset(int keeps_ignored) {
    if (former.is_private) {
        umask(former.mask);
        setrlimit(RLIMIT_CORE, &former.core);
    }
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        if (!keeps_ignored || !stays_ignored(number)) sigaction(number, &standard, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// A program with all values that its process needs.
struct plan {
    struct clinux_program program;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    pid_t parent;
};

// A report to the caller, by the program's own process or by the intermediate process of
// start_detached. A report is small enough to pass the pipe in one piece.
struct report {
    enum { STARTED_PID = 1, EXEC_ERRNO = 2 } kind;
    int value;
};

static void send_report(int pipe, int kind, int value) {
    struct report report = {.kind = kind, .value = value};
    (void)!write(pipe, &report, sizeof report);
}

static _Noreturn void end_with_errno(int pipe) {
    send_report(pipe, EXEC_ERRNO, errno);
    _exit(127);
}

// Runs in the program's own process and becomes the program; writes a failure to `report`.
static void exec_program(const struct plan *plan, int report) {
    const struct clinux_program *program = &plan->program;
    if (program->is_worker) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != plan->parent) _exit(127);
        setsid();
    }
    reset(program->keeps_ignored);
    if (program->file_limit > 0) {
        rlim_t size = (rlim_t)program->file_limit;
        struct rlimit limit = {.rlim_cur = size, .rlim_max = size};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    int streams[3] = {program->input, program->output, program->errors};
    // Move the sources above the standard descriptors, so that redirecting does not replace a
    // source. Without a free descriptor the program must not start: it would use our own streams.
    for (int number = 0; number < 3; number++) {
        if (streams[number] < 0) continue;
        streams[number] = fcntl(streams[number], F_DUPFD_CLOEXEC, 3);
        if (streams[number] < 0) end_with_errno(report);
    }
    for (int number = 0; number < 3; number++) {
        if (streams[number] >= 0) dup2(streams[number], number);
    }
    // Close all descriptors but the report pipe now: exec may hang, and must not keep a lock or the
    // pipe of another start open for that time. exec itself closes the report pipe. If that pipe is
    // descriptor 3 already, dup3 fails without harm.
    dup3(report, 3, O_CLOEXEC);
    report = 3;
    syscall(SYS_close_range, 4U, UINT_MAX, 0U);
    // Restore the former limit only now: if many files were open, the copies above may have needed
    // numbers above that limit.
    if (former.files.rlim_max > 0) setrlimit(RLIMIT_NOFILE, &former.files);
    char *const *environment = plan->environment ? plan->environment : environ;
    if (!plan->directory || chdir(plan->directory) == 0) {
        int (*execute)(const char *, char *const[], char *const[]) =
            program->searches ? execvpe : execve;
        execute(plan->arguments[0], plan->arguments, environment);
    }
    end_with_errno(report);
}

// Runs in an intermediate process, which starts the program and ends at once. So init adopts the
// program, and the program never becomes a zombie of the caller.
static void start_detached(const struct plan *plan, int report) {
    setsid();
    pid_t started = fork();
    if (started == 0) exec_program(plan, report);
    send_report(report, started < 0 ? EXEC_ERRNO : STARTED_PID, started < 0 ? errno : started);
    _exit(0);
}

// Reads reports until the program's exec closes the pipe. Returns 0, or the errno of the failure.
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

int clinux_start(
    struct clinux_program program, char *const *arguments, char *const *environment,
    const char *directory, struct clinux_child *ret) {
    struct plan plan = {program, arguments, environment, directory, getpid()};
    int is_detached = program.is_detached;
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    pid_t child = fork();
    if (child == 0) {
        int high = fcntl(report[1], F_DUPFD_CLOEXEC, 3);
        if (high < 0) end_with_errno(report[1]);
        if (is_detached) start_detached(&plan, high);
        exec_program(&plan, high);
    }
    int problem = child < 0 ? errno : 0;
    close(report[1]);
    pid_t started = is_detached ? 0 : child;
    int is_unawaited = child > 0 && program.returns_early && !is_detached;
    if (child > 0 && !is_unawaited) problem = read_reports(report[0], &started);
    if (!is_unawaited) close(report[0]);
    if (child > 0 && (is_detached || problem)) clinux_reap(child, NULL);
    if (problem) return problem;
    int pidfd = (int)syscall(SYS_pidfd_open, started, 0U);
    // The program has ended and init has reaped it. Return a descriptor that is readable at once,
    // like the pidfd of a program that has ended.
    if (pidfd < 0 && errno == ESRCH && is_detached) pidfd = eventfd(1, EFD_CLOEXEC);
    if (pidfd < 0) {
        problem = errno;
        kill(started, SIGKILL);
        if (!is_detached) clinux_reap(started, NULL);
        if (is_unawaited) close(report[0]);
        return problem;
    }
    *ret = (struct clinux_child){
        .pid = started, .pidfd = pidfd, .report = is_unawaited ? report[0] : -1};
    return 0;
}

int clinux_start_problem(int report) {
    // Do not block: another program that is being started may have a copy of the pipe's other end.
    fcntl(report, F_SETFL, O_NONBLOCK);
    pid_t started = 1;
    int problem = read_reports(report, &started);
    close(report);
    return problem;
}

int clinux_reap(int pid, int *ret_signal) {
    int status = 0;
    pid_t reaped;
    do {
        reaped = waitpid(pid, &status, 0);
    } while (reaped < 0 && errno == EINTR);
    if (reaped != pid) return 127;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (ret_signal) *ret_signal = WTERMSIG(status);
    return 128 + WTERMSIG(status);
}

int clinux_pipe(int *ret_source, int *ret_target) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    *ret_source = ends[0];
    *ret_target = ends[1];
    return 0;
}

int clinux_memory_file(const uint8_t *bytes, int64_t count) {
    int file = memfd_create("bytes", MFD_CLOEXEC | MFD_ALLOW_SEALING);
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
