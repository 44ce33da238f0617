// Package board holds board profiles: what memory a board has, who sees it, and what lies where by convention. A profile is
// a JSON file; the ones in boards/ are built in, users write others in the same form.
//
//	{"name": "corstone-300",
//	 "about": "…",                                        one line for lists
//	 "cpu": {"core": "cortex-m55", "line": 32},           data cache line in bytes
//	 "devices": [{"name": "npu0", "kind": "ethos-u55", "clock_hz": 500e6, "system_config": "…", "source": "…"}],
//	 "regions": [                                         pools, nearest first
//	   {"name": "SRAM", "base": "0x31000000", "size": "2M", "class": "sram",   tcm, sram, dram or flash
//	    "line": 32,                                       where it differs from the CPU's
//	    "align": 4096,                                    guaranteed alignment of base; 4096 unless given
//	    "cpu": {"cacheable": true, "write": true},        write: false makes it read-only
//	    "coherent": false, "retained": false,
//	    "visible": [{"dev": "npu0", "base": "0x31000000", "limit": "2M"}],      no entry: the device does not see it
//	    "perf": {"bw": 4e9, "write_bw": 4e9, "rlat": 32, "wlat": 32, "burst": 32, "outstanding": 8,
//	             "read_pj": 18.5, "write_pj": 16},        bytes/s; latency in cycles of the first device's clock
//	    "reserve": [{"off": 0, "size": "64K", "why": "firmware .data"}],
//	    "source": "where these facts are from"}],
//	 "arenas": {"1": "DDR", "3": "SRAM"},                 mem_id, as in the program, to region
//	 "default_arena": "DDR",                              for other mem_ids; without it they are an error
//	 "temp": "SRAM", "constants": "DDR",
//	 "fast_scratch": {"pool": "SRAM", "size": "384K"},
//	 "source": "where the conventions are from"}
//
// Sizes and addresses are numbers, or text in decimal or 0x form with K, M or G (1024, 1024², 1024³) behind. Every problem of
// a file is reported, each with the key it is about.
package board
