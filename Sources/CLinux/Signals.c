#define _GNU_SOURCE
#include "Signals.h"
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int clinux_open_signals(const int32_t *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < count; index++) sigaddset(&set, signals[index]);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_read_signal(int descriptor, int *ret_is_of_process) {
    struct signalfd_siginfo information;
    if (read(descriptor, &information, sizeof information) != sizeof information) return 0;
    *ret_is_of_process = information.ssi_code <= 0;
    return (int)information.ssi_signo;
}
