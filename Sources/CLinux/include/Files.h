#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H

#include <stdint.h>

// Takes an open-file-description lock on the whole file; -1 and errno where another has it.
// In C because fcntl is variadic and F_OFD_SETLK is hidden from Swift's overlay of Glibc.
int clinux_lock_file(int descriptor);

// The same, and waits while another has it; -1 and errno on every other failure.
int clinux_await_lock(int descriptor);

// Gives the lock back, also where another process has a copy of the descriptor.
void clinux_unlock_file(int descriptor);

// The magic number of the file system that a path lies on, or -1. In C because Swift's overlay
// lacks statfs.
int64_t clinux_file_system(const char *_Nonnull path);

// copy_file_range(2), which shares blocks where the file system can; appends to the target's
// position. In C because Swift's overlay lacks it.
int64_t clinux_copy_range(int source, int target, int64_t offset, int64_t count);

#endif
