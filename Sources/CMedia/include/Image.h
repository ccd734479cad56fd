#ifndef CMEDIA_IMAGE_H
#define CMEDIA_IMAGE_H

#include <stdint.h>

// The decoder for one image; it lives as long as the process.
struct cmedia_decoder;

struct cmedia_size {
    int32_t width, height;
};

struct cmedia_part {
    int32_t x, y;
    struct cmedia_size size;
};

// Loads gdk-pixbuf's decoder of this name ("png") with all files that it needs; NULL if it is not
// installed. The decoder refuses an image that is wider or higher than `longest_side`, if possible
// before the image takes memory.
struct cmedia_decoder *cmedia_load_decoder(const char *name, int longest_side);

// Whether the library glycin decodes the image. glycin starts and confines separate processes for
// this. A process that may not start processes cannot use such a decoder. gdk-pixbuf's built-in
// decoders can use glycin since version 2.44; a decoder from a separate module never does.
int cmedia_is_separate(const struct cmedia_decoder *decoder);

// Decodes a whole file. Returns NULL, or the reason of a refusal as a static text. The functions
// below that return a text do the same.
const char *cmedia_decode(struct cmedia_decoder *decoder, const uint8_t *bytes, int64_t count);

// Chooses a frame of the decoded file, counted from 0. For a number beyond the last frame, the
// animation repeats or stops, as its file says. A photograph is turned by its orientation tag.
const char *cmedia_frame(struct cmedia_decoder *decoder, int64_t number, struct cmedia_size *ret);

// Chooses a part of the frame and scales it to a size.
const char *cmedia_cut(
    struct cmedia_decoder *decoder, const struct cmedia_part *part, struct cmedia_size to);

// Writes the chosen part into `ret_bytes`, which has room for width * height * 4: rows of red,
// green, blue and opacity, without gaps.
void cmedia_pixels(struct cmedia_decoder *decoder, uint8_t *ret_bytes);

// Loads gdk-pixbuf's encoder for PNG with all files that it needs; 0 if it is not installed.
int cmedia_load_encoder(void);

// Encodes the chosen part as a PNG file; the bytes live as long as the process.
const char *cmedia_png(
    struct cmedia_decoder *decoder, const uint8_t **ret_bytes, int64_t *ret_count);

#endif
