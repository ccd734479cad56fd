// Makes calls of one program fail: calls on files, and starts of programs and threads. Also records
// each change of a file. LD_PRELOAD loads this library.
//
// TOCSIN_DISK_FOLDER   only calls for files below this folder fail or are recorded
// TOCSIN_DISK_CONTROL  a file of `struct control`; the test changes it while the program runs
// TOCSIN_DISK_LOG      each change of a file is appended here as a `struct record`; may be unset
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation {
    WRITE = 1, SYNC = 2, TRUNCATE = 4, OPEN = 8, RENAME = 16, UNLINK = 32, READ = 64, ALLOCATE = 128,
    START = 4096,
    // Used only in the log.
    CREATE = 256, EXCHANGE = 512, LINK = 1024, MAKE_FOLDER = 2048,
};

struct control {
    int32_t operations;  // the operations that fail; 0 for none
    int32_t skip;        // how many of them succeed first
    int32_t times;       // how many fail after that; -1 for all
    int32_t error;       // their errno; 0: half of the bytes are written
    int32_t hits;        // how many failed until now
    char suffix[44];     // the end of the file names; empty for all
};

struct record {
    uint32_t operation;
    uint32_t path_length;
    uint64_t offset;
    uint64_t data_length;
    // The path and the data follow. The data is the bytes, or the second path.
};

static struct control *control;
static char folder[PATH_MAX];
static int log_file = -1;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Opens a file at a high descriptor, so that the program keeps the low ones. If the program's limit
// is lower, the file stays at a low descriptor.
static int own_open(const char *path, int flags) {
    int file = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    int high = fcntl(file, F_DUPFD_CLOEXEC, 900);
    if (high < 0) return file;
    close(file);
    return high;
}

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("TOCSIN_DISK_FOLDER");
    if (!name) return;
    snprintf(folder, sizeof folder, "%s", name);
    const char *path = getenv("TOCSIN_DISK_CONTROL");
    int file = path ? own_open(path, O_RDWR) : -1;
    if (file >= 0) {
        void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) control = map;
        close(file);
    }
    path = getenv("TOCSIN_DISK_LOG");
    if (path) log_file = own_open(path, O_WRONLY | O_CREAT | O_APPEND);
}

// Whether a path lies below TOCSIN_DISK_FOLDER. A relative path begins at the descriptor `at`. The
// absolute path is written to `absolute`.
static int concerned(int at, const char *path, char *absolute) {
    if (!folder[0]) return 0;
    if (path[0] == '/') {
        snprintf(absolute, PATH_MAX, "%s", path);
    } else {
        char link[64], base[PATH_MAX];
        if (at == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
        else snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) return 0;
        base[length] = 0;
        if (snprintf(absolute, PATH_MAX, "%s%s%s", base, path[0] ? "/" : "", path) >= PATH_MAX)
            return 0;
    }
    size_t length = strlen(folder);
    return strncmp(absolute, folder, length) == 0
        && (absolute[length] == 0 || absolute[length] == '/');
}

static int concerned_file(int file, char *absolute) {
    int saved = errno;
    int result = concerned(file, "", absolute) && !strstr(absolute, " (deleted)");
    errno = saved;
    return result;
}

static int ends_with(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return end <= length && strcmp(path + length - end, suffix) == 0;
}

// 0 if this call succeeds, 1 if it fails (errno is set), 2 if it writes half of the bytes.
static int fails(int operation, const char *path) {
    if (!control || !(__atomic_load_n(&control->operations, __ATOMIC_SEQ_CST) & operation)) return 0;
    // If no error is set, only a write is affected: it writes half of its bytes.
    if (control->error == 0 && operation != WRITE) return 0;
    if (!ends_with(path, control->suffix)) return 0;
    if (__atomic_fetch_sub(&control->skip, 1, __ATOMIC_SEQ_CST) > 0) return 0;
    control->skip = 0;
    int times = __atomic_load_n(&control->times, __ATOMIC_SEQ_CST);
    if (times == 0) return 0;
    if (times > 0) __atomic_fetch_sub(&control->times, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&control->hits, 1, __ATOMIC_SEQ_CST);
    if (control->error == 0) return 2;
    errno = control->error;
    return 1;
}

static void note(
    int operation, const char *path, uint64_t offset, const void *data, uint64_t length) {
    if (log_file < 0) return;
    int saved = errno;
    struct record record = {operation, strlen(path), offset, length};
    struct iovec parts[] = {
        {&record, sizeof record}, {(void *)path, record.path_length}, {(void *)data, length}};
    pthread_mutex_lock(&log_lock);
    syscall(SYS_writev, log_file, parts, 3);
    pthread_mutex_unlock(&log_lock);
    errno = saved;
}

// MARK: Files

static int open_file(int at, const char *path, int flags, mode_t mode) {
    char absolute[PATH_MAX];
    if (!concerned(at, path, absolute)) return syscall(SYS_openat, at, path, flags, mode);
    if (fails(OPEN, absolute)) return -1;
    struct stat status;
    int existed = lstat(absolute, &status) == 0;
    int file = syscall(SYS_openat, at, path, flags, mode);
    if (file >= 0 && (flags & O_CREAT) && !existed) note(CREATE, absolute, 0, NULL, 0);
    if (file >= 0 && (flags & O_TRUNC) && existed) note(TRUNCATE, absolute, 0, NULL, 0);
    return file;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list list; \
        va_start(list, flags); \
        mode = va_arg(list, mode_t); \
        va_end(list); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags)
    return open_file(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int at, const char *path, int flags, ...) {
    MODE(flags)
    return open_file(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
    MODE(flags)
    return open_file(at, path, flags | O_LARGEFILE, mode);
}

static ssize_t write_at(int file, const void *data, size_t length, off_t offset, int positioned) {
    char path[PATH_MAX];
    if (!concerned_file(file, path))
        return positioned ? syscall(SYS_pwrite64, file, data, length, offset)
                          : syscall(SYS_write, file, data, length);
    int failure = fails(WRITE, path);
    if (failure == 1) return -1;
    if (failure == 2 && length > 1) length /= 2;
    off_t place = positioned ? offset : lseek(file, 0, SEEK_CUR);
    if (!positioned && (fcntl(file, F_GETFL) & O_APPEND)) place = lseek(file, 0, SEEK_END);
    ssize_t done = positioned ? syscall(SYS_pwrite64, file, data, length, offset)
                              : syscall(SYS_write, file, data, length);
    if (done > 0) note(WRITE, path, place, data, done);
    return done;
}

ssize_t write(int file, const void *data, size_t length) { return write_at(file, data, length, 0, 0); }
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    return write_at(file, data, length, offset, 1);
}
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    return write_at(file, data, length, offset, 1);
}

static ssize_t read_at(int file, void *data, size_t length, off_t offset, int positioned) {
    char path[PATH_MAX];
    if (control && (control->operations & READ) && concerned_file(file, path) && fails(READ, path))
        return -1;
    return positioned ? syscall(SYS_pread64, file, data, length, offset)
                      : syscall(SYS_read, file, data, length);
}

ssize_t read(int file, void *data, size_t length) { return read_at(file, data, length, 0, 0); }
ssize_t pread(int file, void *data, size_t length, off_t offset) {
    return read_at(file, data, length, offset, 1);
}
ssize_t pread64(int file, void *data, size_t length, off64_t offset) {
    return read_at(file, data, length, offset, 1);
}

ssize_t copy_file_range(
    int source, off64_t *source_offset, int target, off64_t *target_offset, size_t length,
    unsigned flags) {
    char path[PATH_MAX];
    int is_concerned = concerned_file(target, path);
    int failure = is_concerned ? fails(WRITE, path) : 0;
    if (failure == 1) return -1;
    if (failure == 2 && length > 1) length /= 2;
    off_t place = target_offset ? *target_offset : lseek(target, 0, SEEK_CUR);
    ssize_t done = syscall(
        SYS_copy_file_range, source, source_offset, target, target_offset, length, flags);
    // The target may be open for writing only.
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", target);
    int file = is_concerned && done > 0 && log_file >= 0 ? own_open(own, O_RDONLY) : -1;
    void *data = file >= 0 ? malloc(done) : NULL;
    if (data && syscall(SYS_pread64, file, data, done, place) == done)
        note(WRITE, path, place, data, done);
    free(data);
    if (file >= 0) close(file);
    return done;
}

static int sync_file(int file, long call) {
    char path[PATH_MAX];
    if (!concerned_file(file, path)) return syscall(call, file);
    if (fails(SYNC, path)) return -1;
    int result = syscall(call, file);
    if (result == 0) note(SYNC, path, 0, NULL, 0);
    return result;
}

int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

int ftruncate(int file, off_t size) {
    char path[PATH_MAX];
    int is_concerned = concerned_file(file, path);
    if (is_concerned && fails(TRUNCATE, path)) return -1;
    int result = syscall(SYS_ftruncate, file, size);
    if (result == 0 && is_concerned) note(TRUNCATE, path, size, NULL, 0);
    return result;
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

static int allocate(int file, off_t offset, off_t length, int (*real)(int, off_t, off_t)) {
    char path[PATH_MAX];
    int is_concerned = concerned_file(file, path);
    if (is_concerned && fails(ALLOCATE, path)) return errno;
    int failure = real ? real(file, offset, length) : ENOSYS;
    if (failure == 0 && is_concerned) note(ALLOCATE, path, offset + length, NULL, 0);
    return failure;
}
int posix_fallocate(int file, off_t offset, off_t length) {
    return allocate(file, offset, length, REAL(posix_fallocate));
}
int posix_fallocate64(int file, off64_t offset, off64_t length) {
    return allocate(file, offset, length, REAL(posix_fallocate));
}

// MARK: Names

static int rename_file(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    char first[PATH_MAX], second[PATH_MAX];
    int is_concerned = concerned(from_at, from, first) | concerned(to_at, to, second);
    if (is_concerned && fails(RENAME, second)) return -1;
    int result = syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    if (result == 0 && is_concerned)
        note(flags & RENAME_EXCHANGE ? EXCHANGE : RENAME, first, 0, second, strlen(second));
    return result;
}

int rename(const char *from, const char *to) {
    return rename_file(AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from_at, const char *from, int to_at, const char *to) {
    return rename_file(from_at, from, to_at, to, 0);
}
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    return rename_file(from_at, from, to_at, to, flags);
}

static int unlink_file(int at, const char *path, int flags) {
    char absolute[PATH_MAX];
    int is_concerned = concerned(at, path, absolute);
    if (is_concerned && fails(UNLINK, absolute)) return -1;
    int result = syscall(SYS_unlinkat, at, path, flags);
    if (result == 0 && is_concerned) note(UNLINK, absolute, 0, NULL, 0);
    return result;
}

int unlink(const char *path) { return unlink_file(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return unlink_file(at, path, flags); }
int rmdir(const char *path) { return unlink_file(AT_FDCWD, path, AT_REMOVEDIR); }

static int link_file(int from_at, const char *from, int to_at, const char *to, int flags) {
    char first[PATH_MAX], second[PATH_MAX];
    int result = syscall(SYS_linkat, from_at, from, to_at, to, flags);
    // Log the link only if both names are in the folder: the log has no entries for other files.
    if (result == 0 && concerned(from_at, from, first) && concerned(to_at, to, second))
        note(LINK, first, 0, second, strlen(second));
    return result;
}

int link(const char *from, const char *to) { return link_file(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    return link_file(from_at, from, to_at, to, flags);
}

int mkdir(const char *path, mode_t mode) {
    char absolute[PATH_MAX];
    int is_concerned = concerned(AT_FDCWD, path, absolute);
    if (is_concerned && fails(OPEN, absolute)) return -1;
    int result = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0 && is_concerned) note(MAKE_FOLDER, absolute, 0, NULL, 0);
    return result;
}

// MARK: Processes and threads

// Whether a start fails, as at the limit of processes. Tests cannot use that limit: it does not
// bind root.
static int start_fails(void) { return fails(START, "") != 0; }

pid_t fork(void) { return start_fails() ? -1 : REAL(fork)(); }

int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    if (start_fails()) return errno;
    return REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

int posix_spawnp(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    if (start_fails()) return errno;
    return REAL(posix_spawnp)(process, path, actions, attributes, arguments, environment);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (start_fails()) return errno;
    return REAL(pthread_create)(thread, attributes, body, argument);
}
