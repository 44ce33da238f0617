/*
 * Neutron error numbers, as ptero's simulator reports them.
 *
 * Names and bit layout are those of NXP's NeutronErrors.h, so that code
 * written for the driver compiles against this header unchanged.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NEUTRON_ERRORS_H
#define NEUTRON_ERRORS_H

#include <stdint.h>

/* 0 is success; else bits 0-2 component, 3-7 category, 8-30 code. */
typedef int32_t NeutronError;

#define ENONE 0

#define GEN_NEUTRON_ERROR(component, category, code) \
  ((NeutronError)(((component) & 0x7) | (((category) & 0x1F) << 3) | (((code) & 0x7FFFFF) << 8)))
#define GET_ERROR_COMPONENT(e) ((e) & 0x7)
#define GET_ERROR_CATEGORY(e) (((e) >> 3) & 0x1F)
#define GET_ERROR_CODE(e) (((e) >> 8) & 0x7FFFFF)

typedef enum ERROR_COMPONENT_ID {
  ERROR_COMPONENT_LIBRARY = 1,
  ERROR_COMPONENT_FIRMWARE = 2,
  ERROR_COMPONENT_DRIVER = 3
} ERROR_COMPONENT_ID;

#ifndef NEUTRON_NO_PROTOTYPES
#ifdef __cplusplus
extern "C" {
#endif
/* Words for the component and the category. The strings live for ever. */
char *getNeutronErrorComponent(NeutronError error);
char *getNeutronErrorCategory(NeutronError error);
#ifdef __cplusplus
}
#endif
#endif

#endif
