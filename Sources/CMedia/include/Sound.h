#ifndef CMEDIA_SOUND_H
#define CMEDIA_SOUND_H

#include "Confinement.h"

// Decodes at most the first `seconds` of a sound file into a RIFF WAVE file of 16 bits in memory,
// in a separate confined process. Returns NULL and sets `ret_wave` to the new file's descriptor, or
// returns the reason of a refusal as a static text.
const char *cmedia_decode_sound(
    int file, int seconds, const struct cmedia_limits *limits, int *ret_wave);

// How an attempt to play a sound ended.
enum cmedia_end { CMEDIA_PLAYED, CMEDIA_UNKNOWN_NAME, CMEDIA_TOO_LONG, CMEDIA_NOT_PLAYED };

// Plays the theme's sound of this name, or the file at `path` if that is not NULL, through the
// desktop's sound system. The function waits for the end of the sound, at most `milliseconds`. A
// longer sound stops when the process ends. `decibels` is relative to the user's own volume. On
// CMEDIA_NOT_PLAYED `ret_reason` says why.
enum cmedia_end cmedia_play(
    const char *name, const char *path, const char *decibels, int milliseconds,
    const char **ret_reason);

#endif
