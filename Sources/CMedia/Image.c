#define _GNU_SOURCE
#include "Image.h"
#include <dlfcn.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <link.h>

struct cmedia_decoder {
    GdkPixbufLoader *loader;
    GdkPixbuf *frame;
    GdkPixbuf *part;
    int longest_side;
    gboolean is_too_large;
    gboolean is_module;
};

// Drops the messages of decoders, which would only repeat the reason that we return.
static GLogWriterOutput say_nothing(
    GLogLevelFlags level, const GLogField *fields, gsize count, gpointer nothing
) {
    (void)level, (void)fields, (void)count, (void)nothing;
    return G_LOG_WRITER_HANDLED;
}

static void size_found(
    GdkPixbufLoader *loader, int width, int height, struct cmedia_decoder *decoder
) {
    if (width <= decoder->longest_side && height <= decoder->longest_side) return;
    decoder->is_too_large = TRUE;
    // A size of zero makes the decoders stop.
    gdk_pixbuf_loader_set_size(loader, 0, 0);
}

static int count_library(struct dl_phdr_info *library, size_t size, void *count) {
    (void)library, (void)size;
    ++*(int *)count;
    return 0;
}

static int loaded_libraries(void) {
    int count = 0;
    dl_iterate_phdr(count_library, &count);
    return count;
}

struct cmedia_decoder *cmedia_load_decoder(const char *name, int longest_side) {
    g_log_set_writer_func(say_nothing, NULL, NULL);
    struct cmedia_decoder *decoder = g_new0(struct cmedia_decoder, 1);
    decoder->longest_side = longest_side;
    int before = loaded_libraries();
    decoder->loader = gdk_pixbuf_loader_new_with_type(name, NULL);
    decoder->is_module = loaded_libraries() != before;
    if (!decoder->loader) {
        g_free(decoder);
        return NULL;
    }
    g_signal_connect(decoder->loader, "size-prepared", G_CALLBACK(size_found), decoder);
    return decoder;
}

int cmedia_is_separate(const struct cmedia_decoder *decoder) {
    return !decoder->is_module && dlsym(RTLD_DEFAULT, "gly_loader_new") != NULL;
}

const char *cmedia_decode(
    struct cmedia_decoder *decoder, const uint8_t *bytes, int64_t count
) {
    // Decode in parts, so that the size is known before much is decoded.
    const int64_t step = 1 << 16;
    gboolean is_good = TRUE;
    for (int64_t done = 0; is_good && done < count && !decoder->is_too_large; done += step) {
        int64_t rest = count - done;
        is_good = gdk_pixbuf_loader_write(
            decoder->loader, bytes + done, (gsize)(rest < step ? rest : step), NULL);
    }
    if (decoder->is_too_large) return "it is too wide or too high";
    if (!gdk_pixbuf_loader_close(decoder->loader, NULL) || !is_good) {
        return decoder->is_too_large ? "it is too wide or too high" : "it is damaged";
    }
    GdkPixbufAnimation *animation = gdk_pixbuf_loader_get_animation(decoder->loader);
    if (!animation) return "there is no image in it";
    // Decoders in separate processes report the size only after decoding, so check the size again.
    size_found(
        decoder->loader, gdk_pixbuf_animation_get_width(animation),
        gdk_pixbuf_animation_get_height(animation), decoder);
    return decoder->is_too_large ? "it is too wide or too high" : NULL;
}

#pragma clang diagnostic push
// The iterators take the deprecated GTimeVal; gdk-pixbuf has no replacement for it.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static GdkPixbuf *moving_frame(GdkPixbufAnimation *animation, int64_t number) {
    GTimeVal time = {0, 0};
    GdkPixbufAnimationIter *iterator = gdk_pixbuf_animation_get_iter(animation, &time);
    if (!iterator) return NULL;
    for (int64_t passed = 0; passed < number; passed++) {
        int delay = gdk_pixbuf_animation_iter_get_delay_time(iterator);
        if (delay < 0) break;
        g_time_val_add(&time, (glong)delay * 1000);
        if (gdk_pixbuf_animation_iter_advance(iterator, &time)) continue;
        // Exactly at the end of a frame, WebP's iterator does not advance yet, so add 1 ms.
        g_time_val_add(&time, 1000);
        gdk_pixbuf_animation_iter_advance(iterator, &time);
    }
    GdkPixbuf *frame = gdk_pixbuf_animation_iter_get_pixbuf(iterator);
    GdkPixbuf *copy = frame ? gdk_pixbuf_copy(frame) : NULL;
    g_object_unref(iterator);
    return copy;
}
#pragma clang diagnostic pop

const char *cmedia_frame(struct cmedia_decoder *decoder, int64_t number, struct cmedia_size *ret) {
    GdkPixbufAnimation *animation = gdk_pixbuf_loader_get_animation(decoder->loader);
    if (gdk_pixbuf_animation_is_static_image(animation)) {
        GdkPixbuf *image = gdk_pixbuf_animation_get_static_image(animation);
        // Turn the image by its orientation tag.
        decoder->frame = image ? gdk_pixbuf_apply_embedded_orientation(image) : NULL;
    } else {
        decoder->frame = moving_frame(animation, number);
    }
    if (!decoder->frame) return "it has no such frame";
    ret->width = gdk_pixbuf_get_width(decoder->frame);
    ret->height = gdk_pixbuf_get_height(decoder->frame);
    return NULL;
}

const char *cmedia_cut(
    struct cmedia_decoder *decoder, const struct cmedia_part *part, struct cmedia_size to
) {
    GdkPixbuf *view = gdk_pixbuf_new_subpixbuf(
        decoder->frame, part->x, part->y, part->size.width, part->size.height);
    GdkPixbuf *scaled =
        view ? gdk_pixbuf_scale_simple(view, to.width, to.height, GDK_INTERP_BILINEAR) : NULL;
    decoder->part = scaled ? gdk_pixbuf_add_alpha(scaled, FALSE, 0, 0, 0) : NULL;
    return decoder->part ? NULL : "there is not enough memory";
}

void cmedia_pixels(struct cmedia_decoder *decoder, uint8_t *ret_bytes) {
    const guint8 *rows = gdk_pixbuf_read_pixels(decoder->part);
    int stride = gdk_pixbuf_get_rowstride(decoder->part);
    size_t length = (size_t)gdk_pixbuf_get_width(decoder->part) * 4;
    for (int y = 0; y < gdk_pixbuf_get_height(decoder->part); y++) {
        memcpy(ret_bytes + (size_t)y * length, rows + (size_t)y * (size_t)stride, length);
    }
}

int cmedia_load_encoder(void) {
    // The encoder is in the module of the decoder, which gdk-pixbuf loads at the first use.
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_type("png", NULL);
    if (!loader) return 0;
    gdk_pixbuf_loader_close(loader, NULL);
    g_object_unref(loader);
    return 1;
}

const char *cmedia_png(
    struct cmedia_decoder *decoder, const uint8_t **ret_bytes, int64_t *ret_count
) {
    gchar *bytes = NULL;
    gsize count = 0;
    if (!gdk_pixbuf_save_to_buffer(decoder->part, &bytes, &count, "png", NULL, NULL)) {
        return "it could not be written as a PNG";
    }
    *ret_bytes = (const uint8_t *)bytes;
    *ret_count = (int64_t)count;
    return NULL;
}
