// The system calls that Swift's Glibc module lacks. A header is enough for timerfd, eventfd,
// signalfd and getauxval; each function below says why it needs C.
#ifndef CLINUX_H
#define CLINUX_H

#include <poll.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "Subprocess.h"

// Arms a timerfd at an absolute time of its clock. Exists because Swift sees the flags, which are
// anonymous enums, as Int. Also, overlays on some systems shadow `struct itimerspec`.
// Returns 0, or the errno of the failure. After ECANCELED, which reports that the clock was set,
// the timer is armed nevertheless.
int clinux_timer_arm(int timer, int64_t seconds, int64_t nanoseconds, int cancel_on_set);

// poll(2) with a timeout in nanoseconds; a negative timeout never ends. Exists because ppoll(2)
// is declared for _GNU_SOURCE only, and poll(2) would round deadlines to milliseconds.
int clinux_poll(struct pollfd *_Nullable slots, unsigned long count, int64_t nanoseconds);

// Names the calling thread, for debuggers and `ps -L`. Exists because pthread_setname_np(3) is
// declared for _GNU_SOURCE only.
void clinux_name_thread(const char *_Nonnull name);

// libdispatch exports these functions for CoreFoundation's run loop, but declares them only in a
// private header. The first returns an eventfd that is written when the main queue has work. The
// second does the work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);

// Takes an open-file-description lock on the whole file; -1 and errno on failure. If another
// process has the lock, the function fails at once if `waits` is 0, and otherwise waits for the
// lock. In C because fcntl is variadic and F_OFD_SETLK is hidden from Swift's overlay of Glibc.
int clinux_lock_file(int descriptor, int waits);

// Releases the lock, even if another process has a copy of the descriptor. In C for the two reasons
// of clinux_lock_file.
void clinux_unlock_file(int descriptor);

// The magic number of the file system that a path lies on, or -1. In C because Swift's overlay
// lacks statfs.
int64_t clinux_file_system(const char *_Nonnull path);

// Copies bytes with copy_file_range(2), which shares blocks if the file system can. The copy begins
// at the source's `offset` and at the target's present position. In C because Swift's overlay lacks
// copy_file_range.
int64_t clinux_copy_range(int source, int target, int64_t offset, int64_t count);

// Takes over the jobs of Swift tasks that have no executor. After that, the thread that makes such
// a job runnable calls `take` with the job. `take` must pass the job to a thread that may run such
// jobs. That thread must call `clinux_run_global_job` once for the job. In C because the hook of
// the Swift runtime is a C variable with Swift's calling convention, which Swift does not import.
void clinux_take_global_jobs(void (*_Nonnull take)(void *_Nonnull job));

// Runs a job that `take` got, until its task suspends again. In C because swift_job_run has
// Swift's calling convention.
void clinux_run_global_job(void *_Nonnull job);

// Forwards the first signal of this number: a handler writes one byte, the number, to `descriptor`.
// A second such signal has its default effect again, so that the user can end a hanging program.
// SIGHUP is forwarded each time: if a terminal closes, both the kernel and the shell send it.
// An ignored signal stays ignored, as nohup(1) and shells expect. Returns 0, or the errno of the
// failure. In C because a handler may neither allocate nor take a lock, and Swift's code may do
// both.
int clinux_forward_signal(int number, int descriptor);

#endif
