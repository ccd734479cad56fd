/* Posts COUNT notifications by libdbus, IN_FLIGHT at a time. No client on libdbus
 * needs less time. */
#include "notify.h"

static int answered, refused;

static void done(DBusPendingCall *pending, void *unused) {
    (void)unused;
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) refused++;
    dbus_message_unref(reply);
    answered++;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1, in_flight = argc > 2 ? atoi(argv[2]) : 1;
    DBusConnection *bus = session_bus("libdbus_client");
    begin();
    for (int sent = 0; answered < count;) {
        while (sent < count && sent - answered < in_flight) {
            char summary[32];
            DBusPendingCall *pending = NULL;
            snprintf(summary, sizeof summary, "libdbus %d", sent++);
            DBusMessage *call = notify_call(summary);
            if (!dbus_connection_send_with_reply(bus, call, &pending, -1) || !pending) return 1;
            dbus_pending_call_set_notify(pending, done, NULL, NULL);
            dbus_pending_call_unref(pending);
            dbus_message_unref(call);
        }
        if (!dbus_connection_read_write_dispatch(bus, -1)) return 1;
    }
    return refused != 0;
}
