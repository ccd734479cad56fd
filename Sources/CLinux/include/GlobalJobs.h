#ifndef CLINUX_GLOBAL_JOBS_H
#define CLINUX_GLOBAL_JOBS_H

// From now on `take` gets each job of a Swift task that no executor of its own runs, from whatever
// thread makes it runnable; it has `clinux_run_global_job` called for it, once, on a thread that
// may run such jobs. Exists because the Swift runtime exports this hook as a C variable with
// Swift's calling convention, which Swift itself does not import.
void clinux_take_global_jobs(void (*_Nonnull take)(void *_Nonnull job));

// Runs a job that was taken, until its task waits for the next time.
void clinux_run_global_job(void *_Nonnull job);

#endif
