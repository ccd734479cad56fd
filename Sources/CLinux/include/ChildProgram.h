#ifndef CLINUX_CHILD_PROGRAM_H
#define CLINUX_CHILD_PROGRAM_H

// A program that this process waits for.
struct clinux_child {
    // Its id, which is also that of its process group.
    int pid;
    // A pidfd, readable once the program has ended.
    int process;
    // The end of its standard output to read from, which does not block.
    int output;
};

// Starts a program in a session of its own: standard input and errors are /dev/null, no other
// descriptor, no signal mask and no handler is inherited.
// `arguments` and `environment` are texts that each end with NUL, the last followed by another NUL.
// Returns 0, or an errno. In C because the attributes of posix_spawn(3) and pidfd_open(2) are
// hidden from Swift's overlay of Glibc.
int clinux_start_child(
    const char *_Nonnull path, const char *_Nonnull arguments, const char *_Nonnull environment,
    struct clinux_child *_Nonnull child);

// Takes the end of a child: its exit status, minus the signal that ended it, or -1000 where
// somebody else took it.
int clinux_reap_child(struct clinux_child child);

#endif
