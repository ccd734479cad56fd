#ifndef CMEDIA_PICTURE_H
#define CMEDIA_PICTURE_H

#include <stdint.h>

// The decoder for one picture; it lives as long as the process.
struct cmedia_decoder;

struct cmedia_size {
    int32_t width, height;
};

struct cmedia_part {
    int32_t x, y;
    struct cmedia_size size;
};

// Loads gdk-pixbuf's decoder of this name ("png") with what it needs of the disk; NULL where it is
// not installed. A picture that turns out to be wider or higher than `longest_side` is refused
// before there is memory for it.
struct cmedia_decoder *cmedia_load_decoder(const char *name, int longest_side);

// Whether the decoder is one of glycin's: it runs in a process that glycin starts and confines, which
// a process that may start none cannot have. gdk-pixbuf's own are such from version 2.44 on, where
// they were built so; a decoder that came as a module of its own is none.
int cmedia_is_separate(const struct cmedia_decoder *decoder);

// Decodes a whole file. Returns NULL, or why it is refused, a text that stays; so do the others.
const char *cmedia_decode(struct cmedia_decoder *decoder, const uint8_t *bytes, int64_t count);

// Takes the frame of this number of what was decoded, counted from 0; after the last it goes on as
// the animation does. A photograph is turned as its camera says.
const char *cmedia_frame(struct cmedia_decoder *decoder, int64_t number, struct cmedia_size *ret);

// Takes a part of the frame, brought to a size.
const char *cmedia_cut(
    struct cmedia_decoder *decoder, const struct cmedia_part *part, struct cmedia_size to);

// That part: tight rows of red, green, blue and opacity into `ret_bytes`, which has room for
// width * height * 4.
void cmedia_pixels(struct cmedia_decoder *decoder, uint8_t *ret_bytes);

// Loads gdk-pixbuf's encoder for PNG with what it needs of the disk; 0 where it is not installed.
int cmedia_load_encoder(void);

// That part as a PNG file; the bytes live as long as the process.
const char *cmedia_png(
    struct cmedia_decoder *decoder, const uint8_t **ret_bytes, int64_t *ret_count);

#endif
