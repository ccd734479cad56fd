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

// Frees what a function above returned.
void cgio_free(char *text);

#endif
