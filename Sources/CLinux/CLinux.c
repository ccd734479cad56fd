#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/vfs.h>
#include <unistd.h>

int clinux_timer_arm(int timer, int64_t seconds, int64_t nanoseconds, int cancel_on_set) {
    struct itimerspec when = {.it_value = {.tv_sec = seconds, .tv_nsec = nanoseconds}};
    int flags = TFD_TIMER_ABSTIME | (cancel_on_set ? TFD_TIMER_CANCEL_ON_SET : 0);
    return timerfd_settime(timer, flags, &when, NULL) == 0 ? 0 : errno;
}

int clinux_poll(struct pollfd *slots, unsigned long count, int64_t nanoseconds) {
    struct timespec timeout = {
        .tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return ppoll(slots, count, nanoseconds < 0 ? NULL : &timeout, NULL);
}

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_lock_file(int descriptor, int waits) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do {
        result = fcntl(descriptor, waits ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
    } while (result != 0 && errno == EINTR);
    return result;
}

void clinux_unlock_file(int descriptor) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(descriptor, F_OFD_SETLK, &lock);
}

int64_t clinux_file_system(const char *path) {
    struct statfs info;
    return statfs(path, &info) == 0 ? (int64_t)info.f_type & 0xFFFFFFFF : -1;
}

int64_t clinux_copy_range(int source, int target, int64_t offset, int64_t count) {
    off64_t from = offset;
    return copy_file_range(source, &from, target, NULL, (size_t)count, 0);
}

static volatile sig_atomic_t signal_descriptor = -1;

static void forward_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(signal_descriptor, &byte, 1);
    (void)written;
    errno = saved;
}

int clinux_forward_signal(int number, int descriptor) {
    struct sigaction current;
    if (sigaction(number, NULL, &current) != 0) return errno;
    if (current.sa_handler == SIG_IGN) return 0;
    signal_descriptor = descriptor;
    struct sigaction action = {
        .sa_handler = forward_signal,
        .sa_flags = SA_RESTART | (number == SIGHUP ? 0 : SA_RESETHAND)};
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL) == 0 ? 0 : errno;
}

// Declarations from swift/Runtime/Concurrency.h, which no toolchain installs.
typedef struct {
    void *identity, *implementation;
} clinux_executor;
typedef __attribute__((swiftcall)) void (*clinux_enqueue)(void *job);

extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(
    void *job, clinux_enqueue original);
extern __attribute__((swiftcall)) void swift_job_run(void *job, clinux_executor executor);

static void (*take_job)(void *job);

static __attribute__((swiftcall)) void enqueue(void *job, clinux_enqueue original) {
    (void)original;
    take_job(job);
}

void clinux_take_global_jobs(void (*take)(void *job)) {
    take_job = take;
    swift_task_enqueueGlobal_hook = enqueue;
}

void clinux_run_global_job(void *job) {
    clinux_executor generic = {NULL, NULL};
    swift_job_run(job, generic);
}
