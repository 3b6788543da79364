package main

import (
	"fmt"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

// change sets what the simulator's API cannot: facts that real hosts, arrays and guests report of themselves.
// Type and Name say what of; fields left out stay as they are.
type change struct {
	Type, Name                     string
	Build, PowerPolicy, Tools, IP  *string
	DrsBehavior                    *string
	ClockMs, FreeBytes, MemoryByte *int64
	QueueDepth                     *int32
	Maintenance, Accessible, Drs   *bool
}

func (c *control) apply(to change) error {
	for _, entity := range c.model.Map().All(to.Type) {
		if entity.Entity().Name != to.Name {
			continue
		}
		c.model.Service.Context.WithLock(entity, func() { c.applyTo(entity, to) })
		return nil
	}
	return fmt.Errorf("there is no %s %s", to.Type, to.Name)
}

func (c *control) applyTo(entity any, to change) {
	switch object := entity.(type) {
	case *simulator.HostSystem:
		c.applyToHost(object, to)
	case *simulator.Datastore:
		if to.FreeBytes != nil {
			object.Summary.FreeSpace = *to.FreeBytes
			object.Info.GetDatastoreInfo().FreeSpace = *to.FreeBytes
		}
		if to.Accessible != nil {
			object.Summary.Accessible = *to.Accessible
		}
		if to.QueueDepth != nil {
			c.setQueueDepth(object.Info.(*types.VmfsDatastoreInfo).Vmfs.Extent[0].DiskName, *to.QueueDepth)
		}
	case *simulator.VirtualMachine:
		if to.Tools != nil {
			object.Guest.ToolsStatus = types.VirtualMachineToolsStatus(*to.Tools)
		}
		if to.IP != nil {
			object.Guest.IpAddress = *to.IP
		}
	case *simulator.ClusterComputeResource:
		config, ok := object.ConfigurationEx.(*types.ClusterConfigInfoEx)
		if ok && to.Drs != nil {
			config.DrsConfig.Enabled = to.Drs
		}
		if ok && to.DrsBehavior != nil {
			config.DrsConfig.DefaultVmBehavior = types.DrsBehavior(*to.DrsBehavior)
		}
	}
}

// The simulator's hosts share parts of one template: what is changed on one is copied first.
func (c *control) applyToHost(host *simulator.HostSystem, to change) {
	if to.Build != nil {
		product := *host.Summary.Config.Product
		product.Build = *to.Build
		host.Summary.Config.Product = &product
	}
	if to.PowerPolicy != nil {
		hardware := *host.Hardware
		hardware.CpuPowerManagementInfo = &types.HostCpuPowerManagementInfo{CurrentPolicy: *to.PowerPolicy, HardwareSupport: "ACPI P-states"}
		host.Hardware = &hardware
	}
	if to.MemoryByte != nil {
		hardware := *host.Summary.Hardware
		hardware.MemorySize = *to.MemoryByte
		host.Summary.Hardware = &hardware
	}
	if to.Maintenance != nil {
		host.Runtime.InMaintenanceMode = *to.Maintenance
		host.Summary.Runtime.InMaintenanceMode = *to.Maintenance
	}
	if clock := c.clocks[host.Name]; clock != nil && to.ClockMs != nil {
		clock.mu.Lock()
		clock.offset = time.Duration(*to.ClockMs) * time.Millisecond
		clock.mu.Unlock()
	}
}

// setQueueDepth sets what every host says of one LUN.
func (c *control) setQueueDepth(canonical string, depth int32) {
	for _, entity := range c.model.Map().All("HostSystem") {
		for _, lun := range entity.(*simulator.HostSystem).Config.StorageDevice.ScsiLun {
			if disk, ok := lun.(*types.HostScsiDisk); ok && disk.CanonicalName == canonical {
				disk.QueueDepth = depth
			}
		}
	}
}
