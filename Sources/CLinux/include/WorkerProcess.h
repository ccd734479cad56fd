#ifndef CLINUX_WORKER_PROCESS_H
#define CLINUX_WORKER_PROCESS_H

#include <stdint.h>

// A program that does one piece of work for this one.
struct clinux_worker {
    int pid;
    // Readable once it has ended.
    int pidfd;
    // The file that it writes its standard output into, also after its end.
    int output;
};

// Starts a program as a child in a session of its own, in `directory`: its standard input is a
// file with `input`, its standard output a file of which this process has the descriptor, its
// errors go where ours go; no other descriptor, no signal mask and no handler is inherited. It is
// killed when the calling thread ends, and no file of its own may grow beyond `file_limit` bytes.
// `arguments` and `environment` are texts that each end with NUL, the last followed by another.
// Returns 0, or an errno.
// In C because nothing but async-signal-safe calls may run between fork and exec.
int clinux_start_worker(
    const char *path, const char *arguments, const char *environment, const char *directory,
    const uint8_t *input, int64_t input_size, int64_t file_limit, struct clinux_worker *ret_worker);

// Sends a signal to a worker and to what it started.
void clinux_signal_worker(int pid, int signal);

// Takes the status of a worker that has ended: 0 where it ended with 0; otherwise another number.
int clinux_reap_worker(int pid);

#endif
