#include "GlobalJobs.h"
#include <stddef.h>

// Of swift/Runtime/Concurrency.h, which no toolchain installs.
typedef struct {
    void *identity, *implementation;
} clinux_executor;
typedef __attribute__((swiftcall)) void (*clinux_enqueue)(void *job);

extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(
    void *job, clinux_enqueue original);
extern __attribute__((swiftcall)) void swift_job_run(void *job, clinux_executor executor);

static void (*take_job)(void *job);

static __attribute__((swiftcall)) void enqueue(void *job, clinux_enqueue original) {
    (void)original;
    take_job(job);
}

void clinux_take_global_jobs(void (*take)(void *job)) {
    take_job = take;
    swift_task_enqueueGlobal_hook = enqueue;
}

void clinux_run_global_job(void *job) {
    clinux_executor generic = {NULL, NULL};
    swift_job_run(job, generic);
}
