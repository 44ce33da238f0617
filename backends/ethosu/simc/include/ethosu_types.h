/*
 * What a driver tells of its NPU, with the names and fields of Arm's ethos-u-core-driver 1.0.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ETHOSU_TYPES_H
#define ETHOSU_TYPES_H

#include <stdint.h>

/* Products as ethosu_reserve_driver_ex takes them: the product field of the CONFIG register. */
#define ETHOSU_PRODUCT_U55 (0)
#define ETHOSU_PRODUCT_U65 (1)
#define ETHOSU_PRODUCT_U85 (2)

/* The fields of the ID register. */
struct ethosu_id {
  uint32_t version_status;
  uint32_t version_minor;
  uint32_t version_major;
  uint32_t product_major;
  uint32_t arch_patch_rev;
  uint32_t arch_minor_rev;
  uint32_t arch_major_rev;
};

/* The fields of the CONFIG register. */
struct ethosu_config {
  uint32_t macs_per_cc; /* log2 */
  uint32_t cmd_stream_version;
  uint32_t custom_dma;
};

struct ethosu_hw_info {
  struct ethosu_id version;
  struct ethosu_config cfg;
};

#endif
