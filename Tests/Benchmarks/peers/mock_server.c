/* A notification server that only answers, as fast as libdbus can. It records the summary of each
 * call, and the time at which the call arrived (CLOCK_REALTIME).
 *
 * org.tocsin.Bench.Expect(u count)  answers after that many calls of Notify since the last Take
 * org.tocsin.Bench.Take(s path)     writes "nanoseconds summary" lines to a file, and deletes the
 *                                   records
 * org.tocsin.Bench.Click(u pause)   clicks on each later notification, `pause` microseconds after
 *                                   its call; 0 ends the clicks
 * org.tocsin.Bench.TakeClicks(s path)  does the same as Take for the clicks (CLOCK_MONOTONIC)
 */
#include "notify.h"
#include <string.h>

struct event { long long at; char *summary; };
struct events { struct event *list; size_t count, capacity; };
static struct events arrivals, clicks;
static dbus_uint32_t last_id;
static DBusMessage *expecting;
static dbus_uint32_t expected;
static dbus_uint32_t pause_before_click;
/* When the last notification is clicked (CLOCK_MONOTONIC); 0 for never. */
static long long click_at;

static void answer(DBusConnection *bus, DBusMessage *reply) {
    if (!reply || !dbus_connection_send(bus, reply, NULL)) { fputs("out of memory\n", stderr); exit(1); }
    dbus_message_unref(reply);
}

static void append(struct events *events, long long at, const char *summary) {
    if (events->count == events->capacity) {
        events->capacity = events->capacity ? events->capacity * 2 : 16384;
        events->list = realloc(events->list, events->capacity * sizeof *events->list);
        if (!events->list) { fputs("out of memory\n", stderr); exit(1); }
    }
    events->list[events->count].at = at;
    events->list[events->count++].summary = strdup(summary);
}

static void remember(DBusMessage *call) {
    DBusMessageIter args;
    const char *summary = "";
    long long at = nanoseconds(CLOCK_REALTIME);
    dbus_message_iter_init(call, &args);
    for (int skipped = 0; skipped < 3; skipped++) dbus_message_iter_next(&args);
    if (dbus_message_iter_get_arg_type(&args) == DBUS_TYPE_STRING)
        dbus_message_iter_get_basic(&args, &summary);
    append(&arrivals, at, summary);
}

static void take(struct events *events, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) { perror(path); exit(1); }
    for (size_t index = 0; index < events->count; index++) {
        fprintf(file, "%lld %s\n", events->list[index].at, events->list[index].summary);
        free(events->list[index].summary);
    }
    fclose(file);
    events->count = 0;
}

static void check_expectation(DBusConnection *bus) {
    if (!expecting || arrivals.count < expected) return;
    answer(bus, dbus_message_new_method_return(expecting));
    dbus_message_unref(expecting);
    expecting = NULL;
}

static void notify(DBusConnection *bus, DBusMessage *call) {
    dbus_uint32_t id = ++last_id;
    remember(call);
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_UINT32, &id, DBUS_TYPE_INVALID);
    answer(bus, reply);
    check_expectation(bus);
    if (pause_before_click) click_at = nanoseconds(CLOCK_MONOTONIC) + pause_before_click * 1000LL;
}

/* Sends the signals of a click on the notification itself, which closes its popup. */
static void click(DBusConnection *bus) {
    const char *action = "default", *path = "/org/freedesktop/Notifications";
    dbus_uint32_t dismissed = 2;
    DBusMessage *signal = dbus_message_new_signal(path, SERVER, "ActionInvoked");
    DBusMessage *closed = dbus_message_new_signal(path, SERVER, "NotificationClosed");
    click_at = 0;
    dbus_message_append_args(
        signal, DBUS_TYPE_UINT32, &last_id, DBUS_TYPE_STRING, &action, DBUS_TYPE_INVALID);
    dbus_message_append_args(
        closed, DBUS_TYPE_UINT32, &last_id, DBUS_TYPE_UINT32, &dismissed, DBUS_TYPE_INVALID);
    append(&clicks, nanoseconds(CLOCK_MONOTONIC), arrivals.list[arrivals.count - 1].summary);
    answer(bus, signal);
    answer(bus, closed);
}

static void capabilities(DBusConnection *bus, DBusMessage *call) {
    const char *list[] = {"actions", "body", "body-markup", "icon-static", "persistence"};
    const char **strings = list;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(
        reply, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &strings, 5, DBUS_TYPE_INVALID);
    answer(bus, reply);
}

static void information(DBusConnection *bus, DBusMessage *call) {
    const char *name = "bench", *vendor = "Tests", *version = "1", *spec = "1.2";
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(
        reply, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &vendor, DBUS_TYPE_STRING, &version,
        DBUS_TYPE_STRING, &spec, DBUS_TYPE_INVALID);
    answer(bus, reply);
}

static DBusHandlerResult handle(DBusConnection *bus, DBusMessage *call, void *unused) {
    const char *path;
    (void)unused;
    if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL)
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    const char *member = dbus_message_get_member(call);
    if (!strcmp(member, "Notify")) notify(bus, call);
    else if (!strcmp(member, "GetCapabilities")) capabilities(bus, call);
    else if (!strcmp(member, "GetServerInformation")) information(bus, call);
    else if (!strcmp(member, "CloseNotification")) answer(bus, dbus_message_new_method_return(call));
    else if (!strcmp(member, "Expect")) {
        dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &expected, DBUS_TYPE_INVALID);
        if (expecting) dbus_message_unref(expecting);
        expecting = dbus_message_ref(call);
        check_expectation(bus);
    } else if (!strcmp(member, "Take")
               && dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &path, DBUS_TYPE_INVALID)) {
        take(&arrivals, path);
        answer(bus, dbus_message_new_method_return(call));
    } else if (!strcmp(member, "TakeClicks")
               && dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &path, DBUS_TYPE_INVALID)) {
        take(&clicks, path);
        answer(bus, dbus_message_new_method_return(call));
    } else if (!strcmp(member, "Click")) {
        dbus_message_get_args(
            call, NULL, DBUS_TYPE_UINT32, &pause_before_click, DBUS_TYPE_INVALID);
        answer(bus, dbus_message_new_method_return(call));
    } else return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    return DBUS_HANDLER_RESULT_HANDLED;
}

/* Milliseconds until the next click, rounded up; -1 if no click is planned. */
static int timeout(void) {
    if (!click_at) return -1;
    long long left = click_at - nanoseconds(CLOCK_MONOTONIC);
    return left > 0 ? (left + 999999) / 1000000 : 0;
}

/* An argument is the name that the program owns instead of the notification server's name. */
int main(int argc, char **argv) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
    if (!bus || dbus_bus_request_name(bus, argc > 1 ? argv[1] : SERVER, 0, &error) != 1) {
        fprintf(stderr, "mock_server: %s\n", error.message ? error.message : "the name is taken");
        return 1;
    }
    dbus_connection_add_filter(bus, handle, NULL, NULL);
    puts("ready");
    fflush(stdout);
    while (dbus_connection_read_write_dispatch(bus, timeout()))
        if (click_at && click_at <= nanoseconds(CLOCK_MONOTONIC)) click(bus);
    return 0;
}
