/* The common parts of the clients on libdbus: the clocks, the bus and one call of Notify. */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SERVER "org.freedesktop.Notifications"

static inline long long nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* The session bus; if it cannot be reached, the program ends. */
static inline DBusConnection *session_bus(const char *program) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
    if (!bus) { fprintf(stderr, "%s: %s\n", program, error.message); exit(1); }
    return bus;
}

static inline DBusMessage *notify_call(const char *summary) {
    DBusMessage *call = dbus_message_new_method_call(
        SERVER, "/org/freedesktop/Notifications", SERVER, "Notify");
    const char *name = "bench", *icon = "", *body = "body";
    dbus_uint32_t replaces = 0;
    dbus_int32_t timeout = -1;
    DBusMessageIter args, array;
    dbus_message_append_args(
        call, DBUS_TYPE_STRING, &name, DBUS_TYPE_UINT32, &replaces, DBUS_TYPE_STRING, &icon,
        DBUS_TYPE_STRING, &summary, DBUS_TYPE_STRING, &body, DBUS_TYPE_INVALID);
    dbus_message_iter_init_append(call, &args);
    dbus_message_iter_open_container(&args, DBUS_TYPE_ARRAY, "s", &array);
    dbus_message_iter_close_container(&args, &array);
    dbus_message_iter_open_container(&args, DBUS_TYPE_ARRAY, "{sv}", &array);
    dbus_message_iter_close_container(&args, &array);
    dbus_message_iter_append_basic(&args, DBUS_TYPE_INT32, &timeout);
    return call;
}

/* Prints the time of the first post (CLOCK_REALTIME, nanoseconds): the program is ready. */
static inline void begin(void) {
    printf("%lld\n", nanoseconds(CLOCK_REALTIME));
    fflush(stdout);
}
