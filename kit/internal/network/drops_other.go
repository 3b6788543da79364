//go:build !linux

package network

import "net"

func widen(conn *net.UDPConn, bytes int) { _ = conn.SetReadBuffer(bytes) }

func socketDrops(int) int64 { return -1 }
