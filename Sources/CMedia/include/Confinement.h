#ifndef CMEDIA_CONFINEMENT_H
#define CMEDIA_CONFINEMENT_H

#include <stdint.h>

// How much a confined process may use.
struct cmedia_limits {
    // Bytes of address space.
    uint64_t address_space;
    // Seconds of processor time.
    uint64_t cpu;
    // The largest size of a written file, in bytes.
    uint64_t file;
};

// Confines this process for the rest of its life. The process can then read and write its open
// descriptors. It can open no file, start no process or thread, send nothing and make no memory
// executable. A system call that decoding does not need fails, or ends the process with SIGSYS.
// Returns 0, or an errno; after an error the process must not continue. On processors other than
// x86-64 and AArch64 there is no filter, and the function returns ENOSYS. If the process may use
// Landlock, Landlock also forbids files, sockets, and signals to other processes.
int cmedia_confine(const struct cmedia_limits *limits);

// Sets these limits for this process and for each process that it starts, and forbids core dumps. A
// program that these processes run gains no rights. Returns 0, or an errno; after an error the
// process must not continue.
int cmedia_limit(const struct cmedia_limits *limits);

#endif
