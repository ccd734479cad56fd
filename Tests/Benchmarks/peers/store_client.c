/* Posts notifications by libdbus and loses none: SQLite has each notification on disk before the
 * call of Notify, and marks it as delivered after the server's answer. This is the least work of a
 * notification centre on libdbus and SQLite: one thread, one app, two tables, one text.
 *
 *   store_client post COUNT GROUP   stores and posts, GROUP notifications with each sync
 *   store_client due COUNT SECONDS  stores all and posts each at its time, as due_client does
 *
 * As the centre does, it keeps the newest 100 delivered notifications and closes the others. */
#include "notify.h"
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 64, KEPT = 100 };

static DBusConnection *bus;
static sqlite3 *database;
static int delivered;
static struct { sqlite3_int64 row; dbus_uint32_t popup; } shown[BATCH];
static int shown_count;

static void require(int is_right, const char *what) {
    if (is_right) return;
    fprintf(stderr, "store_client: %s: %s\n", what, sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *sql) {
    require(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    require(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, sql);
    return statement;
}

static void step(sqlite3_stmt *statement) {
    require(sqlite3_step(statement) == SQLITE_DONE, sqlite3_sql(statement));
    sqlite3_reset(statement);
}

static void open_store(char *folder) {
    char path[64];
    require(mkdtemp(folder) != NULL, folder);
    snprintf(path, sizeof path, "%s/store.sqlite", folder);
    require(sqlite3_open(path, &database) == SQLITE_OK, path);
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    run("CREATE TABLE request (row INTEGER PRIMARY KEY AUTOINCREMENT, due INTEGER, summary TEXT)");
    run("CREATE INDEX request_due ON request (due)");
    run("CREATE TABLE notification (row INTEGER PRIMARY KEY, popup INTEGER, summary TEXT)");
}

static void remove_store(const char *folder) {
    const char *ends[] = {"", "-wal", "-shm"};
    sqlite3_close_v2(database);
    for (int index = 0; index < 3; index++) {
        char path[64];
        snprintf(path, sizeof path, "%s/store.sqlite%s", folder, ends[index]);
        unlink(path);
    }
    rmdir(folder);
}

static void insert(long long due, const char *summary) {
    static sqlite3_stmt *statement;
    if (!statement) statement = prepared("INSERT INTO request (due, summary) VALUES (?, ?)");
    sqlite3_bind_int64(statement, 1, due);
    sqlite3_bind_text(statement, 2, summary, -1, SQLITE_STATIC);
    step(statement);
}

static void close_popup(dbus_uint32_t popup) {
    DBusMessage *call = dbus_message_new_method_call(
        SERVER, "/org/freedesktop/Notifications", SERVER, "CloseNotification");
    dbus_message_append_args(call, DBUS_TYPE_UINT32, &popup, DBUS_TYPE_INVALID);
    if (!dbus_connection_send(bus, call, NULL)) exit(1);
    dbus_message_unref(call);
}

/* Changes the shown requests into delivered notifications, in the transaction that is open. */
static void mark(void) {
    static sqlite3_stmt *copy, *drop, *oldest, *forget;
    if (!copy) {
        copy = prepared(
            "INSERT INTO notification SELECT row, ?2, summary FROM request WHERE row = ?1");
        drop = prepared("DELETE FROM request WHERE row = ?");
        oldest = prepared("SELECT row, popup FROM notification ORDER BY row LIMIT 1");
        forget = prepared("DELETE FROM notification WHERE row = ?");
    }
    for (int index = 0; index < shown_count; index++) {
        sqlite3_bind_int64(copy, 1, shown[index].row);
        sqlite3_bind_int64(copy, 2, shown[index].popup);
        step(copy);
        sqlite3_bind_int64(drop, 1, shown[index].row);
        step(drop);
        delivered++;
    }
    shown_count = 0;
    for (; delivered > KEPT; delivered--) {
        require(sqlite3_step(oldest) == SQLITE_ROW, "the oldest notification");
        sqlite3_bind_int64(forget, 1, sqlite3_column_int64(oldest, 0));
        close_popup(sqlite3_column_int(oldest, 1));
        sqlite3_reset(oldest);
        step(forget);
    }
}

static void answered(DBusPendingCall *pending, void *row) {
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    shown[shown_count].row = (sqlite3_int64)(intptr_t)row;
    if (!dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &shown[shown_count++].popup,
                               DBUS_TYPE_INVALID)) exit(1);
    dbus_message_unref(reply);
}

static void post(sqlite3_int64 row, const char *summary) {
    DBusPendingCall *pending = NULL;
    DBusMessage *call = notify_call(summary);
    if (!dbus_connection_send_with_reply(bus, call, &pending, -1) || !pending) exit(1);
    dbus_pending_call_set_notify(pending, answered, (void *)(intptr_t)row, NULL);
    dbus_pending_call_unref(pending);
    dbus_message_unref(call);
}

/* Handles the messages of the bus; waits until at least `posts` posts are answered. */
static void hear(int posts) {
    do {
        if (!dbus_connection_read_write(bus, shown_count < posts ? -1 : 0)) exit(1);
        while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {}
    } while (shown_count < posts);
}

/* Each commit stores a group and marks the previous group, so each group waits for one sync. */
static void post_in_groups(int count, int group) {
    int posted = 0;
    begin();
    for (int index = 0; index < count;) {
        sqlite3_int64 rows[BATCH];
        char summaries[BATCH][32];
        int size = count - index < group ? count - index : group;
        run("BEGIN IMMEDIATE");
        posted -= shown_count;
        mark();
        for (int place = 0; place < size; place++) {
            snprintf(summaries[place], sizeof summaries[place], "store %d", index++);
            insert(0, summaries[place]);
            rows[place] = sqlite3_last_insert_rowid(database);
        }
        run("COMMIT");
        for (int place = 0; place < size; place++) post(rows[place], summaries[place]);
        dbus_connection_flush(bus);
        posted += size;
        hear(posted + group - BATCH);
    }
    hear(posted);
    run("BEGIN IMMEDIATE");
    mark();
    run("COMMIT");
}

static long long sleep_until_due(void) {
    static sqlite3_stmt *first;
    if (!first) first = prepared("SELECT MIN(due) FROM request");
    require(sqlite3_step(first) == SQLITE_ROW, "the first date");
    long long due = sqlite3_column_int64(first, 0);
    struct timespec time = {due / 1000000000, due % 1000000000};
    sqlite3_reset(first);
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL);
    return nanoseconds(CLOCK_REALTIME);
}

/* A crash loses no request: the requests of the last batch stay in their table until `mark`. */
static void post_when_due(int count, double seconds) {
    long long first = nanoseconds(CLOCK_REALTIME) + 3000000000LL;
    begin();
    run("BEGIN IMMEDIATE");
    for (int index = 0; index < count; index++) {
        char summary[48];
        long long due = first + (long long)(seconds * 1e9 / count * index);
        snprintf(summary, sizeof summary, seconds > 0 ? "%lld" : "%lld %d", due, index);
        insert(due, summary);
    }
    run("COMMIT");
    puts("added");
    fflush(stdout);
    sqlite3_stmt *next = prepared(
        "SELECT row, summary FROM request WHERE due <= ? ORDER BY due, row LIMIT ?");
    for (int left = count; left > 0;) {
        int posted = 0;
        sqlite3_bind_int64(next, 1, sleep_until_due());
        sqlite3_bind_int(next, 2, BATCH);
        for (; sqlite3_step(next) == SQLITE_ROW; posted++)
            post(sqlite3_column_int64(next, 0), (const char *)sqlite3_column_text(next, 1));
        sqlite3_reset(next);
        dbus_connection_flush(bus);
        hear(posted);
        run("BEGIN IMMEDIATE");
        mark();
        run("COMMIT");
        left -= posted;
    }
    dbus_connection_flush(bus);
}

int main(int argc, char **argv) {
    char folder[] = "/tmp/store-client-XXXXXX";
    int count = argc > 2 ? atoi(argv[2]) : 1;
    bus = session_bus("store_client");
    open_store(folder);
    if (argc > 1 && !strcmp(argv[1], "due")) post_when_due(count, argc > 3 ? atof(argv[3]) : 10);
    else {
        int group = argc > 3 ? atoi(argv[3]) : 1;
        post_in_groups(count, group < 1 ? 1 : group > BATCH ? BATCH : group);
    }
    while (getchar() != EOF) {}
    remove_store(folder);
    return 0;
}
