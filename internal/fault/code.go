package fault

import (
	"errors"
	"fmt"
)

// Code is ExecuTorch's error number.
//
// Source: pytorch/executorch runtime/core/error.h at cff6f4dd.
type Code uint32

// ExecuTorch's error numbers.
const (
	Ok                              Code = 0x00
	Internal                        Code = 0x01
	InvalidState                    Code = 0x02
	EndOfMethod                     Code = 0x03
	AlreadyLoaded                   Code = 0x04
	NotSupported                    Code = 0x10
	NotImplemented                  Code = 0x11
	InvalidArgument                 Code = 0x12
	InvalidType                     Code = 0x13
	OperatorMissing                 Code = 0x14
	RegistrationExceedingMaxKernels Code = 0x15
	RegistrationAlreadyRegistered   Code = 0x16
	NotFound                        Code = 0x20
	MemoryAllocationFailed          Code = 0x21
	AccessFailed                    Code = 0x22
	InvalidProgram                  Code = 0x23
	InvalidExternalData             Code = 0x24
	OutOfResources                  Code = 0x25
	DelegateInvalidCompatibility    Code = 0x30
	DelegateMemoryAllocationFailed  Code = 0x31
	DelegateInvalidHandle           Code = 0x32
)

// String gives the name that error.h has for the number.
func (c Code) String() string {
	switch c {
	case Ok:
		return "Ok"
	case Internal:
		return "Internal"
	case InvalidState:
		return "InvalidState"
	case EndOfMethod:
		return "EndOfMethod"
	case AlreadyLoaded:
		return "AlreadyLoaded"
	case NotSupported:
		return "NotSupported"
	case NotImplemented:
		return "NotImplemented"
	case InvalidArgument:
		return "InvalidArgument"
	case InvalidType:
		return "InvalidType"
	case OperatorMissing:
		return "OperatorMissing"
	case RegistrationExceedingMaxKernels:
		return "RegistrationExceedingMaxKernels"
	case RegistrationAlreadyRegistered:
		return "RegistrationAlreadyRegistered"
	case NotFound:
		return "NotFound"
	case MemoryAllocationFailed:
		return "MemoryAllocationFailed"
	case AccessFailed:
		return "AccessFailed"
	case InvalidProgram:
		return "InvalidProgram"
	case InvalidExternalData:
		return "InvalidExternalData"
	case OutOfResources:
		return "OutOfResources"
	case DelegateInvalidCompatibility:
		return "DelegateInvalidCompatibility"
	case DelegateMemoryAllocationFailed:
		return "DelegateMemoryAllocationFailed"
	case DelegateInvalidHandle:
		return "DelegateInvalidHandle"
	}
	return fmt.Sprintf("Code(0x%02x)", uint32(c))
}

// CodeOf gives the number of the first *Error inside err that has one: Ok for nil, Internal where there is none.
func CodeOf(err error) Code {
	if err == nil {
		return Ok
	}
	for _, one := range All(err) {
		for e := one; e != nil; e = errors.Unwrap(e) {
			if f, ok := e.(*Error); ok && f.Code != Ok {
				return f.Code
			}
		}
	}
	return Internal
}
