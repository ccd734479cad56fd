#ifndef CLINUX_SUBPROCESS_H
#define CLINUX_SUBPROCESS_H

#include <stdint.h>

// How a program is started. The program inherits only the standard descriptors and no signal mask;
// a signal has its default effect, unless `keeps_ignored` is set.
struct clinux_program {
    // Whether the first argument is a name to search on PATH, and not an absolute path.
    int searches;
    // The descriptors for the program's standard input, output and errors; -1 for our own.
    int input, output, errors;
    // Whether the program runs in a new session, and is not a child of this process.
    int is_detached;
    // Whether the program leads a new session, and is killed when the calling thread ends.
    int is_worker;
    // Whether signals that this process ignores stay ignored in the program, as nohup(1) expects.
    // SIGPIPE and SIGCHLD never stay ignored: libraries of this process may ignore SIGPIPE, and a
    // program that ignores SIGCHLD loses the status of its children.
    int keeps_ignored;
    // The largest size to which the program may write a file, in bytes; 0 for any size.
    int64_t file_limit;
    // Whether clinux_start returns before the program's file is opened, because its file system may
    // hang. Without effect for a detached program.
    int returns_early;
};

struct clinux_child {
    int pid;
    // A descriptor that is readable once the program has ended.
    int pidfd;
    // The pipe for clinux_start_problem if the start returned early; otherwise -1.
    int report;
};

// Starts a program. Returns 0, or the errno of the failure, which may be a failure of exec. The
// lists end with NULL. If `environment` or `directory` is NULL, the program inherits that of this
// process. In C because nothing but async-signal-safe calls may run between fork and exec.
int clinux_start(
    struct clinux_program program, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nullable environment, const char *_Nullable directory,
    struct clinux_child *_Nonnull ret);

// Tells whether a start that returned early has failed: returns 0, or the errno of the failure. It
// closes the pipe `report`. It does not wait, so call it after the end of the child.
int clinux_start_problem(int report);

// Waits for the end of a child that is not detached. Returns its exit status, or 128 plus the
// signal that ended it; 127 for a process that is not our child. Sets `ret_signal` only if a signal
// ended the child. In C because only function-like macros decode a status, and Swift imports no
// such macro.
int clinux_reap(int pid, int *_Nullable ret_signal);

// Whether this process ignores a signal. In C because Swift cannot compare a handler with SIG_IGN.
int clinux_ignores_signal(int number);

// Makes a pipe whose ends a program does not inherit. Returns 0, or an errno. In C because Swift's
// overlay lacks pipe2.
int clinux_pipe(int *_Nonnull ret_source, int *_Nonnull ret_target);

// Makes a file in memory with these bytes, positioned at its beginning. Returns its descriptor, or
// -1 and errno. In C because Swift's overlay lacks memfd_create.
int clinux_memory_file(const uint8_t *_Nullable bytes, int64_t count);

// Raises this process's limit of open files to `count`, or to its hard limit; programs that it
// starts keep the former limit. In C because a child restores that limit between fork and exec:
// programs that use select(2) break with descriptors above 1023.
void clinux_raise_file_limit(uint64_t count);

// Hides the files that this process makes, and its memory, from other users: umask 0077 and no core
// dumps. In C because a child restores the former values between fork and exec.
void clinux_be_private(void);

#endif
