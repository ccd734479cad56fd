// Glibc's Swift overlay has no timerfd, eventfd, signalfd or epoll: their headers are made visible here.
#ifndef CLINUX_H
#define CLINUX_H

#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "Files.h"
#include "GlobalJobs.h"
#include "Signals.h"
#include "Subprocess.h"

// Arms a timerfd at an absolute time of its clock. Exists because the flags are anonymous enums
// that Swift sees as Int, and because `struct itimerspec` is shadowed by overlays on some systems.
// Returns 0, or the errno of the failure (ECANCELED: the clock was set meanwhile; it is armed).
int clinux_timer_arm(int timer, int64_t seconds, int64_t nanoseconds, int cancel_on_set);

// poll(2) with a timeout in nanoseconds, a negative one waits for ever. Exists because ppoll(2)
// is declared for _GNU_SOURCE only, and poll(2) would round deadlines to milliseconds.
int clinux_poll(struct pollfd *_Nullable slots, unsigned long count, int64_t nanoseconds);

// Names the calling thread, for debuggers and `ps -L`. Exists because pthread_setname_np(3) is
// declared for _GNU_SOURCE only.
void clinux_name_thread(const char *_Nonnull name);

// libdispatch exports these for CoreFoundation's run loop and declares them in a private header:
// an eventfd that is written when the main queue has work, and the call that does the work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);

#endif
