#ifndef CLINUX_DETACHED_PROCESS_H
#define CLINUX_DETACHED_PROCESS_H

// Starts a program in a session of its own, as a child of nobody here, in `directory`: standard
// input is /dev/null; output and errors go to the file `log`, where it is NULL or cannot be opened
// to our own standard error if `keeps_errors`, and otherwise to /dev/null; no other descriptor, no
// signal mask and no handler is inherited.
// `arguments` are so many texts that each end with NUL; `environment` are texts that each end with
// NUL, the last followed by another NUL.
// The answer is a descriptor that is readable once the program has ended; or minus an errno.
// In C because nothing but async-signal-safe calls may run between fork and exec.
int clinux_start_detached(
    const char *path, const char *arguments, int argument_count, const char *environment,
    const char *directory, const char *log, int keeps_errors);

// Whether this program runs with more rights than its user (AT_SECURE).
int clinux_is_secure(void);

#endif
