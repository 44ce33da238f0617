/*
 * Performance counters of a driver, with the names of Arm's ethos-u-core-driver 1.0.
 *
 * The simulator estimates: the cycle counter and the events ETHOSU_PMU_CYCLE and ETHOSU_PMU_NPU_ACTIVE advance by the
 * estimated cycles of each job; other events stay 0. Nothing counts before ETHOSU_PMU_Enable and ETHOSU_PMU_CNTR_Enable.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PMU_ETHOSU_H
#define PMU_ETHOSU_H

#include <stdint.h>

#include "ethosu_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ETHOSU_PMU_NCOUNTERS ETHOSU_PMU_COUNTERS
#define ETHOSU_PMU_CNT1_Msk (1UL << 0)
#define ETHOSU_PMU_CNT2_Msk (1UL << 1)
#define ETHOSU_PMU_CNT3_Msk (1UL << 2)
#define ETHOSU_PMU_CNT4_Msk (1UL << 3)
#define ETHOSU_PMU_CCNT_Msk (1UL << 31)

enum ethosu_pmu_event_type { ETHOSU_PMU_NO_EVENT = 0, ETHOSU_PMU_CYCLE = 1, ETHOSU_PMU_NPU_IDLE = 2, ETHOSU_PMU_NPU_ACTIVE = 3 };

void ETHOSU_PMU_Enable(struct ethosu_driver *drv);
void ETHOSU_PMU_Disable(struct ethosu_driver *drv);
uint32_t ETHOSU_PMU_Get_NumEventCounters(void);
void ETHOSU_PMU_Set_EVTYPER(struct ethosu_driver *drv, uint32_t num, enum ethosu_pmu_event_type type);
enum ethosu_pmu_event_type ETHOSU_PMU_Get_EVTYPER(struct ethosu_driver *drv, uint32_t num);
void ETHOSU_PMU_CYCCNT_Reset(struct ethosu_driver *drv);
void ETHOSU_PMU_EVCNTR_ALL_Reset(struct ethosu_driver *drv);
void ETHOSU_PMU_CNTR_Enable(struct ethosu_driver *drv, uint32_t mask);
void ETHOSU_PMU_CNTR_Disable(struct ethosu_driver *drv, uint32_t mask);
uint32_t ETHOSU_PMU_CNTR_Status(struct ethosu_driver *drv);
uint64_t ETHOSU_PMU_Get_CCNTR(struct ethosu_driver *drv);
void ETHOSU_PMU_Set_CCNTR(struct ethosu_driver *drv, uint64_t val);
uint32_t ETHOSU_PMU_Get_EVCNTR(struct ethosu_driver *drv, uint32_t num);
void ETHOSU_PMU_Set_EVCNTR(struct ethosu_driver *drv, uint32_t num, uint32_t val);
uint32_t ETHOSU_PMU_Get_CNTR_OVS(struct ethosu_driver *drv);
void ETHOSU_PMU_Set_CNTR_OVS(struct ethosu_driver *drv, uint32_t mask);

#ifdef __cplusplus
}
#endif

#endif
