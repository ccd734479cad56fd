#ifndef CLINUX_SIGNALS_H
#define CLINUX_SIGNALS_H

#include <stdint.h>

// Blocks signals for this thread and those that it starts, and gives a descriptor that is readable
// when one has come; -1 and errno where that fails.
// In C because Swift's overlay of Glibc lacks signalfd.
int clinux_open_signals(const int32_t *_Nonnull signals, int count);

// The next signal of such a descriptor, 0 for none. `ret_is_of_process` tells whether a process
// sent it; a terminal tells its whole foreground group.
int clinux_read_signal(int descriptor, int *_Nonnull ret_is_of_process);

#endif
