/*
 * The Neutron driver's C interface, implemented by ptero's simulator.
 *
 * Link libneutron.a or libneutron.so in place of NXP's driver, and code written
 * for it, ExecuTorch's NeutronBackend included, runs on a host without an NPU.
 * Names, types and values are those of NXP's NeutronDriver.h.
 *
 * What the simulator does with each part:
 *  - inputs and outputs have the sizes that the microcode states.
 *  - behind the last output the driver expects three more pointers: scratch,
 *    profile and debug memory. Scratch may be NULL: the simulator then brings
 *    its own. Profile and debug memory are not written.
 *  - the field scratch of NeutronDataConfig is not read; scratchWeights may be NULL.
 *  - microcode that the simulator does not know fails in neutronModelPrepare
 *    with category 2 (wrong microcode) of component 3 (driver); the reason is
 *    in ptero_neutron_last_error().
 *  - calls of Neutron-S extras return "unsupported".
 * All functions may be called by several threads at once, but one model runs
 * one job at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NEUTRON_DRIVER_H
#define NEUTRON_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "NeutronErrors.h"

/* Bits of NeutronTraceConfig.traceConfig. */
#define TRACE_CONFIG_KERNEL_LEVEL (1U << 0)
#define TRACE_CONFIG_JOB_LEVEL (1U << 1)

#ifndef NO_HEAP_USAGE
#define NO_HEAP_USAGE 0
#endif

#define GEN_NEUTRON_DRIVER_ERROR(category, code) GEN_NEUTRON_ERROR(ERROR_COMPONENT_DRIVER, category, code)

typedef void *NeutronModelHandle;
#define NEUTRON_INVALID_HANDLE NULL

/* A model: three buffers aligned to 16 bytes, which must stay until neutronModelUnprepare. */
typedef struct {
  const void *microcode;
  const void *weights;
  const void *kernels;
  uint32_t timeoutSeconds; /* of a run; 0 means 60 */
} NeutronModelConfig;

/* The memory of one run. */
typedef struct {
  const void **inputs;
  void **outputs; /* the outputs, then scratch, profile and debug memory */
  void *scratch;
  void *scratchWeights; /* SRAM that weights are fetched to */
} NeutronDataConfig;

typedef struct {
  uint32_t traceConfig;
  char *traceBuffer;
  size_t traceBufferSize;
} NeutronTraceConfig;

/* Drivers differ in whether the source of a copy is const; define this as void for code written for older ones. */
#ifndef NEUTRON_COPY_SOURCE
#define NEUTRON_COPY_SOURCE const void
#endif

/* Callbacks that copy weights to SRAM: start a copy on a channel, wait for it. */
typedef struct {
  void (*copy)(void *dst, NEUTRON_COPY_SOURCE *src, uint32_t size, uint32_t channel);
  void (*wait)(uint32_t channel);
} NeutronConfig;

typedef struct {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
  const char *hashString;
  uint32_t hashUint32;
} NeutronSdkVersion;

#ifndef NEUTRON_NO_PROTOTYPES
#ifdef __cplusplus
extern "C" {
#endif

/* Once per process, before and after everything else. neutronDeinit fails while models are prepared. */
NeutronError neutronInit(void);
NeutronError neutronDeinit(void);

/* Loads a model. *handle NULL: the handle is allocated; else it points to neutronGetModelContextSize() bytes of the caller's. */
NeutronError neutronModelPrepare(const NeutronModelConfig *config, NeutronModelHandle *handle);
NeutronError neutronModelUnprepare(NeutronModelHandle handle);
size_t neutronGetModelContextSize(void);

/* Runs a job to its end. */
NeutronError neutronRunBlocking(NeutronModelHandle handle, const NeutronDataConfig *data);

/* Checks the pointers of a job; the simulator binds nothing. */
NeutronError neutronDataSetup(NeutronModelHandle handle, NeutronDataConfig *data);

/* Have weights copied through these callbacks. The struct is copied. */
NeutronError neutronSetConfig(NeutronConfig *config);

/* The simulator has no clock to stop; both succeed. */
NeutronError neutronSuspend(void);
NeutronError neutronResume(void);

/* Unsupported here, as on microcontrollers. */
NeutronError neutronRunNonBlocking(NeutronModelHandle handle, const NeutronDataConfig *data);
NeutronError neutronWait(NeutronModelHandle handle, const NeutronDataConfig *data);
NeutronError neutronIsReady(NeutronModelHandle handle, bool *ready);
NeutronError neutronCustomPrepare(uint32_t *inputSizes, int32_t inputs, uint32_t *outputSizes, int32_t outputs, const void *firmware,
                                  size_t firmwareSize, NeutronModelHandle *handle);
NeutronError neutronCustomExec(NeutronModelHandle handle, const NeutronDataConfig *data);
NeutronError allocateBuffer(uint64_t size, void **buffer, bool userspace);
NeutronError releaseBuffer(void *buffer);
NeutronError matmul(const void *info, int infoSize, const void *in, int inSize, const void *out, int outSize, int slot);
void neutronSetTrace(NeutronModelHandle handle, NeutronTraceConfig *config);
NeutronError neutronGetTrace(NeutronModelHandle handle, char **buffer, size_t *size);

/* Host memory is coherent with the simulator; succeeds. */
NeutronError clean_cache(const void *address, int size);

/* Plain host memory; alignment 0 means 16. */
void *neutronMemAlloc(size_t alignment, size_t size);
void neutronMemFree(void *memory);

NeutronSdkVersion neutronGetSdkVersion(void);

/* Of ptero alone: why the last call failed, in words, or "". Valid until the next failing call. */
const char *ptero_neutron_last_error(void);

#ifdef __cplusplus
}
#endif
#endif

#endif
