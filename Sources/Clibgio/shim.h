// The headers of gio-unix lie beside those of GLib, whose folder is searched.
#include <../gio-unix-2.0/gio/gdesktopappinfo.h>
#include <gio/gio.h>
