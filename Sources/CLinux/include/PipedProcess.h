#ifndef CLINUX_PIPED_PROCESS_H
#define CLINUX_PIPED_PROCESS_H

// Starts a program as a child whose standard output is a pipe, of which `ret_output` is the end to
// read: its standard input is /dev/null, its errors go where ours go; no other descriptor, no signal
// mask and no handler is inherited. It gets SIGTERM when the calling thread ends.
// `arguments` and `environment` are texts that each end with NUL, the last followed by another.
// Returns its pid, for clinux_reap_worker, or minus an errno.
// In C because nothing but async-signal-safe calls may run between fork and exec.
int clinux_start_piped(
    const char *path, const char *arguments, const char *environment, int *ret_output);

#endif
