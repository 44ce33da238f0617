// Package linux is a board of memory that the Linux kernel lends: buffers of a DMA heap, and physical windows.
//
//	pool ◀── Heap      /dev/dma_heap/NAME: one buffer, shared with a device by its file descriptor; cached, synced by ioctl
//	     ◀── Physical  /dev/mem (or a UIO device): the bus addresses themselves, mapped uncached
//
// Which pool comes from where is the caller's choice; sizes, views and conventions are the profile's. The NPU drivers of
// the kernel are not here but with their backends: they import a pool by its file descriptor.
//
// Sources: include/uapi/linux/dma-heap.h, include/uapi/linux/dma-buf.h, drivers/dma-buf/heaps/{system,cma}_heap.c of Linux 6.12.
package linux
