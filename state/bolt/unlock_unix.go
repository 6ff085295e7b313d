//go:build unix

package bolt

import (
	"os"

	"golang.org/x/sys/unix"
)

// unlock lets go of the lock that bbolt has on a file. A file that is closed has none.
func unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
}
