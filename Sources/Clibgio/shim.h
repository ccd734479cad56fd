// The compiler searches only the folder of GLib's headers; the folder of gio-unix lies beside it.
#include <../gio-unix-2.0/gio/gdesktopappinfo.h>
#include <gio/gio.h>
