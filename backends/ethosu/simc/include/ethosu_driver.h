/*
 * The C interface of Arm's ethos-u-core-driver 1.0, implemented by ptero's Ethos-U simulator.
 *
 * Link libethosu.a or libethosu.so in place of the core driver, and code written for it, ExecuTorch's EthosUBackend
 * included, runs on a host without an NPU. Names, parameters and results are the core driver's.
 *
 * What the simulator does with each part:
 *  - base_address, secure_enable and privilege_enable are not used. A program that never calls ethosu_init has one driver.
 *  - a driver takes what every payload was made for; ptero_ethosu_fix makes it one product, which refuses others.
 *  - the payload is COP1 or COP2. Base addresses are multiples of 16. A region that the command stream touches must be at
 *    least as large as its size says; without sizes (base_addr_size is NULL) the memory is taken to be large enough.
 *  - region 2 is fast_memory where the driver has some. Where neither the driver nor the call brings any (its base address is
 *    0), the simulator does.
 *  - a payload or memory that cannot be used fails with -1; the reason is in ptero_ethosu_last_error().
 *  - the hooks below are weak: a program may define its own. A job runs in a thread of the simulator, which gives the
 *    driver's semaphore when it ends. ethosu_wait takes it; where that fails, the job is stopped and has failed.
 *    ethosu_address_remap and ethosu_config_select are not called: nothing is addressed by a bus.
 * All functions may be called by several threads at once; a driver runs one job at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ETHOSU_DRIVER_H
#define ETHOSU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ethosu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ETHOSU_DRIVER_VERSION_MAJOR 1
#define ETHOSU_DRIVER_VERSION_MINOR 0
#define ETHOSU_DRIVER_VERSION_PATCH 0

#define ETHOSU_SEMAPHORE_WAIT_FOREVER (UINT64_MAX)
#ifndef ETHOSU_SEMAPHORE_WAIT_INFERENCE
#define ETHOSU_SEMAPHORE_WAIT_INFERENCE ETHOSU_SEMAPHORE_WAIT_FOREVER
#endif

enum ethosu_job_state { ETHOSU_JOB_IDLE = 0, ETHOSU_JOB_RUNNING, ETHOSU_JOB_DONE };
enum ethosu_job_result { ETHOSU_JOB_RESULT_OK = 0, ETHOSU_JOB_RESULT_TIMEOUT, ETHOSU_JOB_RESULT_ERROR };

/* What a driver works on. Programs may read it between invoke and wait. */
struct ethosu_job {
  volatile enum ethosu_job_state state;
  volatile enum ethosu_job_result result;
  const void *custom_data_ptr;
  int custom_data_size;
  const uint64_t *base_addr;
  const size_t *base_addr_size;
  int num_base_addr;
  void *user_arg;
};

#define ETHOSU_PMU_COUNTERS 8

/* A driver. Programs own the memory; it begins zeroed, and ethosu_init makes it ready. */
struct ethosu_driver {
  struct ethosu_driver *next;
  struct ethosu_job job;
  void *semaphore;
  uint64_t fast_memory;
  size_t fast_memory_size;
  uint32_t power_request_counter;
  bool reserved;
  struct {
    bool enabled;
    uint32_t counters; /* those that count; bit 31 is the cycle counter */
    uint32_t overflows;
    uint64_t cycles;
    uint32_t types[ETHOSU_PMU_COUNTERS];
    uint32_t events[ETHOSU_PMU_COUNTERS];
  } pmu;
};

struct ethosu_driver_version {
  uint8_t major;
  uint8_t minor;
  uint8_t patch;
};

#ifndef ETHOSU_NO_PROTOTYPES

/* Hooks: weak in the library. */

/* Called with all regions of a job before it starts, and after it ended. base_addr_size may be NULL. */
void ethosu_flush_dcache(const uint64_t *base_addr, const size_t *base_addr_size, int num_base_addr);
void ethosu_invalidate_dcache(const uint64_t *base_addr, const size_t *base_addr_size, int num_base_addr);

/* A semaphore begins at 0. take returns 0, or below 0 when the time has passed; the library's own counts milliseconds. */
void *ethosu_semaphore_create(void);
void ethosu_semaphore_destroy(void *sem);
int ethosu_semaphore_take(void *sem, uint64_t timeout);
int ethosu_semaphore_give(void *sem);

/* The library's own locks do not use mutexes; the functions are there for programs that call them. */
void *ethosu_mutex_create(void);
void ethosu_mutex_destroy(void *mutex);
int ethosu_mutex_lock(void *mutex);
int ethosu_mutex_unlock(void *mutex);

void ethosu_inference_begin(struct ethosu_driver *drv, void *user_arg);
void ethosu_inference_end(struct ethosu_driver *drv, void *user_arg);

/* Does nothing: the simulator has no interrupts. */
void ethosu_irq_handler(struct ethosu_driver *drv);

/* Driver. Functions that return int give 0, or below 0 on failure. */

int ethosu_init(struct ethosu_driver *drv, void *const base_address, const void *fast_memory, const size_t fast_memory_size,
                uint32_t secure_enable, uint32_t privilege_enable);
void ethosu_deinit(struct ethosu_driver *drv);
int ethosu_soft_reset(struct ethosu_driver *drv); /* stops the driver's job */
int ethosu_request_power(struct ethosu_driver *drv);
void ethosu_release_power(struct ethosu_driver *drv);
void ethosu_get_driver_version(struct ethosu_driver_version *ver);
/* Of a driver that takes every product: what the last payload was made for, zeros before the first. */
void ethosu_get_hw_info(struct ethosu_driver *drv, struct ethosu_hw_info *hw);

int ethosu_invoke_v3(struct ethosu_driver *drv, const void *custom_data_ptr, const int custom_data_size, uint64_t *const base_addr,
                     const size_t *base_addr_size, const int num_base_addr, void *user_arg);
int ethosu_invoke_async(struct ethosu_driver *drv, const void *custom_data_ptr, const int custom_data_size, uint64_t *const base_addr,
                        const size_t *base_addr_size, const int num_base_addr, void *user_arg);
/* -2: nothing was invoked, -1: the job failed, 0: it is done, 1: it runs (only where block is false). */
int ethosu_wait(struct ethosu_driver *drv, bool block);
int ethosu_invoke_auto(const void *custom_data_ptr, const int custom_data_size, uint64_t *const base_addr, const size_t *base_addr_size,
                       const int num_base_addr, void *user_arg);

/* Reserving waits for a driver to be free. NULL: no driver is of that product. */
struct ethosu_driver *ethosu_reserve_driver(void);
struct ethosu_driver *ethosu_reserve_driver_ex(uint32_t product, uint32_t log2_macs);
void ethosu_release_driver(struct ethosu_driver *drv);
int ethosu_get_product_config_from_cop_data(const void *custom_data_ptr, const int custom_data_size, uint32_t *product_out, uint32_t *log2_macs_out);

/* Not in the core driver. */

/* Makes drv one product, by Vela's name ("ethos-u55-128"); NULL for any again. 0, or -1 for a name that is none. */
int ptero_ethosu_fix(struct ethosu_driver *drv, const char *accelerator);
/* Why the last call of this process failed; valid until the next failure. */
const char *ptero_ethosu_last_error(void);

#define ethosu_invoke(drv, custom_data_ptr, custom_data_size, base_addr, base_addr_size, num_base_addr) \
  ethosu_invoke_v3(drv, custom_data_ptr, custom_data_size, base_addr, base_addr_size, num_base_addr, 0)

static inline int ethosu_invoke_v2(const void *custom_data_ptr, const int custom_data_size, uint64_t *const base_addr,
                                   const size_t *base_addr_size, const int num_base_addr) {
  struct ethosu_driver *drv = ethosu_reserve_driver();
  int result = -1;
  if (drv) {
    result = ethosu_invoke_v3(drv, custom_data_ptr, custom_data_size, base_addr, base_addr_size, num_base_addr, 0);
    ethosu_release_driver(drv);
  }
  return result;
}

#endif /* ETHOSU_NO_PROTOTYPES */

#ifdef __cplusplus
}
#endif

#endif
