//go:build cgo

/* The hooks as they are where a program brings none of its own, and the performance counters. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "include/pmu_ethosu.h"

#define WEAK __attribute__((weak))

struct ethosu_driver ptero_ethosu_default;

WEAK void ethosu_flush_dcache(const uint64_t *base_addr, const size_t *base_addr_size, int num_base_addr) {
  (void)base_addr, (void)base_addr_size, (void)num_base_addr;
}

WEAK void ethosu_invalidate_dcache(const uint64_t *base_addr, const size_t *base_addr_size, int num_base_addr) {
  (void)base_addr, (void)base_addr_size, (void)num_base_addr;
}

WEAK void ethosu_inference_begin(struct ethosu_driver *drv, void *user_arg) { (void)drv, (void)user_arg; }

WEAK void ethosu_inference_end(struct ethosu_driver *drv, void *user_arg) { (void)drv, (void)user_arg; }

void ethosu_irq_handler(struct ethosu_driver *drv) { (void)drv; }

WEAK void *ethosu_mutex_create(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  if (m && pthread_mutex_init(m, NULL)) {
    free(m);
    m = NULL;
  }
  return m;
}

WEAK void ethosu_mutex_destroy(void *mutex) {
  if (mutex) pthread_mutex_destroy(mutex);
  free(mutex);
}

WEAK int ethosu_mutex_lock(void *mutex) { return -pthread_mutex_lock(mutex); }

WEAK int ethosu_mutex_unlock(void *mutex) { return -pthread_mutex_unlock(mutex); }

struct semaphore {
  pthread_mutex_t lock;
  pthread_cond_t given;
  unsigned count;
};

WEAK void *ethosu_semaphore_create(void) {
  struct semaphore *s = calloc(1, sizeof *s);
  if (s) {
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->given, NULL);
  }
  return s;
}

WEAK void ethosu_semaphore_destroy(void *sem) {
  struct semaphore *s = sem;
  if (!s) return;
  pthread_cond_destroy(&s->given);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

WEAK int ethosu_semaphore_give(void *sem) {
  struct semaphore *s = sem;
  pthread_mutex_lock(&s->lock);
  s->count++;
  pthread_cond_signal(&s->given);
  pthread_mutex_unlock(&s->lock);
  return 0;
}

WEAK int ethosu_semaphore_take(void *sem, uint64_t timeout) {
  struct semaphore *s = sem;
  struct timespec until;
  int failed = 0;
  clock_gettime(CLOCK_REALTIME, &until);
  if (timeout != ETHOSU_SEMAPHORE_WAIT_FOREVER) {
    until.tv_sec += (time_t)(timeout / 1000);
    until.tv_nsec += (long)(timeout % 1000) * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
  }
  pthread_mutex_lock(&s->lock);
  while (!s->count && !failed)
    failed = timeout == ETHOSU_SEMAPHORE_WAIT_FOREVER ? pthread_cond_wait(&s->given, &s->lock) : pthread_cond_timedwait(&s->given, &s->lock, &until);
  if (s->count) {
    s->count--;
    failed = 0;
  }
  pthread_mutex_unlock(&s->lock);
  return failed ? -1 : 0;
}

/* What a job counts; called when it has ended. */
void ptero_ethosu_count(struct ethosu_driver *drv, uint64_t cycles) {
  if (!drv->pmu.enabled) return;
  if (drv->pmu.counters & ETHOSU_PMU_CCNT_Msk) drv->pmu.cycles += cycles;
  for (uint32_t i = 0; i < ETHOSU_PMU_COUNTERS; i++) {
    uint32_t type = drv->pmu.types[i];
    if (!(drv->pmu.counters >> i & 1) || (type != ETHOSU_PMU_CYCLE && type != ETHOSU_PMU_NPU_ACTIVE)) continue;
    if (cycles > UINT32_MAX - drv->pmu.events[i]) drv->pmu.overflows |= 1u << i;
    drv->pmu.events[i] += (uint32_t)cycles;
  }
}

void ETHOSU_PMU_Enable(struct ethosu_driver *drv) { drv->pmu.enabled = true; }
void ETHOSU_PMU_Disable(struct ethosu_driver *drv) { drv->pmu.enabled = false; }
uint32_t ETHOSU_PMU_Get_NumEventCounters(void) { return ETHOSU_PMU_COUNTERS; }

void ETHOSU_PMU_Set_EVTYPER(struct ethosu_driver *drv, uint32_t num, enum ethosu_pmu_event_type type) {
  if (num < ETHOSU_PMU_COUNTERS) drv->pmu.types[num] = type;
}

enum ethosu_pmu_event_type ETHOSU_PMU_Get_EVTYPER(struct ethosu_driver *drv, uint32_t num) {
  return num < ETHOSU_PMU_COUNTERS ? (enum ethosu_pmu_event_type)drv->pmu.types[num] : ETHOSU_PMU_NO_EVENT;
}

void ETHOSU_PMU_CYCCNT_Reset(struct ethosu_driver *drv) { drv->pmu.cycles = 0; }

void ETHOSU_PMU_EVCNTR_ALL_Reset(struct ethosu_driver *drv) {
  for (uint32_t i = 0; i < ETHOSU_PMU_COUNTERS; i++) drv->pmu.events[i] = 0;
}

void ETHOSU_PMU_CNTR_Enable(struct ethosu_driver *drv, uint32_t mask) { drv->pmu.counters |= mask; }
void ETHOSU_PMU_CNTR_Disable(struct ethosu_driver *drv, uint32_t mask) { drv->pmu.counters &= ~mask; }
uint32_t ETHOSU_PMU_CNTR_Status(struct ethosu_driver *drv) { return drv->pmu.counters; }
uint64_t ETHOSU_PMU_Get_CCNTR(struct ethosu_driver *drv) { return drv->pmu.cycles; }
void ETHOSU_PMU_Set_CCNTR(struct ethosu_driver *drv, uint64_t val) { drv->pmu.cycles = val; }

uint32_t ETHOSU_PMU_Get_EVCNTR(struct ethosu_driver *drv, uint32_t num) { return num < ETHOSU_PMU_COUNTERS ? drv->pmu.events[num] : 0; }

void ETHOSU_PMU_Set_EVCNTR(struct ethosu_driver *drv, uint32_t num, uint32_t val) {
  if (num < ETHOSU_PMU_COUNTERS) drv->pmu.events[num] = val;
}

uint32_t ETHOSU_PMU_Get_CNTR_OVS(struct ethosu_driver *drv) { return drv->pmu.overflows; }
void ETHOSU_PMU_Set_CNTR_OVS(struct ethosu_driver *drv, uint32_t mask) { drv->pmu.overflows &= ~mask; }

/*
 * The simulator calls hooks through these. In an archive a program's own definition has replaced the weak one; in a shared
 * library, which Go links with -Bsymbolic, it must be looked up in the program.
 */
static pthread_once_t opened = PTHREAD_ONCE_INIT;
static void *program;

static void open_program(void) { program = dlopen(NULL, RTLD_LAZY); }

static void *find(const char *name, void *own) {
  pthread_once(&opened, open_program);
  void *found = program ? dlsym(program, name) : NULL;
  return found ? found : own;
}

#define HOOK(type, name) ((type)find(#name, (void *)name))

typedef void (*cache_hook)(const uint64_t *, const size_t *, int);
typedef void (*inference_hook)(struct ethosu_driver *, void *);

void ptero_ethosu_begin(struct ethosu_driver *drv) {
  HOOK(cache_hook, ethosu_flush_dcache)(drv->job.base_addr, drv->job.base_addr_size, drv->job.num_base_addr);
  HOOK(inference_hook, ethosu_inference_begin)(drv, drv->job.user_arg);
}

void ptero_ethosu_end(struct ethosu_driver *drv) {
  HOOK(cache_hook, ethosu_invalidate_dcache)(drv->job.base_addr, drv->job.base_addr_size, drv->job.num_base_addr);
  HOOK(inference_hook, ethosu_inference_end)(drv, drv->job.user_arg);
}

void *ptero_ethosu_semaphore(void) { return HOOK(void *(*)(void), ethosu_semaphore_create)(); }
void ptero_ethosu_drop(void *sem) { HOOK(void (*)(void *), ethosu_semaphore_destroy)(sem); }
int ptero_ethosu_give(void *sem) { return HOOK(int (*)(void *), ethosu_semaphore_give)(sem); }
int ptero_ethosu_take(void *sem) { return HOOK(int (*)(void *, uint64_t), ethosu_semaphore_take)(sem, ETHOSU_SEMAPHORE_WAIT_INFERENCE); }
