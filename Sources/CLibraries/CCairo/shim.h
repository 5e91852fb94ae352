#pragma once
#include <cairo.h>

// The Pango functions in use, as declared in <pango/pangocairo.h> (stable since 1.22). The header is not included because
// pangocairo.pc contains -pthread, which the package manager rejects with a warning in every build.
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;

enum { PANGO_SCALE = 1024, PANGO_WEIGHT_NORMAL = 400, PANGO_WEIGHT_BOLD = 700, PANGO_ELLIPSIZE_END = 3 };

PangoLayout *pango_cairo_create_layout(cairo_t *cr);
void pango_cairo_show_layout(cairo_t *cr, PangoLayout *layout);

PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *desc);
void pango_font_description_set_family(PangoFontDescription *desc, const char *family);
void pango_font_description_set_weight(PangoFontDescription *desc, int weight);
void pango_font_description_set_absolute_size(PangoFontDescription *desc, double size);

void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *desc);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_ellipsize(PangoLayout *layout, int ellipsize);
void pango_layout_set_auto_dir(PangoLayout *layout, int auto_dir);
void pango_layout_set_single_paragraph_mode(PangoLayout *layout, int setting);
void pango_layout_get_size(PangoLayout *layout, int *width, int *height);
int pango_layout_get_baseline(PangoLayout *layout);

void g_object_unref(void *object);
