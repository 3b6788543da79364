package durable

import "syscall"

// Not yet run on Windows. sshd puts what it starts into a job object that ends with the session;
// leaving it is allowed since 2018 (https://github.com/PowerShell/openssh-portable/pull/267).
const (
	breakawayFromJob = 0x01000000
	detachedProcess  = 0x00000008
	newProcessGroup  = 0x00000200
	queryLimited     = 0x00001000
)

func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		CreationFlags:    breakawayFromJob | detachedProcess | newProcessGroup,
		HideWindow:       true,
		NoInheritHandles: true,
	}
}

// startOf is when a process started, in units of 100 ns.
func startOf(pid int) (uint64, error) {
	process, err := syscall.OpenProcess(queryLimited, false, uint32(pid))
	if err != nil {
		return 0, err
	}
	defer syscall.CloseHandle(process)
	var code uint32
	if err := syscall.GetExitCodeProcess(process, &code); err != nil {
		return 0, err
	}
	const stillActive = 259
	if code != stillActive {
		return 0, syscall.ESRCH
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil {
		return 0, err
	}
	return uint64(created.HighDateTime)<<32 | uint64(created.LowDateTime), nil
}
