/* Posts COUNT notifications by libdbus, each after the click on the previous notification. Prints
 * when the signal of each click arrived (CLOCK_MONOTONIC, nanoseconds), and the summary. */
#include "notify.h"
#include <string.h>

static dbus_uint32_t shown, clicked;
static long long heard;

static DBusHandlerResult handle(DBusConnection *bus, DBusMessage *message, void *unused) {
    const char *action;
    (void)bus, (void)unused;
    if (!dbus_message_is_signal(message, SERVER, "ActionInvoked"))
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    heard = nanoseconds(CLOCK_MONOTONIC);
    dbus_message_get_args(message, NULL, DBUS_TYPE_UINT32, &clicked, DBUS_TYPE_STRING, &action,
                          DBUS_TYPE_INVALID);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1;
    DBusConnection *bus = session_bus("click_client");
    dbus_bus_add_match(bus, "type='signal',interface='" SERVER "'", NULL);
    dbus_connection_add_filter(bus, handle, NULL, NULL);
    begin();
    for (int index = 0; index < count; index++) {
        char summary[32];
        snprintf(summary, sizeof summary, "libdbus %d", index);
        DBusMessage *call = notify_call(summary);
        DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, -1, NULL);
        if (!reply || !dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &shown,
                                             DBUS_TYPE_INVALID)) return 1;
        dbus_message_unref(reply);
        dbus_message_unref(call);
        while (clicked != shown)
            if (!dbus_connection_read_write_dispatch(bus, -1)) return 1;
        printf("%lld %s\n", heard, summary);
    }
    return 0;
}
