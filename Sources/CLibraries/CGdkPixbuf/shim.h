#pragma once
#include <stddef.h>
#include <stdint.h>

// The functions of gdk-pixbuf and GLib in use, as declared in their headers (stable since 2.2). The headers are not included
// because gdk-pixbuf-2.0.pc contains -pthread, which the package manager rejects with a warning in every build.
typedef struct _GdkPixbuf GdkPixbuf;
typedef struct _GdkPixbufLoader GdkPixbufLoader;
typedef struct _GdkPixbufAnimation GdkPixbufAnimation;

typedef struct {
    uint32_t domain;
    int code;
    char *message;
} GError;

void g_error_free(GError *error);
void g_free(void *memory);
void g_object_unref(void *object);
unsigned long g_signal_connect_data(
    void *instance, const char *signal, void (*handler)(void), void *data, void *destroy, int flags);

GdkPixbufLoader *gdk_pixbuf_loader_new_with_type(const char *image_type, GError **error);
void gdk_pixbuf_loader_set_size(GdkPixbufLoader *loader, int width, int height);
int gdk_pixbuf_loader_write(GdkPixbufLoader *loader, const unsigned char *bytes, size_t count, GError **error);
int gdk_pixbuf_loader_close(GdkPixbufLoader *loader, GError **error);
GdkPixbuf *gdk_pixbuf_loader_get_pixbuf(GdkPixbufLoader *loader);
GdkPixbufAnimation *gdk_pixbuf_loader_get_animation(GdkPixbufLoader *loader);
int gdk_pixbuf_animation_is_static_image(GdkPixbufAnimation *animation);

// Colour space 0 is RGB, the only one there is.
GdkPixbuf *gdk_pixbuf_new(int colour_space, int has_alpha, int bits_per_sample, int width, int height);
uint8_t *gdk_pixbuf_get_pixels(const GdkPixbuf *pixbuf);
GdkPixbuf *gdk_pixbuf_apply_embedded_orientation(GdkPixbuf *pixbuf);
const char *gdk_pixbuf_get_option(GdkPixbuf *pixbuf, const char *key);
int gdk_pixbuf_get_width(const GdkPixbuf *pixbuf);
int gdk_pixbuf_get_height(const GdkPixbuf *pixbuf);
int gdk_pixbuf_get_has_alpha(const GdkPixbuf *pixbuf);
int gdk_pixbuf_get_n_channels(const GdkPixbuf *pixbuf);
int gdk_pixbuf_get_rowstride(const GdkPixbuf *pixbuf);
const uint8_t *gdk_pixbuf_read_pixels(const GdkPixbuf *pixbuf);
int gdk_pixbuf_save_to_bufferv(
    GdkPixbuf *pixbuf, char **buffer, size_t *count, const char *type, char **keys, char **values, GError **error);

// "size-prepared": the image's dimensions are known, nothing is decoded yet.
typedef void (*cgdkpixbuf_size_prepared)(GdkPixbufLoader *loader, int width, int height, void *data);

static inline void cgdkpixbuf_on_size_prepared(
    GdkPixbufLoader *loader, cgdkpixbuf_size_prepared handler, void *data) {
    g_signal_connect_data(loader, "size-prepared", (void (*)(void))handler, data, NULL, 0);
}
