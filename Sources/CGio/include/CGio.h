#ifndef CGIO_H
#define CGIO_H

// What is used of GIO, without its types: GObject's macros and variadic calls cannot be imported.

// Looks up an installed desktop file by its id (with ".desktop"). Returns 0 where there is none;
// otherwise 1, with the localised name and the icon (a theme name or a path, or NULL), which the
// caller frees with cgio_free.
int cgio_desktop_entry(const char *desktop_id, char **ret_name, char **ret_icon);

// The localised text of a key of an installed desktop file, which the caller frees with cgio_free;
// NULL where there is no such file or key.
char *cgio_desktop_text(const char *desktop_id, const char *key);

// The value of a key of an installed desktop file, or NULL; the caller frees it with cgio_free.
char *cgio_desktop_key(const char *desktop_id, const char *key);

// The path of an installed desktop file, which the caller frees with cgio_free; NULL where there is
// none.
char *cgio_desktop_file(const char *desktop_id);

// A key of an installed desktop file that names a command, with the path of that very file and
// whether a sandbox marked it as its own (X-Flatpak, X-SnapInstanceName, X-SnapAppName). Returns 0
// where there is no such file or key; otherwise 1, and the caller frees both texts with cgio_free.
int cgio_desktop_command(
    const char *desktop_id, const char *key, char **ret_command, char **ret_file, int *ret_is_marked
);

// The words of a command line by the rules of a shell's quotes, each ending with NUL and perhaps
// empty, with their number; the caller frees them with cgio_free. NULL where it cannot be read.
char *cgio_command_words(const char *command, int *ret_count);

// Frees what a function above returned.
void cgio_free(char *text);

#endif
