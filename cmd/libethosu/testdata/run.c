/*
 * Runs a command stream through the core driver's C interface and prints the estimated cycles:
 *   run PAYLOAD WEIGHTS SCRATCH FAST_BYTES RESULT
 * SCRATCH holds the scratch memory with the inputs at their places; RESULT is what it holds after the job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ethosu_driver.h"
#include "pmu_ethosu.h"

static int begun, ended, flushed, invalidated;

/* Hooks of the program's own take the place of the library's weak ones. */
void ethosu_inference_begin(struct ethosu_driver *drv, void *user_arg) { begun += drv != NULL && user_arg == &begun; }
void ethosu_inference_end(struct ethosu_driver *drv, void *user_arg) { ended += drv != NULL && user_arg == &begun; }
void ethosu_flush_dcache(const uint64_t *base_addr, const size_t *base_addr_size, int n) { flushed += n == 3 && base_addr[1] && base_addr_size; }
void ethosu_invalidate_dcache(const uint64_t *base_addr, const size_t *base_addr_size, int n) { invalidated += n == 3 && base_addr[1] && base_addr_size; }

static void die(const char *what) {
  const char *why = ptero_ethosu_last_error();
  fprintf(stderr, "%s: %s\n", what, why ? why : "-");
  exit(1);
}

static void *aligned(size_t size) {
  void *p = NULL;
  if (posix_memalign(&p, 16, size ? size : 16)) die("memory");
  memset(p, 0, size);
  return p;
}

static void *load(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) die(path);
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  void *p = aligned(*size);
  if (fread(p, 1, *size, f) != *size) die(path);
  fclose(f);
  return p;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  size_t payload_size, weight_size, scratch_size, fast_size = (size_t)atol(argv[4]);
  void *payload = load(argv[1], &payload_size), *weights = load(argv[2], &weight_size), *inputs = load(argv[3], &scratch_size);
  void *scratch = aligned(scratch_size), *fast = aligned(fast_size);

  uint32_t product, macs;
  if (ethosu_get_product_config_from_cop_data(payload, (int)payload_size, &product, &macs)) die("product");
  static struct ethosu_driver own;
  if (ethosu_init(&own, NULL, NULL, 0, 1, 1)) die("init");
  struct ethosu_driver *drv = ethosu_reserve_driver_ex(product, macs);
  if (drv != &own) die("reserve");

  uint64_t base[3] = {(uintptr_t)weights, (uintptr_t)scratch, (uintptr_t)fast};
  size_t size[3] = {weight_size, scratch_size, fast_size};
  ETHOSU_PMU_Enable(drv);
  ETHOSU_PMU_CNTR_Enable(drv, ETHOSU_PMU_CCNT_Msk | ETHOSU_PMU_CNT1_Msk);
  ETHOSU_PMU_Set_EVTYPER(drv, 0, ETHOSU_PMU_NPU_ACTIVE);
  ETHOSU_PMU_CYCCNT_Reset(drv);
  ETHOSU_PMU_EVCNTR_ALL_Reset(drv);

  if (ethosu_wait(drv, true) != -2) die("wait before any job");
  memcpy(scratch, inputs, scratch_size);
  if (ethosu_invoke_v3(drv, payload, (int)payload_size, base, size, 3, &begun)) die("invoke");
  uint64_t cycles = ETHOSU_PMU_Get_CCNTR(drv);
  if (!cycles || ETHOSU_PMU_Get_EVCNTR(drv, 0) != cycles) die("counters");
  void *once = aligned(scratch_size);
  memcpy(once, scratch, scratch_size);

  /* Again, not waiting, in the same memory. */
  memset(scratch, 0x5a, scratch_size);
  memcpy(scratch, inputs, scratch_size);
  if (ethosu_invoke_async(drv, payload, (int)payload_size, base, size, 3, &begun)) die("invoke_async");
  int st;
  while ((st = ethosu_wait(drv, false)) == 1) continue;
  if (st) die("wait");
  if (memcmp(once, scratch, scratch_size)) die("the second job differs");
  if (begun != 2 || ended != 2 || flushed != 2 || invalidated != 2) die("hooks");

  struct ethosu_hw_info hw;
  ethosu_get_hw_info(drv, &hw);
  if (hw.cfg.macs_per_cc != macs || hw.version.arch_major_rev != (product == ETHOSU_PRODUCT_U85 ? 2u : 1u)) die("hw_info");

  /* What must fail, says why, and leaves the driver usable. */
  size[1] = 16;
  if (ethosu_invoke_v3(drv, payload, (int)payload_size, base, size, 3, NULL) != -1 || !strstr(ptero_ethosu_last_error(), "region 1")) die("short scratch");
  size[1] = scratch_size;
  base[1] += 8;
  if (ethosu_invoke_v3(drv, payload, (int)payload_size, base, size, 3, NULL) != -1 || !strstr(ptero_ethosu_last_error(), "multiple of 16")) die("odd scratch");
  base[1] -= 8;
  if (ethosu_invoke_v3(drv, payload, 8, base, size, 3, NULL) != -1) die("cut payload");
  if (ethosu_wait(drv, false) != -2) die("wait after a refused job");
  if (ptero_ethosu_fix(drv, product == ETHOSU_PRODUCT_U85 ? "ethos-u55-128" : "ethos-u85-256")) die("fix");
  if (ethosu_invoke_v3(drv, payload, (int)payload_size, base, size, 3, NULL) != -1 || !strstr(ptero_ethosu_last_error(), "want a payload for")) die("another product");
  if (ethosu_reserve_driver_ex(product, macs)) die("reserve another product");
  ptero_ethosu_fix(drv, NULL);
  if (ethosu_soft_reset(drv)) die("reset");
  memcpy(scratch, inputs, scratch_size);
  if (ethosu_invoke_v3(drv, payload, (int)payload_size, base, NULL, 3, NULL)) die("invoke without sizes");
  if (memcmp(once, scratch, scratch_size)) die("the last job differs");
  ethosu_release_driver(drv);
  ethosu_deinit(drv);

  FILE *f = fopen(argv[5], "wb");
  if (!f || fwrite(scratch, 1, scratch_size, f) != scratch_size || fclose(f)) die(argv[5]);
  printf("%llu\n", (unsigned long long)cycles);
  return 0;
}
