package main

import (
	"sync"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// hostClock is the HostDateTimeSystem that the simulator lacks: a host's own clock, which can be set wrong.
type hostClock struct {
	mo.HostDateTimeSystem
	mu     sync.Mutex
	offset time.Duration
}

func (h *hostClock) QueryDateTime(_ *types.QueryDateTime) soap.HasFault {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &methods.QueryDateTimeBody{Res: &types.QueryDateTimeResponse{Returnval: time.Now().Add(h.offset)}}
}

// giveClocks gives every host a clock of its own, by the host's name.
func giveClocks(model *simulator.Model) map[string]*hostClock {
	clocks := map[string]*hostClock{}
	for _, entity := range model.Map().All("HostSystem") {
		host := entity.(*simulator.HostSystem)
		clock := &hostClock{}
		clock.Self = types.ManagedObjectReference{Type: "HostDateTimeSystem", Value: "dateTimeSystem-" + host.Self.Value}
		host.ConfigManager.DateTimeSystem = &clock.Self
		model.Map().Put(clock)
		clocks[host.Name] = clock
	}
	return clocks
}
