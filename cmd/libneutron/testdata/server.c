/*
 * The Neutron driver in a process of its own: reads calls from standard input
 * and writes results to standard output, for shim.c.
 *
 * A call is one u32 and its arguments; sizes are u64, both in host order.
 */
#include <stdio.h>
#include <stdlib.h>

#include "NeutronDriver.h"

static void in(void *p, size_t n) {
  if (n && fread(p, 1, n, stdin) != n) exit(0);
}
static void out(const void *p, size_t n) {
  if (n) fwrite(p, 1, n, stdout);
}
static uint64_t number(void) {
  uint64_t v;
  in(&v, sizeof v);
  return v;
}
static void *bytes(uint64_t *n) {
  *n = number();
  void *p = neutronMemAlloc(0, *n ? *n : 1);
  in(p, *n);
  return p;
}
static void result(NeutronError e) { out(&e, sizeof e); }

enum { MAX = 16 };

int main(void) {
  NeutronModelConfig model = {0};
  NeutronModelHandle handle = NULL;
  for (;;) {
    uint32_t call;
    in(&call, sizeof call);
    uint64_t n;
    switch (call) {
    case 0: result(neutronInit()); break;
    case 1: result(neutronDeinit()); break;
    case 2:
      model.timeoutSeconds = (uint32_t)number();
      model.microcode = bytes(&n);
      model.weights = bytes(&n);
      handle = NULL;
      result(neutronModelPrepare(&model, &handle));
      break;
    case 3: result(neutronModelUnprepare(handle)); break;
    case 4: {
      const void *inputs[MAX];
      void *outputs[MAX + 3] = {0};
      uint64_t sizes[MAX];
      uint64_t ins = number(), outs = number();
      for (uint64_t i = 0; i < ins; i++) inputs[i] = bytes(&n);
      for (uint64_t i = 0; i < outs; i++) outputs[i] = neutronMemAlloc(0, sizes[i] = number());
      NeutronDataConfig data = {inputs, outputs, NULL, NULL};
      result(neutronRunBlocking(handle, &data));
      for (uint64_t i = 0; i < outs; i++) out(outputs[i], sizes[i]);
      for (uint64_t i = 0; i < ins; i++) neutronMemFree((void *)inputs[i]);
      for (uint64_t i = 0; i < outs; i++) neutronMemFree(outputs[i]);
      break;
    }
    default: return 1;
    }
    fflush(stdout);
  }
}
