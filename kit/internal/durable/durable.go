// Package durable starts a run that outlives whoever started it, and finds and ends it again.
package durable

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Files in the folder of a run.
const (
	// OutName is appended to only; readers keep a byte offset.
	OutName    = "out.ndjson"
	errName    = "err.log"
	pidName    = "pid.json"
	stopName   = "stop"
	startLimit = 10 * time.Second
	endLimit   = 10 * time.Second
)

// Identity is a process: a number alone is given away again soon.
type Identity struct {
	Pid int `json:"pid"`
	// In the system's own unit, only to be compared.
	Started uint64 `json:"started"`
}

// Status is how a run stands.
type Status struct {
	// running, ended, or none.
	State string `json:"state"`
	Pid   int    `json:"pid,omitempty"`
	Bytes int64  `json:"bytes"`
}

// Start runs this program again with the arguments, apart from this process; where the folder's run
// goes on already, that one is meant. It returns when the run has said who it is.
func Start(dir string, args []string) (Status, error) {
	if status := StatusOf(dir); status.State != "none" {
		return status, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Status{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return Status{}, err
	}
	// It opens its files itself: an inherited handle would keep the starter's session open.
	child := exec.Command(self, args...)
	child.SysProcAttr = apart()
	if err := child.Start(); err != nil {
		return Status{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	until := time.Now().Add(startLimit)
	for time.Now().Before(until) {
		if status := StatusOf(dir); status.State != "none" {
			return status, nil
		}
		select {
		case err := <-ended:
			if status := StatusOf(dir); status.State != "none" {
				return status, nil
			}
			text, _ := os.ReadFile(filepath.Join(dir, errName))
			return Status{}, fmt.Errorf("it ended at its start (%v): %s", err, text)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return Status{}, fmt.Errorf("it did not start within %v", startLimit)
}

// Enter is what the started process does first: it takes the folder and opens its output.
func Enter(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if diagnostics, err := os.OpenFile(filepath.Join(dir, errName), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err == nil {
		os.Stderr = diagnostics
	}
	started, err := startOf(os.Getpid())
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(Identity{Pid: os.Getpid(), Started: started})
	if err != nil {
		return nil, err
	}
	// Exclusive: of two that start at once, one goes on.
	out, err := os.OpenFile(filepath.Join(dir, OutName), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	partial := filepath.Join(dir, pidName+".new")
	if err := os.WriteFile(partial, text, 0o600); err != nil {
		return nil, err
	}
	return out, os.Rename(partial, filepath.Join(dir, pidName))
}

// Watch calls end once when somebody asks the run in this folder to stop.
func Watch(dir string, end func()) {
	go func() {
		for {
			time.Sleep(250 * time.Millisecond)
			if _, err := os.Stat(filepath.Join(dir, stopName)); err == nil {
				end()
				return
			}
		}
	}()
}

func identityOf(dir string) (Identity, bool) {
	var id Identity
	text, err := os.ReadFile(filepath.Join(dir, pidName))
	if err != nil || json.Unmarshal(text, &id) != nil {
		return id, false
	}
	return id, true
}

func alive(id Identity) bool {
	started, err := startOf(id.Pid)
	return err == nil && started == id.Started
}

// StatusOf tells how the run in this folder stands.
func StatusOf(dir string) Status {
	id, found := identityOf(dir)
	if !found {
		return Status{State: "none"}
	}
	status := Status{State: "ended", Pid: id.Pid}
	if alive(id) {
		status.State = "running"
	}
	if info, err := os.Stat(filepath.Join(dir, OutName)); err == nil {
		status.Bytes = info.Size()
	}
	return status
}

// Stop asks the run to end, and ends it where it does not. Fine when it has ended already.
func Stop(dir string) (Status, error) {
	id, found := identityOf(dir)
	if !found {
		return Status{State: "none"}, nil
	}
	if err := os.WriteFile(filepath.Join(dir, stopName), nil, 0o600); err != nil {
		return Status{}, err
	}
	for until := time.Now().Add(endLimit); alive(id) && time.Now().Before(until); {
		time.Sleep(50 * time.Millisecond)
	}
	if alive(id) {
		process, err := os.FindProcess(id.Pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			return Status{}, err
		}
		for until := time.Now().Add(endLimit); alive(id) && time.Now().Before(until); {
			time.Sleep(50 * time.Millisecond)
		}
	}
	return StatusOf(dir), nil
}
