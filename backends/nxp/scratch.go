package nxp

import (
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// Device is the kind of device that pools name for Neutron.
const Device = "neutron"

// role is one kind of scratch memory.
type role uint8

const (
	roleScratch role = iota
	roleProfile
	roleDebug
	roleSRAM
	roles
)

// roleNames is also the canonical order of trailing scratch arguments.
var roleNames = [roles]string{"scratch", "profile", "debug", "sram_scratch"}

// combinedRole is one block that holds all roles, each rounded up to Alignment, in canonical order.
const combinedRole = "combined"

// need is the number of bytes of each role.
type need [roles]uint64

func (m *Microcode) need() need {
	return need{uint64(m.ScratchBytes), uint64(m.ProfileBytes), uint64(m.DebugBytes), uint64(m.SRAMScratchBytes)}
}

// nonzero lists the roles that take bytes, in canonical order.
func (n *need) nonzero() []role {
	var list []role
	for r, bytes := range n {
		if bytes > 0 {
			list = append(list, role(r))
		}
	}
	return list
}

func (n *need) combined() (bytes uint64) {
	for _, b := range n {
		bytes += align(b)
	}
	return bytes
}

func align(n uint64) uint64 { return (n + Alignment - 1) &^ (Alignment - 1) }

func (r role) class() hal.Class {
	if r == roleSRAM {
		return hal.SRAM
	}
	return hal.AnyClass
}

func (n *need) argument(r role) executor.Scratch {
	return executor.Scratch{Role: roleNames[r], Size: n[r], Align: Alignment, Class: r.class(), Device: Device}
}

// forms lists the trailing scratch arguments a call may have: none (the memory
// comes from the temp arena), every role in order, or one block for all. form
// gives the roles of each; nil is the combined block.
func (n *need) forms(order []role, combined bool) (forms [][]executor.Scratch, rolesOf [][]role) {
	forms, rolesOf = [][]executor.Scratch{nil}, [][]role{{}}
	if len(order) > 0 {
		var list []executor.Scratch
		for _, r := range order {
			list = append(list, n.argument(r))
		}
		forms, rolesOf = append(forms, list), append(rolesOf, order)
	}
	if combined && len(order) != 1 && len(n.nonzero()) > 1 {
		class := hal.AnyClass
		if n[roleSRAM] > 0 {
			class = hal.SRAM
		}
		block := executor.Scratch{Role: combinedRole, Size: n.combined(), Align: Alignment, Class: class, Device: Device}
		forms, rolesOf = append(forms, []executor.Scratch{block}), append(rolesOf, nil)
	}
	return forms, rolesOf
}

// temp states the needs of a call whose roles in planned are arguments.
func (n *need) temp(planned []role) (needs []memory.Need) {
	for _, r := range n.nonzero() {
		if !contains(planned, r) {
			needs = append(needs, memory.Need{Role: roleNames[r], Place: memory.Temp, Bytes: n[r], Align: Alignment, Class: r.class(), Device: Device})
		}
	}
	return needs
}

func contains(list []role, r role) bool {
	for _, one := range list {
		if one == r {
			return true
		}
	}
	return false
}

// parseRoles reads the compile spec "scratch_roles": role names separated by
// commas, in the order of the trailing arguments; or "combined".
func parseRoles(text string) (order []role, combined bool, err error) {
	bad := func(want, found string) error {
		return &fault.Error{Path: "compile spec scratch_roles", Rule: "scratch_roles", Want: want, Found: found, Code: fault.InvalidProgram, Err: ErrFormat}
	}
	text = strings.TrimRight(text, "\x00")
	if strings.TrimSpace(text) == combinedRole {
		return nil, true, nil
	}
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimSpace(name)
		r := roles
		for i, known := range roleNames {
			if name == known || name == "sram" && role(i) == roleSRAM {
				r = role(i)
			}
		}
		if r == roles {
			return nil, false, bad("roles of "+strings.Join(roleNames[:], ", ")+", or combined", fmt.Sprintf("%q", name))
		}
		if contains(order, r) {
			return nil, false, bad("each role once", fmt.Sprintf("%q again", name))
		}
		order = append(order, r)
	}
	return order, false, nil
}
