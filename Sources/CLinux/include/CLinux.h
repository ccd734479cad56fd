// Glibc's Swift overlay has no timerfd, eventfd or epoll: their headers are made visible here.
#ifndef CLINUX_H
#define CLINUX_H
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include "Files.h"
#endif
