/* Adds COUNT requests of the far future to the notification centre, IN_FLIGHT at a time.
 * Prints how many nanoseconds each call of Add took. */
#include "notify.h"

#define CENTER "org.tocsin.NotificationCenter1"

static int answered, refused;

static void append(DBusMessageIter *entries, const char *key, const char *type, const void *value) {
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant);
    dbus_message_iter_append_basic(&variant, *type, value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(entries, &entry);
}

/* {"kind": "at", "date": ten years from now} */
static void append_trigger(DBusMessageIter *entries) {
    DBusMessageIter entry, variant, trigger;
    const char *key = "trigger", *kind = "at";
    dbus_int64_t date = nanoseconds(CLOCK_REALTIME) / 1000 + 315360000000000LL;
    dbus_message_iter_open_container(entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "a{sv}", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "{sv}", &trigger);
    append(&trigger, "kind", "s", &kind);
    append(&trigger, "date", "x", &date);
    dbus_message_iter_close_container(&variant, &trigger);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(entries, &entry);
}

static DBusMessage *add(int index) {
    DBusMessage *call = dbus_message_new_method_call(
        CENTER, "/org/tocsin/NotificationCenter1", CENTER, "Add");
    const char *app = "dev.add_client", *body = "body";
    char text[32], *id = text;
    DBusMessageIter args, array;
    snprintf(text, sizeof text, "add-%d", index);
    dbus_message_append_args(call, DBUS_TYPE_STRING, &app, DBUS_TYPE_INVALID);
    dbus_message_iter_init_append(call, &args);
    dbus_message_iter_open_container(&args, DBUS_TYPE_ARRAY, "{sv}", &array);
    append(&array, "id", "s", &id);
    append(&array, "title", "s", &id);
    append(&array, "body", "s", &body);
    append_trigger(&array);
    dbus_message_iter_close_container(&args, &array);
    dbus_message_iter_open_container(&args, DBUS_TYPE_ARRAY, "h", &array);
    dbus_message_iter_close_container(&args, &array);
    return call;
}

static void done(DBusPendingCall *pending, void *begun) {
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR && refused++ == 0)
        fprintf(stderr, "add_client: %s\n", dbus_message_get_error_name(reply));
    printf("%lld\n", nanoseconds(CLOCK_MONOTONIC) - *(long long *)begun);
    dbus_message_unref(reply);
    answered++;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1, in_flight = argc > 2 ? atoi(argv[2]) : 1;
    DBusConnection *bus = session_bus("add_client");
    begin();
    long long start = nanoseconds(CLOCK_MONOTONIC);
    for (int sent = 0; answered < count;) {
        while (sent < count && sent - answered < in_flight) {
            DBusPendingCall *pending = NULL;
            long long *begun = malloc(sizeof *begun);
            if (!begun) return 1;
            *begun = nanoseconds(CLOCK_MONOTONIC);
            DBusMessage *call = add(sent++);
            if (!dbus_connection_send_with_reply(bus, call, &pending, -1) || !pending) return 1;
            dbus_pending_call_set_notify(pending, done, begun, free);
            dbus_pending_call_unref(pending);
            dbus_message_unref(call);
        }
        if (!dbus_connection_read_write_dispatch(bus, -1)) return 1;
    }
    printf("all %lld\n", nanoseconds(CLOCK_MONOTONIC) - start);
    return refused != 0;
}
