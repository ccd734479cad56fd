#ifndef CGIO_H
#define CGIO_H

#include <stdbool.h>

// The part of GIO that our Swift code uses, without GIO's types: Swift cannot import GObject's
// macros and variadic calls.

// An installed desktop file, read once, so that all answers are about the same file.
typedef struct _GDesktopAppInfo cgio_entry;

// Opens a desktop file by its id (with ".desktop"); the caller closes it with cgio_entry_close.
// Returns NULL if no such file is installed.
cgio_entry *cgio_entry_open(const char *desktop_id);
void cgio_entry_close(cgio_entry *entry);

// The localised name, and the path of the file; both belong to the entry.
const char *cgio_entry_name(cgio_entry *entry);
const char *cgio_entry_file(cgio_entry *entry);

// The icon (a theme name or a path), or NULL; the caller frees it with cgio_free.
char *cgio_entry_icon(cgio_entry *entry);

// The value of a key, or NULL; the caller frees it with cgio_free. The first function returns the
// value as it is written, the second returns it in the user's language.
char *cgio_entry_value(cgio_entry *entry, const char *key);
char *cgio_entry_localized_value(cgio_entry *entry, const char *key);

bool cgio_entry_has_key(cgio_entry *entry, const char *key);

// Whether an installed app opens addresses of this scheme.
bool cgio_opens_scheme(const char *scheme);

// Splits a command line by a shell's quoting rules. Returns one block with the words, one after
// another, or NULL for an unusable line. Each word ends with NUL and may be empty; `ret_count` gets
// the number of words. The caller frees the block with cgio_free.
char *cgio_command_words(const char *command, int *ret_count);

// Frees the result of a function above whose comment names cgio_free.
void cgio_free(char *text);

#endif
