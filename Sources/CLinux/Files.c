#define _GNU_SOURCE
#include "Files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

int clinux_lock_file(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_await_lock(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do {
        result = fcntl(descriptor, F_OFD_SETLKW, &lock);
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
