/* Posts COUNT notifications by libdbus, IN_FLIGHT at a time: the floor for any client.
 * Prints the time of the first post (CLOCK_REALTIME, nanoseconds). */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int answered, refused;

static DBusMessage *notify(const char *summary) {
    DBusMessage *call = dbus_message_new_method_call(
        "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
        "org.freedesktop.Notifications", "Notify");
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

static void done(DBusPendingCall *pending, void *unused) {
    (void)unused;
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) refused++;
    dbus_message_unref(reply);
    answered++;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1, in_flight = argc > 2 ? atoi(argv[2]) : 1;
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
    if (!bus) { fprintf(stderr, "libdbus_client: %s\n", error.message); return 1; }
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    printf("%lld\n", time.tv_sec * 1000000000LL + time.tv_nsec);
    for (int sent = 0; answered < count;) {
        while (sent < count && sent - answered < in_flight) {
            char summary[32];
            DBusPendingCall *pending = NULL;
            snprintf(summary, sizeof summary, "libdbus %d", sent++);
            DBusMessage *call = notify(summary);
            if (!dbus_connection_send_with_reply(bus, call, &pending, -1) || !pending) return 1;
            dbus_pending_call_set_notify(pending, done, NULL, NULL);
            dbus_pending_call_unref(pending);
            dbus_message_unref(call);
        }
        if (!dbus_connection_read_write_dispatch(bus, -1)) return 1;
    }
    return refused != 0;
}
