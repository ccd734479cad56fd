#define _GNU_SOURCE
#include "Confinement.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Both architectures are little-endian: the lower half of an argument comes first.
#define ARGUMENT(number) offsetof(struct seccomp_data, args[number])
#define LOAD(place) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define FAIL(number) RETURN(SECCOMP_RET_ERRNO | (number))
#define ALLOW(call)                                           \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),   \
        RETURN(SECCOMP_RET_ALLOW)
#define REFUSE(call, number)                                  \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),   \
        FAIL(number)
// Allows `call` if its argument with the number `argument` is `value`.
#define ALLOW_WITH(call, argument, value)                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4),   \
        LOAD(ARGUMENT(argument)),                             \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0),     \
        FAIL(EACCES), RETURN(SECCOMP_RET_ALLOW)
// Allows `call` if its argument with the number `argument` has none of these bits.
#define ALLOW_WITHOUT(call, argument, bits)                   \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4),   \
        LOAD(ARGUMENT(argument)),                             \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),     \
        FAIL(EPERM), RETURN(SECCOMP_RET_ALLOW)

static int filter_calls(void) {
    // abort() sends this process a signal by tgkill, so allow tgkill for this process alone. The
    // process id fits the 32 bits that the filter compares.
    const uint32_t self = (uint32_t)getpid();
    struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
        // The open descriptors.
        ALLOW(read), ALLOW(pread64), ALLOW(readv), ALLOW(write), ALLOW(writev), ALLOW(pwrite64),
        ALLOW(lseek), ALLOW(fstat), ALLOW_WITH(newfstatat, 3, AT_EMPTY_PATH), ALLOW(ftruncate),
        ALLOW(close),
        // Memory, but no new code.
        ALLOW_WITHOUT(mmap, 2, PROT_EXEC), ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk),
        // Calls of the C library and of the runtimes. Before glibc 2.39, qsort(3) calls sysinfo(2)
        // for a long list, and the decoder of Ogg Vorbis sorts such lists.
        ALLOW(futex), ALLOW(getrandom), ALLOW(clock_gettime), ALLOW(gettimeofday),
        ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(rt_sigprocmask), ALLOW(rt_sigaction),
        ALLOW(rt_sigreturn), ALLOW(sigaltstack), ALLOW(getpid), ALLOW(gettid),
        ALLOW_WITH(tgkill, 0, self), ALLOW(sysinfo), ALLOW(exit), ALLOW(exit_group),
        // Calls that may fail without harm: by these calls, the libraries only look for translated
        // messages, or for a faster way.
        REFUSE(openat, EACCES), REFUSE(statx, EACCES),
        REFUSE(readlinkat, EACCES), REFUSE(faccessat, EACCES), REFUSE(ioctl, ENOTTY),
        REFUSE(fcntl, EPERM), REFUSE(clone, EPERM), REFUSE(clone3, ENOSYS),
#if defined(__x86_64__)
        REFUSE(open, EACCES), REFUSE(stat, EACCES), REFUSE(lstat, EACCES), REFUSE(readlink, EACCES),
        REFUSE(access, EACCES),
#endif
        RETURN(SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {
        .len = sizeof filter / sizeof filter[0], .filter = filter,
    };
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

#else

// On other processors there is no filter, so the program decodes nothing.
static int filter_calls(void) { return ENOSYS; }

#endif

// The rules of landlock(7); the kernel's header has all three fields since version 6 of Landlock.
struct landlock_rules {
    uint64_t files, network, scopes;
};

// Forbids files, sockets and signals with Landlock, in addition to the filter of system calls. A
// kernel supports some of these rules or none, so the filter does not rely on them. A Snap or a
// container may refuse the calls of Landlock with EPERM.
static int forbid_files(void) {
    // All rights that each version of Landlock knows; the index is the version's number.
    static const uint64_t files[] = {0, 0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF};
    enum { VERSION = 1, NEWEST = 5, NETWORK = 4, SCOPES = 6 };
    long version = syscall(__NR_landlock_create_ruleset, NULL, 0, VERSION);
    if (version < 0) return 0;
    struct landlock_rules rules = {
        .files = files[version < NEWEST ? version : NEWEST],
        .network = version >= NETWORK ? 3 : 0, .scopes = version >= SCOPES ? 3 : 0,
    };
    size_t size = version >= SCOPES ? 24 : version >= NETWORK ? 16 : 8;
    long set = syscall(__NR_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return errno;
    int problem = syscall(__NR_landlock_restrict_self, set, 0) == 0 ? 0 : errno;
    close((int)set);
    return problem;
}

static int limit(int resource, uint64_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    // A lower limit that was set before stays.
    if (limit.rlim_max > value) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int cmedia_limit(const struct cmedia_limits *limits) {
    int problem = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
    if (!problem) problem = limit(RLIMIT_AS, limits->address_space);
    if (!problem) problem = limit(RLIMIT_CPU, limits->cpu);
    if (!problem) problem = limit(RLIMIT_FSIZE, limits->file);
    return problem ? problem : limit(RLIMIT_CORE, 0);
}

int cmedia_confine(const struct cmedia_limits *limits) {
    int problem = cmedia_limit(limits);
    // Set the rules before the limit forbids new descriptors: the rules need a descriptor for a
    // moment.
    if (!problem) problem = forbid_files();
    if (!problem) problem = limit(RLIMIT_NOFILE, 0);
    if (!problem) problem = limit(RLIMIT_NPROC, 0);
    if (!problem && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) problem = errno;
    return problem ? problem : filter_calls();
}
