/* Runs a command and prints: wall microseconds, CPU microseconds, largest RSS in KB, status.
 *
 * The largest RSS of a child includes that of its parent, so this program is in C, and small. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long micros(struct timeval time) { return time.tv_sec * 1000000L + time.tv_usec; }

int main(int argc, char **argv) {
    struct timespec from, to;
    struct rusage usage;
    int status;
    if (argc < 2) return 64;
    clock_gettime(CLOCK_MONOTONIC, &from);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) return 1;
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%ld %ld %ld %d\n",
           (to.tv_sec - from.tv_sec) * 1000000L + (to.tv_nsec - from.tv_nsec) / 1000,
           micros(usage.ru_utime) + micros(usage.ru_stime), usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
