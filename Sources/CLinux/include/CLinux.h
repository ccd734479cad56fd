// Glibc's Swift overlay has no timerfd, eventfd or epoll: their headers are made visible here.
#ifndef CLINUX_H
#define CLINUX_H
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

// libdispatch exports these for CoreFoundation's run loop and declares them in a private header:
// an eventfd that is written when the main queue has work, and the call that does the work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);
#endif
