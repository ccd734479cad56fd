#ifndef CLINUX_PROCESS_PARTS_H
#define CLINUX_PROCESS_PARTS_H

// What starting a program needs, whichever way it is started.

#include <stddef.h>

// So many texts of a block, each ending with NUL and perhaps empty, as a list that ends with NULL;
// free it.
char **clinux_list(const char *block, size_t count);

// The texts of a block, each ending with NUL, as a list that ends with NULL; free it.
char **clinux_split(const char *block);

// Gives up every handler, unblocks every signal, and takes back what `clinux_raise_file_limit` and
// `clinux_be_private` did; between fork and exec.
void clinux_reset_process(void);

// Waits for a child's exec, which closes the pipe: 0, or the errno of its failure.
int clinux_read_problem(int pipe);

#endif
