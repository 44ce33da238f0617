/*
 * Runs a Neutron model through the driver's C interface:
 *   run MICROCODE WEIGHTS INPUTS OUTPUTS INPUT_BYTES OUTPUT_BYTES SCRATCH_BYTES
 * INPUTS holds any number of inputs one behind the other; OUTPUTS is written likewise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "NeutronDriver.h"

extern const char *ptero_neutron_last_error(void);

static void check(const char *call, NeutronError e) {
  if (e == ENONE) return;
  fprintf(stderr, "%s: error %d: %s, %s: %s\n", call, (int)e, getNeutronErrorComponent(e), getNeutronErrorCategory(e), ptero_neutron_last_error());
  exit(1);
}

static void expect(const char *call, NeutronError e, int category) {
  if (GET_ERROR_COMPONENT(e) == ERROR_COMPONENT_DRIVER && GET_ERROR_CATEGORY(e) == category) return;
  fprintf(stderr, "%s: want driver category %d, found error %d\n", call, category, (int)e);
  exit(1);
}

static void *aligned(size_t size) { return neutronMemAlloc(0, size ? size : 1); }

static void *load(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    perror(path);
    exit(1);
  }
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  void *p = aligned(*size);
  if (fread(p, 1, *size, f) != *size) exit(1);
  fclose(f);
  return p;
}

static unsigned copies, waits;
static void copy(void *dst, const void *src, uint32_t size, uint32_t channel) {
  (void)channel;
  memcpy(dst, src, size);
  copies++;
}
static void wait_for(uint32_t channel) {
  (void)channel;
  waits++;
}

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  size_t n, all, in = strtoul(argv[5], 0, 10), out = strtoul(argv[6], 0, 10);
  NeutronModelConfig model = {load(argv[1], &n), load(argv[2], &n), NULL, 60};
  char *inputs = load(argv[3], &all);
  NeutronModelHandle handle = NULL;
  NeutronConfig callbacks = {copy, wait_for};

  expect("prepare before init", neutronModelPrepare(&model, &handle), 0);
  check("neutronInit", neutronInit());
  check("neutronSetConfig", neutronSetConfig(&callbacks));
  check("neutronModelPrepare", neutronModelPrepare(&model, &handle));
  expect("neutronDeinit with a model", neutronDeinit(), 4);

  void *scratch = aligned(strtoul(argv[7], 0, 10)), *output = aligned(out), *input = aligned(in);
  const void *ins[] = {input};
  void *outs[] = {output, scratch, NULL, NULL};
  NeutronDataConfig data;
  memset(&data, 0xA5, sizeof data); /* callers leave the rest unset */
  data.inputs = ins;
  data.outputs = outs;
  FILE *f = fopen(argv[4], "wb");
  for (size_t at = 0; at < all; at += in) {
    memcpy(input, inputs + at, in);
    outs[1] = at ? NULL : scratch; /* the simulator's own scratch gives the same */
    check("neutronRunBlocking", neutronRunBlocking(handle, &data));
    fwrite(output, 1, out, f);
  }
  fclose(f);

  ins[0] = NULL;
  expect("a missing input", neutronRunBlocking(handle, &data), 3);
  expect("a stray handle", neutronRunBlocking(&data, &data), 4);
  expect("another wait", neutronWait(handle, &data), 1);
  check("neutronModelUnprepare", neutronModelUnprepare(handle));
  expect("a released handle", neutronModelUnprepare(handle), 4);

  /* A context of the caller's, as in builds without a heap. */
  void *context = aligned(neutronGetModelContextSize());
  handle = context;
  check("neutronModelPrepare in place", neutronModelPrepare(&model, &handle));
  if (handle != context) return 3;
  check("neutronModelUnprepare in place", neutronModelUnprepare(handle));

  memset((void *)model.microcode, 0, 4);
  handle = NULL;
  expect("damaged microcode", neutronModelPrepare(&model, &handle), 2);
  check("neutronDeinit", neutronDeinit());
  return 0;
}
