#define _GNU_SOURCE
#include "ChildProgram.h"
#include "ArgumentBlock.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_files(posix_spawn_file_actions_t *files, int output) {
    int problem = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!problem) problem = posix_spawn_file_actions_adddup2(files, output, STDOUT_FILENO);
    if (!problem) {
        problem = posix_spawn_file_actions_addopen(
            files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    if (!problem) problem = posix_spawn_file_actions_addclosefrom_np(files, 3);
    return problem;
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int problem = posix_spawnattr_setsigmask(attributes, &none);
    if (!problem) problem = posix_spawnattr_setsigdefault(attributes, &all);
    if (!problem) {
        problem = posix_spawnattr_setflags(
            attributes,
            POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    return problem;
}

static int spawn(const char *path, char **arguments, char **environment, int output, pid_t *pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int problem = posix_spawn_file_actions_init(&files);
    if (problem) return problem;
    problem = posix_spawnattr_init(&attributes);
    if (!problem) {
        problem = set_files(&files, output);
        if (!problem) problem = set_attributes(&attributes);
        if (!problem) {
            problem = posix_spawn(pid, path, &files, &attributes, arguments, environment);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return problem;
}

// Above the standard descriptors, where redirecting them leaves it alone.
static int open_pipe(int ends[2]) {
    int low[2];
    if (pipe2(low, O_CLOEXEC) != 0) return errno;
    int problem = 0;
    for (int index = 0; index < 2; index++) {
        ends[index] = fcntl(low[index], F_DUPFD_CLOEXEC, 3);
        if (ends[index] < 0) problem = errno;
        close(low[index]);
    }
    if (!problem) return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
    for (int index = 0; index < 2; index++) {
        if (ends[index] >= 0) close(ends[index]);
    }
    return problem;
}

static int start(
    const char *path, char **arguments, char **environment, struct clinux_child *child
) {
    int ends[2];
    int problem = open_pipe(ends);
    if (problem) return problem;
    pid_t pid = 0;
    problem = spawn(path, arguments, environment, ends[1], &pid);
    close(ends[1]);
    int process = problem ? -1 : (int)syscall(SYS_pidfd_open, pid, 0U);
    if (!problem && process < 0) problem = errno;
    if (problem) {
        close(ends[0]);
        return problem;
    }
    *child = (struct clinux_child){.pid = pid, .process = process, .output = ends[0]};
    return 0;
}

int clinux_start_child(
    const char *path, const char *arguments, const char *environment, struct clinux_child *child
) {
    char **argument_list = clinux_split(arguments);
    char **environment_list = clinux_split(environment);
    int problem = ENOMEM;
    if (argument_list && environment_list) {
        problem = start(path, argument_list, environment_list, child);
    }
    free(argument_list);
    free(environment_list);
    return problem;
}

int clinux_reap_child(struct clinux_child child) {
    siginfo_t end = {0};
    int result;
    do {
        result = waitid((idtype_t)3 /* P_PIDFD */, (id_t)child.process, &end, WEXITED);
    } while (result < 0 && errno == EINTR);
    if (result < 0) return -1000;
    return end.si_code == CLD_EXITED ? end.si_status : -end.si_status;
}
