package main

import (
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/simulator/vpx"
	"github.com/vmware/govmomi/vim25/types"
)

// seedCounters gives the host counters that the simulator has no canned values for, or canned ones so high
// that its noise takes them beyond 100 %.
// The simulator adds 20 % noise to each of them at every query.
func seedCounters() {
	wave := func(low, high float64) []int64 {
		values := make([]int64, 100)
		for i := range values {
			values[i] = int64(low + (high-low)*(0.5+0.5*math.Sin(float64(i)/7)))
		}
		return values
	}
	for id, values := range map[int32][]int64{
		2:   wave(1800, 4600), // cpu.usage.average, 1/100 %
		24:  wave(3500, 4600), // mem.usage.average, 1/100 %
		157: wave(210, 380),   // power.power.average, W
		178: wave(300, 900),   // datastore.numberReadAveraged.average
		179: wave(150, 450),   // datastore.numberWriteAveraged.average
		182: wave(3, 9),       // datastore.totalReadLatency.average, ms
		183: wave(3, 9),       // datastore.totalWriteLatency.average, ms
		455: wave(5, 12),      // disk.deviceLatency.average, ms
		456: wave(0, 2),       // disk.kernelLatency.average, ms
		457: wave(0, 2),       // disk.queueLatency.average, ms
		134: wave(0, 3),       // disk.commandsAborted.summation, in 20 s
		135: wave(0, 1),       // disk.busResets.summation, in 20 s
		140: wave(0, 5),       // disk.scsiReservationConflicts.summation, in 20 s
		458: wave(60, 64),     // disk.maxQueueDepth.average
		12:  wave(400, 1600),  // cpu.ready.summation, ms in 20 s
		388: wave(2000, 4800), // cpu.utilization.average, 1/100 %
		49:  wave(2048, 8192), // mem.swapused.average, KB
		85:  wave(0, 40),      // mem.swapinRate.average, KB/s
		90:  wave(4096, 9216), // mem.vmmemctl.average, KB
		158: wave(600, 700),   // power.powerCap.average, W
	} {
		vpx.HostMetricData[id] = values
	}
}

// arrangeStorage turns each datastore into a VMFS volume on a LUN of its own that every host sees over two paths.
func arrangeStorage(model *simulator.Model) {
	stores := model.Map().All("Datastore")
	sort.Slice(stores, func(i, j int) bool { return stores[i].Entity().Name < stores[j].Entity().Name })
	for i, entity := range stores {
		store := entity.(*simulator.Datastore)
		canonical := fmt.Sprintf("naa.6000c29000000000000000000000%04d", i)
		info := *store.Info.GetDatastoreInfo()
		store.Info = &types.VmfsDatastoreInfo{DatastoreInfo: info, Vmfs: &types.HostVmfsVolume{
			HostFileSystemVolume: types.HostFileSystemVolume{Type: "VMFS", Name: store.Name, Capacity: store.Summary.Capacity},
			BlockSizeMb:          1, MajorVersion: 6, Version: "6.82", Uuid: fmt.Sprintf("5f3c0000-0000%04d-ab12-0050569a0001", i),
			Extent: []types.HostScsiDiskPartition{{DiskName: canonical, Partition: 1}},
		}}
		store.Summary.Type = "VMFS"
	}
	for _, entity := range model.Map().All("HostSystem") {
		host := entity.(*simulator.HostSystem)
		// The simulator's hosts share one template; adding a LUN must not add it to all of them at once.
		device := *host.Config.StorageDevice
		multipath := *device.MultipathInfo
		device.ScsiLun = append([]types.BaseScsiLun{}, device.ScsiLun...)
		multipath.Lun = append([]types.HostMultipathInfoLogicalUnit{}, multipath.Lun...)
		for i, store := range stores {
			disk, unit := lun(i, store.(*simulator.Datastore))
			device.ScsiLun = append(device.ScsiLun, disk)
			multipath.Lun = append(multipath.Lun, unit)
		}
		device.MultipathInfo = &multipath
		host.Config.StorageDevice = &device
	}
}

func lun(index int, store *simulator.Datastore) (*types.HostScsiDisk, types.HostMultipathInfoLogicalUnit) {
	canonical := store.Info.(*types.VmfsDatastoreInfo).Vmfs.Extent[0].DiskName
	key := fmt.Sprintf("key-vim.host.ScsiDisk-%04d", index)
	disk := &types.HostScsiDisk{
		ScsiLun: types.ScsiLun{
			HostDevice: types.HostDevice{DeviceName: "/vmfs/devices/disks/" + canonical, DeviceType: "disk"},
			Key:        key, Uuid: canonical, CanonicalName: canonical, DisplayName: store.Name,
			LunType: "disk", Vendor: "LAB", Model: "Virtual Array", QueueDepth: 64, OperationalState: []string{"ok"},
		},
		Capacity:   types.HostDiskDimensionsLba{BlockSize: 512, Block: store.Summary.Capacity / 512},
		DevicePath: "/vmfs/devices/disks/" + canonical,
	}
	unit := types.HostMultipathInfoLogicalUnit{
		Key: key + "-unit", Id: canonical, Lun: key,
		Policy: &types.HostMultipathInfoLogicalUnitPolicy{Policy: "VMW_PSP_RR"},
	}
	for target := range 2 {
		name := fmt.Sprintf("vmhba2:C0:T%d:L%d", target, index)
		unit.Path = append(unit.Path, types.HostMultipathInfoPath{Key: name, Name: name, PathState: "active", State: "active", Adapter: "vmhba2", Lun: unit.Key})
	}
	return disk, unit
}

// describeHosts gives each host what the simulator leaves out and a snapshot reads: advanced settings, a serial number, a BIOS date, MTUs.
func describeHosts(model *simulator.Model) {
	released := time.Date(2024, time.January, 5, 0, 0, 0, 0, time.UTC)
	for _, entity := range model.Map().All("HostSystem") {
		host := entity.(*simulator.HostSystem)
		var options []types.BaseOptionValue
		for key, value := range map[string]any{
			"Disk.SchedNumReqOutstanding": int64(32), "Disk.QFullSampleSize": int64(0), "Mem.ShareScanTime": int64(60),
			"Power.UseCStates": int64(1), "Power.CpuPolicy": "High Performance", "Disk.SomethingElse": int64(7),
		} {
			options = append(options, &types.OptionValue{Key: key, Value: value})
		}
		settings := model.Map().Get(*host.ConfigManager.AdvancedOption).(*simulator.OptionManager)
		settings.UpdateOptions(&types.UpdateOptions{ChangedValue: options})
		// The simulator's hosts share what was captured from one host.
		system := host.Hardware.SystemInfo
		system.SerialNumber = "LAB-" + host.Reference().Value
		host.Hardware.SystemInfo = system
		host.Hardware.BiosInfo = &types.HostBIOSInfo{BiosVersion: "6.00", ReleaseDate: &released}
		host.Hardware.CpuPowerManagementInfo = &types.HostCpuPowerManagementInfo{CurrentPolicy: "High Performance"}
		for i := range host.Config.Network.Vswitch {
			host.Config.Network.Vswitch[i].Mtu = 1500
		}
	}
	for _, entity := range model.Map().All("ClusterComputeResource") {
		cluster := entity.(*simulator.ClusterComputeResource)
		if summary, ok := cluster.Summary.(*types.ClusterComputeResourceSummary); ok {
			summary.CurrentEVCModeKey = "intel-cascadelake"
		}
	}
	for _, entity := range model.Map().All("Datastore") {
		entity.(*simulator.Datastore).IormConfiguration = &types.StorageIORMInfo{Enabled: false}
	}
}

// powerOnMachines does what a PowerOnVM task does to the inventory, where the model did not.
func powerOnMachines(model *simulator.Model) {
	now := time.Now()
	for _, entity := range model.Map().All("VirtualMachine") {
		vm := entity.(*simulator.VirtualMachine)
		if vm.Runtime.PowerState == types.VirtualMachinePowerStatePoweredOn {
			continue
		}
		vm.Runtime.PowerState, vm.Runtime.BootTime = types.VirtualMachinePowerStatePoweredOn, &now
		vm.Summary.Runtime.PowerState, vm.Summary.Runtime.BootTime = vm.Runtime.PowerState, &now
	}
}

// settleMachines lets hosts and guests report what they do on a healthy testbed: a power policy for performance, tools that run, an address.
func settleMachines(model *simulator.Model) {
	for _, entity := range model.Map().All("HostSystem") {
		host := entity.(*simulator.HostSystem)
		hardware := *host.Hardware
		hardware.CpuPowerManagementInfo = &types.HostCpuPowerManagementInfo{CurrentPolicy: "High Performance", HardwareSupport: "ACPI P-states"}
		host.Hardware = &hardware
	}
	for i, entity := range model.Map().All("VirtualMachine") {
		vm := entity.(*simulator.VirtualMachine)
		vm.Guest.ToolsStatus = types.VirtualMachineToolsStatusToolsOk
		vm.Guest.IpAddress = fmt.Sprintf("10.20.%d.%d", i/250, i%250+1)
	}
}

// nameMachines renames the first VMs, in the order of their own names, so that a testbed can refer to them.
func nameMachines(model *simulator.Model, names []string) error {
	machines := model.Map().All("VirtualMachine")
	if len(names) > len(machines) {
		return fmt.Errorf("%d names for %d VMs", len(names), len(machines))
	}
	sort.Slice(machines, func(i, j int) bool {
		a, b := machines[i].Reference().Value, machines[j].Reference().Value
		return len(a) < len(b) || len(a) == len(b) && a < b
	})
	for i, name := range names {
		vm := machines[i].(*simulator.VirtualMachine)
		vm.Name, vm.Config.Name, vm.Summary.Config.Name = name, name, name
	}
	return nil
}

// makeTemplates turns VMs into templates: off, and in no resource pool, as vCenter has them.
func makeTemplates(model *simulator.Model, names []string) error {
	for _, name := range names {
		found := false
		for _, entity := range model.Map().All("VirtualMachine") {
			vm := entity.(*simulator.VirtualMachine)
			if vm.Name != name {
				continue
			}
			found = true
			vm.Runtime.PowerState, vm.Summary.Runtime.PowerState = types.VirtualMachinePowerStatePoweredOff, types.VirtualMachinePowerStatePoweredOff
			vm.Config.Template, vm.Summary.Config.Template = true, true
			vm.ResourcePool = nil
		}
		if !found {
			return fmt.Errorf("no VM %s to make a template of", name)
		}
	}
	return nil
}
