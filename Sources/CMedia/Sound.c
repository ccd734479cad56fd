#define _GNU_SOURCE
#include "Sound.h"
#include <canberra.h>
#include <errno.h>
#include <poll.h>
#include <sndfile.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// The largest number of channels, the range of sample rates, and the most samples in one read.
enum { MOST_CHANNELS = 8, HIGHEST_RATE = 192000, LOWEST_RATE = 1000, BLOCK = 4096 };

// Runs in the confined process; returns whether it succeeded.
static int decode(int from, int to, int seconds) {
    SF_INFO info = {0};
    SNDFILE *input = sf_open_fd(from, SFM_READ, &info, 0);
    if (!input || info.channels < 1 || info.channels > MOST_CHANNELS
        || info.samplerate < LOWEST_RATE || info.samplerate > HIGHEST_RATE) {
        return 0;
    }
    // libsndfile converts samples to 16 bits, and clips those that are too loud.
    sf_command(input, SFC_SET_SCALE_FLOAT_INT_READ, NULL, SF_TRUE);
    sf_command(input, SFC_SET_CLIPPING, NULL, SF_TRUE);
    int channels = info.channels;
    int64_t rest = (int64_t)seconds * info.samplerate;
    SF_INFO wave = {
        .samplerate = info.samplerate, .channels = channels,
        .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16,
    };
    SNDFILE *output = sf_open_fd(to, SFM_WRITE, &wave, 0);
    if (!output) return 0;
    int64_t written = 0;
    short block[BLOCK];
    while (rest > 0) {
        int64_t most = BLOCK / channels;
        sf_count_t count = sf_readf_short(input, block, rest < most ? rest : most);
        if (count <= 0) break;
        if (sf_writef_short(output, block, count) != count) return 0;
        written += count;
        rest -= count;
    }
    return written > 0 && sf_close(output) == 0;
}

const char *cmedia_decode_sound(
    int file, int seconds, const struct cmedia_limits *limits, int *ret_wave
) {
    int wave = memfd_create("sound", MFD_CLOEXEC);
    if (wave < 0) return "there is not enough memory";
    pid_t pid = fork();
    if (pid == 0) {
        _exit(cmedia_confine(limits) == 0 && decode(file, wave, seconds) ? 0 : 1);
    }
    int status = 1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    *ret_wave = wave;
    if (pid > 0 && status == 0) return NULL;
    close(wave);
    return pid < 0 ? "no process could be started" : "it is damaged, or of an unknown format";
}

struct playing {
    int event;
    int problem;
};

// Called on a thread of libcanberra.
static void ended(ca_context *context, uint32_t id, int problem, void *place) {
    (void)context, (void)id;
    struct playing *playing = place;
    playing->problem = problem;
    uint64_t one = 1;
    (void)!write(playing->event, &one, sizeof one);
}

static enum cmedia_end end_of(int problem, const char **ret_reason) {
    if (problem == CA_SUCCESS) return CMEDIA_PLAYED;
    if (problem == CA_ERROR_NOTFOUND) return CMEDIA_UNKNOWN_NAME;
    *ret_reason = ca_strerror(problem);
    return CMEDIA_NOT_PLAYED;
}

enum cmedia_end cmedia_play(
    const char *name, const char *path, const char *decibels, int milliseconds,
    const char **ret_reason
) {
    struct playing playing = {.event = eventfd(0, EFD_CLOEXEC)};
    ca_context *context = NULL;
    ca_proplist *properties = NULL;
    int problem = ca_context_create(&context);
    if (!problem) problem = ca_proplist_create(&properties);
    if (!problem) problem = ca_proplist_sets(properties, CA_PROP_MEDIA_ROLE, "event");
    if (!problem) problem = ca_proplist_sets(properties, CA_PROP_CANBERRA_VOLUME, decibels);
    if (!problem) {
        problem = path ? ca_proplist_sets(properties, CA_PROP_MEDIA_FILENAME, path)
                       : ca_proplist_sets(properties, CA_PROP_EVENT_ID, name);
    }
    if (!problem) problem = ca_context_play_full(context, 1, properties, ended, &playing);
    enum cmedia_end end = end_of(problem, ret_reason);
    if (end == CMEDIA_PLAYED) {
        struct pollfd event = {.fd = playing.event, .events = POLLIN};
        int count;
        do {
            count = poll(&event, 1, milliseconds);
        } while (count < 0 && errno == EINTR);
        end = count > 0 ? end_of(playing.problem, ret_reason) : CMEDIA_TOO_LONG;
    }
    // Do not destroy the context: that would wait for a hanging sound system, and the process ends
    // anyway.
    return end;
}
