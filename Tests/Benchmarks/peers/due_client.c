/* Posts COUNT notifications by libdbus, each at its time, as a program without a store does. The
 * times start in three seconds and extend over SECONDS; with 0, all notifications have one time.
 * Each summary is the time at which its notification is due (CLOCK_REALTIME, nanoseconds). With 0,
 * the number of the notification follows. */
#include "notify.h"

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1;
    double seconds = argc > 2 ? atof(argv[2]) : 10;
    DBusConnection *bus = session_bus("due_client");
    long long first = nanoseconds(CLOCK_REALTIME) + 3000000000LL;
    begin();
    puts("added");
    fflush(stdout);
    for (int index = 0; index < count; index++) {
        long long due = first + (long long)(seconds * 1e9 / count * index);
        struct timespec time = {due / 1000000000, due % 1000000000};
        char summary[48];
        snprintf(summary, sizeof summary, seconds > 0 ? "%lld" : "%lld %d", due, index);
        clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL);
        DBusMessage *call = notify_call(summary);
        if (!dbus_connection_send(bus, call, NULL)) return 1;
        dbus_message_unref(call);
        dbus_connection_flush(bus);
        while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {}
        dbus_connection_read_write(bus, 0);
    }
    while (getchar() != EOF) {}
    return 0;
}
