//go:build !unix

package bolt

import "os"

// unlock lets go of the lock that bbolt has on a file: here closing it does.
func unlock(*os.File) {}
