/*
 * A libNeutronDriver.so that forwards every call to a child process, the
 * program named in NEUTRON_SERVER. It lets a Go program open a driver whose
 * implementation is in Go as well, without two Go runtimes in one process.
 *
 * NEUTRON_SHIM_HANG=N makes the first run sleep N seconds; NEUTRON_SHIM_FAULT=N
 * makes the second return N.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "NeutronDriver.h"

static int to, from;
static const uint32_t *microcode;
static const void *weights;
static const NeutronConfig *config;
static int runs;

static void put(const void *p, size_t n) {
  for (const char *c = p; n;) {
    ssize_t k = write(to, c, n);
    if (k <= 0) abort();
    c += k, n -= (size_t)k;
  }
}
static void get(void *p, size_t n) {
  for (char *c = p; n;) {
    ssize_t k = read(from, c, n);
    if (k <= 0) abort();
    c += k, n -= (size_t)k;
  }
}
static void number(uint64_t v) { put(&v, sizeof v); }
static void bytes(const void *p, uint64_t n) {
  number(n);
  put(p, n);
}
static void call(uint32_t c) { put(&c, sizeof c); }
static NeutronError result(void) {
  NeutronError e;
  get(&e, sizeof e);
  return e;
}

NeutronError neutronInit(void) {
  int a[2], b[2];
  if (pipe(a) || pipe(b)) return GEN_NEUTRON_DRIVER_ERROR(0, __LINE__);
  if (fork() == 0) {
    dup2(a[0], 0), dup2(b[1], 1);
    close(a[1]), close(b[0]);
    const char *path = getenv("NEUTRON_SERVER");
    execl(path, path, (char *)NULL);
    _exit(127);
  }
  close(a[0]), close(b[1]);
  to = a[1], from = b[0];
  call(0);
  return result();
}

NeutronError neutronDeinit(void) {
  call(1);
  NeutronError e = result();
  close(to), close(from);
  return e;
}

NeutronError neutronModelPrepare(const NeutronModelConfig *config, NeutronModelHandle *handle) {
  if ((uintptr_t)config->microcode % 16 || (uintptr_t)config->weights % 16) return GEN_NEUTRON_DRIVER_ERROR(3, __LINE__);
  microcode = config->microcode;
  weights = config->weights;
  call(2);
  number(config->timeoutSeconds);
  bytes(microcode, microcode[6]);
  bytes(config->weights, microcode[7]);
  *handle = &microcode;
  return result();
}

NeutronError neutronSetConfig(NeutronConfig *callbacks) {
  config = callbacks;
  return ENONE;
}

NeutronError neutronModelUnprepare(NeutronModelHandle handle) {
  (void)handle;
  call(3);
  return result();
}

NeutronError neutronRunBlocking(NeutronModelHandle handle, const NeutronDataConfig *data) {
  if (handle != &microcode) return GEN_NEUTRON_DRIVER_ERROR(4, __LINE__);
  const char *hang = getenv("NEUTRON_SHIM_HANG"), *fault = getenv("NEUTRON_SHIM_FAULT");
  runs++;
  if (hang && runs == 1) sleep((unsigned)atoi(hang));
  if (fault && runs == 2) return atoi(fault);
  int first = microcode[11] && microcode[12] ? 11 : 13; /* of the two header layouts */
  uint32_t ins = microcode[first], outs = microcode[first + 1];
  const uint32_t *sizes = microcode + microcode[6] / 4 - ins - outs;
  if (config && data->scratchWeights) { /* as hardware that fetches its weights */
    config->copy(data->scratchWeights, (void *)weights, 64, 3);
    config->wait(3);
  }
  call(4);
  number(ins);
  number(outs);
  for (uint32_t i = 0; i < ins; i++) bytes(data->inputs[i], sizes[i]);
  for (uint32_t i = 0; i < outs; i++) number(sizes[ins + i]);
  NeutronError e = result();
  for (uint32_t i = 0; i < outs; i++) get(data->outputs[i], sizes[ins + i]);
  return e;
}
