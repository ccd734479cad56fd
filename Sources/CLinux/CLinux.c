#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <pthread.h>

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
