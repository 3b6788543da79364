/**
 * Where a threshold is from. A threshold without a public source says that it is this app's own.
 */
export const sources = {
  own: 'Tilebench default',
  arithmetic: 'what is there',
  lunEach:
    'VMware VROOM 2006-12, Trying VMmark on Some New Hardware: file servers contend in the ' +
    'SCSI queue of one LUN; "a better solution is to put each tile on a separate LUN". ' +
    '2008-05, Measuring Cluster Scaling with VMmark: "seven 4-disk RAID0 LUNs, each hosting ' +
    'a VMmark tile"',
  lun256:
    'VMware VROOM 2008-02, Scalable Storage Performance with VMware ESX Server 3.5: "at ' +
    'eight hosts we have reached the recommended maximum per LUN of 256. Beyond this point, ' +
    'latencies climb upwards of 100 msec"',
  hbaDepth:
    'VMware VROOM 2008-02, Scalable Storage Performance with VMware ESX Server 3.5: commands ' +
    'beyond the queue depth "will get queued", which adds latency; the depth is read from ' +
    'vCenter (the post had 32 a host)',
  knee:
    'VMware VROOM 2008-05, 100,000 I/O Operations Per Second, One ESX Host: "Beyond six ' +
    'outstanding I/Os, the latency increased faster than the number of IOPS", on LUNs of five ' +
    'disks in RAID 0',
  swap:
    'VMware vSphere Resource Management, Swap Space and Memory Overcommitment: a swap file of ' +
    'configured memory less its reservation for each VM that is powered on',
  uplink75:
    'VMware VROOM 2010-12, VMware Load-Based Teaming Performance: load-based teaming takes ' +
    'an uplink as full above 75 % of its speed for 30 s',
  vmWidth:
    'VMware vSphere Virtual Machine Administration, Virtual CPU Limitations: a VM cannot ' +
    'have more virtual CPUs than the host has logical cores',
  clientATile:
    'VMware VROOM 2008-05, Measuring Cluster Scaling with VMmark: 20 client machines for up ' +
    'to 20 tiles; tiles ended where "our supply of client systems" did',
  singleServer:
    'VMware VROOM 2008-05, Measuring Cluster Scaling with VMmark: "VMmark is a single-server ' +
    'virtualization benchmark"; its profile asks for one host',
  maintenance:
    'VMware VROOM 2010-12, Performance Scaling of an Entry-Level Cluster: application LUNs ' +
    'and one maintenance LUN apart from them',
} as const;
