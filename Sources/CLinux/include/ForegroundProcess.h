#ifndef CLINUX_FOREGROUND_PROCESS_H
#define CLINUX_FOREGROUND_PROCESS_H

// A program that works in the place of this one.
struct clinux_foreground {
    int pid;
    // Readable once it has ended.
    int pidfd;
    // Where to read its standard output and its errors, -1 where they go where ours go.
    int output;
    int errors;
};

// Starts a program, found on PATH, as a child with our standard input; with `captures` its output
// and its errors are pipes, otherwise ours. No other descriptor, no signal mask and no handler is
// inherited. `arguments` are so many texts that each end with NUL. Returns 0, or an errno.
// In C because nothing but async-signal-safe calls may run between fork and exec.
int clinux_start_foreground(
    const char *_Nonnull arguments, int argument_count, int captures,
    struct clinux_foreground *_Nonnull ret_process);

// Waits for its end: its exit status, or 128 and the signal that ended it.
int clinux_reap_foreground(int pid);

#endif
