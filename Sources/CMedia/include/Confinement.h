#ifndef CMEDIA_CONFINEMENT_H
#define CMEDIA_CONFINEMENT_H

#include <stdint.h>

// How much a confined process may use.
struct cmedia_limits {
    // Bytes of address space.
    uint64_t address_space;
    // Seconds of processor time.
    uint64_t cpu;
    // The largest file it writes, in bytes.
    uint64_t file;
};

// Confines this process for the rest of its life: no file is opened, no process or thread started,
// nothing sent, no memory made executable; only the open descriptors can be read and written.
// System calls other than those of decoding end it with SIGSYS. Returns 0, or an errno: then it must
// not go on. On processors other than x86-64 and AArch64 that is ENOSYS: there is no filter for them.
// Where the kernel has Landlock, files, sockets and signals to others are forbidden by that, too.
int cmedia_confine(const struct cmedia_limits *limits);

// Sets these limits for this process, and for those that it starts, each by itself; no program that
// they run has more rights than they. Returns 0, or an errno: then it must not go on.
int cmedia_limit(const struct cmedia_limits *limits);

#endif
