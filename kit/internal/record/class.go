package record

import (
	"errors"
	"net"
	"os"
	"strings"
)

// NetClass of a failure that no server answered: connect, timeout or reset.
func NetClass(err error) string {
	var netErr net.Error
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return "timeout"
	case strings.Contains(err.Error(), "connect:"), strings.Contains(err.Error(), "dial "):
		return "connect"
	}
	return "reset"
}
