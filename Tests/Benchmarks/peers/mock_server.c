/* A notification server that does nothing but answer, as fast as libdbus can, and remember when
 * each call came (CLOCK_REALTIME) and what its summary was.
 *
 * org.tocsin.Bench.Expect(u count)  answers once that many calls of Notify have come
 * org.tocsin.Bench.Take(s path)     writes "nanoseconds summary" lines to a file and forgets them
 */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct arrival { long long at; char *summary; };
static struct arrival *arrivals;
static size_t count, capacity;
static dbus_uint32_t last_id;
static DBusMessage *expecting;
static dbus_uint32_t expected;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void answer(DBusConnection *bus, DBusMessage *reply) {
    if (!reply || !dbus_connection_send(bus, reply, NULL)) { fputs("out of memory\n", stderr); exit(1); }
    dbus_message_unref(reply);
}

static void remember(DBusMessage *call) {
    DBusMessageIter args;
    const char *summary = "";
    long long at = now();
    dbus_message_iter_init(call, &args);
    for (int skipped = 0; skipped < 3; skipped++) dbus_message_iter_next(&args);
    if (dbus_message_iter_get_arg_type(&args) == DBUS_TYPE_STRING)
        dbus_message_iter_get_basic(&args, &summary);
    if (count == capacity) {
        capacity = capacity ? capacity * 2 : 16384;
        arrivals = realloc(arrivals, capacity * sizeof *arrivals);
        if (!arrivals) { fputs("out of memory\n", stderr); exit(1); }
    }
    arrivals[count].at = at;
    arrivals[count++].summary = strdup(summary);
}

static void take(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) { perror(path); exit(1); }
    for (size_t index = 0; index < count; index++) {
        fprintf(file, "%lld %s\n", arrivals[index].at, arrivals[index].summary);
        free(arrivals[index].summary);
    }
    fclose(file);
    count = 0;
}

static void check_expectation(DBusConnection *bus) {
    if (!expecting || count < expected) return;
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
        take(path);
        answer(bus, dbus_message_new_method_return(call));
    } else return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(void) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
    if (!bus || dbus_bus_request_name(bus, "org.freedesktop.Notifications", 0, &error) != 1) {
        fprintf(stderr, "mock_server: %s\n", error.message ? error.message : "the name is taken");
        return 1;
    }
    dbus_connection_add_filter(bus, handle, NULL, NULL);
    puts("ready");
    fflush(stdout);
    while (dbus_connection_read_write_dispatch(bus, -1)) {}
    return 0;
}
