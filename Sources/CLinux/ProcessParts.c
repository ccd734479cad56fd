#define _GNU_SOURCE
#include "Files.h"
#include "ProcessParts.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

char **clinux_list(const char *block, size_t count) {
    char **list = calloc(count + 1, sizeof *list);
    if (!list) return NULL;
    for (size_t index = 0; index < count; index++) {
        list[index] = (char *)block;
        block += strlen(block) + 1;
    }
    return list;
}

char **clinux_split(const char *block) {
    size_t count = 0;
    for (const char *text = block; *text; text += strlen(text) + 1) count++;
    return clinux_list(block, count);
}

// Read in children, which have a copy.
static struct rlimit former_file_limit;

void clinux_raise_file_limit(uint64_t count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
    former_file_limit = limit;
    limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
    setrlimit(RLIMIT_NOFILE, &limit);
}

// Read in children, which have a copy.
static struct {
    int is_private;
    mode_t mask;
    struct rlimit core;
} former;

void clinux_be_private(void) {
    former.mask = umask(0077);
    if (getrlimit(RLIMIT_CORE, &former.core) == 0) {
        // The hard limit stays: what is started gets its own limit back.
        struct rlimit none = {.rlim_cur = 0, .rlim_max = former.core.rlim_max};
        setrlimit(RLIMIT_CORE, &none);
    }
    former.is_private = 1;
}

void clinux_reset_process(void) {
    if (former.is_private) {
        umask(former.mask);
        setrlimit(RLIMIT_CORE, &former.core);
    }
    if (former_file_limit.rlim_max > 0) setrlimit(RLIMIT_NOFILE, &former_file_limit);

    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int clinux_read_problem(int pipe) {
    int problem = 0;
    ssize_t count;
    do {
        count = read(pipe, &problem, sizeof problem);
    } while (count < 0 && errno == EINTR);
    return count == sizeof problem ? problem : 0;
}
