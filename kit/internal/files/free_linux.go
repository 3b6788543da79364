package files

import "syscall"

// freeBytes of a folder's file system; below zero = unknown.
func freeBytes(folder string) int64 {
	var about syscall.Statfs_t
	if err := syscall.Statfs(folder, &about); err != nil {
		return -1
	}
	return int64(about.Bavail) * about.Bsize
}
