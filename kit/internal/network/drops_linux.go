package network

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Only root may ask for more than the system's bound; else that bound holds.
const forceReceiveBuffer = 33

func widen(conn *net.UDPConn, bytes int) {
	_ = conn.SetReadBuffer(bytes)
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, forceReceiveBuffer, bytes)
	})
}

// socketDrops are the datagrams that the kernel dropped because the sockets of this port were full.
func socketDrops(port int) int64 {
	sum, found := int64(0), false
	for _, path := range []string{"/proc/net/udp", "/proc/net/udp6"} {
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		ending := fmt.Sprintf(":%04X", port)
		for lines := bufio.NewScanner(file); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) > 12 && strings.HasSuffix(fields[1], ending) {
				if n, err := strconv.ParseInt(fields[len(fields)-1], 10, 64); err == nil {
					sum, found = sum+n, true
				}
			}
		}
		_ = file.Close()
	}
	if !found {
		return -1
	}
	return sum
}
