/**
 * Property collector answers as vCenter writes them (`xsi:type`) or as its simulator does (a prefix
 * of its own, declared on each element).
 */
export type Dialect = 'vcenter' | 'simulator';
export interface InventorySize {
  hosts: number;
  vms: number;
  datastores: number;
  lunsPerHost: number;
}

const envelopeHead =
  '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>';
const envelopeTail = '</soapenv:Body></soapenv:Envelope>';
/** A SOAP answer around ready XML. */
export const answerXml = (method: string, content: string): string =>
  `${envelopeHead}<${method}Response xmlns="urn:vim25">${content}</${method}Response>${envelopeTail}`;
/** A SOAP fault as vCenter sends it, with HTTP 500. */
export const faultXml = (type: string, text = ''): string =>
  `${envelopeHead}<soapenv:Fault><faultcode>ServerFaultCode</faultcode><faultstring>${text}</faultstring><detail><${type}Fault xmlns="urn:vim25" xsi:type="${type}"></${type}Fault></detail></soapenv:Fault>${envelopeTail}`;

const typed = (dialect: Dialect, type: string): string =>
  dialect === 'vcenter'
    ? `xsi:type="${type}"`
    : `xmlns:_XMLSchema-instance="http://www.w3.org/2001/XMLSchema-instance" _XMLSchema-instance:type="${type}"`;
export const propXml = (
  dialect: Dialect,
  name: string,
  type: string,
  value: string,
  refType = '',
): string =>
  `<propSet><name>${name}</name><val${refType ? ` type="${refType}"` : ''} ${typed(dialect, type)}>${value}</val></propSet>`;
export const objectXml = (type: string, id: string, ...parts: string[]): string =>
  `<objects><obj type="${type}">${id}</obj>${parts.join('')}</objects>`;

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const lunName = (i: number): string => `naa.6000c29${String(i).padStart(25, '0')}`;

function hostXml(d: Dialect, i: number, luns: number): string {
  const disks = range(luns)
    .map(
      (n) =>
        `<ScsiLun ${typed(d, 'HostScsiDisk')}><deviceName>/vmfs/devices/disks/${lunName(n)}</deviceName><deviceType>disk</deviceType><key>key-vim.host.ScsiDisk-${n}</key><uuid>${lunName(n)}</uuid>` +
        range(4)
          .map(
            (k) =>
              `<descriptor><quality>highQuality</quality><id>${lunName(n)}-${k}</id></descriptor>`,
          )
          .join('') +
        `<canonicalName>${lunName(n)}</canonicalName><displayName>Array disk ${n}</displayName><lunType>disk</lunType><vendor>ACME    </vendor><model>FlashArray      </model><revision>8888</revision><scsiLevel>6</scsiLevel><serialNumber>unavailable</serialNumber><queueDepth>64</queueDepth><operationalState>ok</operationalState><capacity><blockSize>512</blockSize><block>4294967296</block></capacity><devicePath>/vmfs/devices/disks/${lunName(n)}</devicePath></ScsiLun>`,
    )
    .join('');
  const units = range(luns)
    .map(
      (n) =>
        `<lun><key>unit-${n}</key><id>${lunName(n)}</id><lun>key-vim.host.ScsiDisk-${n}</lun>` +
        range(4)
          .map(
            (p) =>
              `<path><key>path-${n}-${p}</key><name>fc.20000000000000:${p}-${lunName(n)}</name><pathState>active</pathState><state>active</state><isWorkingPath>true</isWorkingPath><adapter>key-vim.host.FibreChannelHba-vmhba${p % 2}</adapter><lun>unit-${n}</lun><transport ${typed(d, 'HostFibreChannelTargetTransport')}><portWorldWideName>5764963215108688473</portWorldWideName><nodeWorldWideName>5764963215108688473</nodeWorldWideName></transport></path>`,
          )
          .join('') +
        `<policy ${typed(d, 'HostMultipathInfoLogicalUnitPolicy')}><policy>VMW_PSP_RR</policy></policy><storageArrayTypePolicy><policy>VMW_SATP_ALUA</policy></storageArrayTypePolicy></lun>`,
    )
    .join('');
  return objectXml(
    'HostSystem',
    `host-${i}`,
    propXml(d, 'name', 'xsd:string', `esx${i}.lab`),
    propXml(d, 'parent', 'ManagedObjectReference', 'domain-c1', 'ClusterComputeResource'),
    propXml(
      d,
      'summary.hardware',
      'HostHardwareSummary',
      `<vendor>ACME</vendor><model>R1</model><memorySize>549755813888</memorySize><cpuModel>CPU 9</cpuModel><cpuMhz>2600</cpuMhz><numCpuPkgs>2</numCpuPkgs><numCpuCores>48</numCpuCores><numCpuThreads>96</numCpuThreads><uuid>4c4c4544-0042-${String(i).padStart(4, '0')}</uuid>`,
    ),
    propXml(
      d,
      'summary.config.product',
      'AboutInfo',
      '<version>8.0.2</version><build>22380479</build>',
    ),
    propXml(
      d,
      'hardware.biosInfo',
      'HostBIOSInfo',
      '<biosVersion>2.19.1</biosVersion><releaseDate>2024-01-05T00:00:00Z</releaseDate>',
    ),
    propXml(
      d,
      'hardware.systemInfo',
      'HostSystemInfo',
      `<vendor>ACME</vendor><model>R1</model><uuid>x</uuid><otherIdentifyingInfo><identifierValue>TAG${i}</identifierValue><identifierType><label>Tag</label><summary>Tag</summary><key>ServiceTag</key></identifierType></otherIdentifyingInfo>`,
    ),
    propXml(
      d,
      'configManager.advancedOption',
      'ManagedObjectReference',
      `EsxHostAdvSettings-${i}`,
      'OptionManager',
    ),
    propXml(
      d,
      'config.network.vswitch',
      'ArrayOfHostVirtualSwitch',
      '<HostVirtualSwitch><name>vSwitch0</name><key>key-vim.host.VirtualSwitch-vSwitch0</key><numPorts>2560</numPorts><mtu>9000</mtu><pnic>key-vim.host.PhysicalNic-vmnic0</pnic><pnic>key-vim.host.PhysicalNic-vmnic1</pnic></HostVirtualSwitch>',
    ),
    propXml(d, 'runtime.connectionState', 'HostSystemConnectionState', 'connected'),
    propXml(d, 'runtime.inMaintenanceMode', 'xsd:boolean', 'false'),
    propXml(
      d,
      'config.network.pnic',
      'ArrayOfPhysicalNic',
      range(4)
        .map(
          (n) =>
            `<PhysicalNic><key>nic-${n}</key><device>vmnic${n}</device><driver>i40en</driver><linkSpeed><speedMb>25000</speedMb><duplex>true</duplex></linkSpeed><mac>00:50:56:00:00:0${n}</mac></PhysicalNic>`,
        )
        .join(''),
    ),
    propXml(
      d,
      'config.storageDevice.hostBusAdapter',
      'ArrayOfHostHostBusAdapter',
      range(2)
        .map(
          (n) =>
            `<HostHostBusAdapter ${typed(d, 'HostFibreChannelHba')}><device>vmhba${n}</device><model>QLE2692</model><driver>qlnativefc</driver></HostHostBusAdapter>`,
        )
        .join(''),
    ),
    propXml(d, 'config.storageDevice.scsiLun', 'ArrayOfScsiLun', disks),
    propXml(d, 'config.storageDevice.multipathInfo', 'HostMultipathInfo', units),
    propXml(
      d,
      'hardware.cpuPowerManagementInfo',
      'HostCpuPowerManagementInfo',
      '<currentPolicy>High Performance</currentPolicy>',
    ),
  );
}

const plainDevices = [
  'VirtualIDEController',
  'VirtualPS2Controller',
  'VirtualPCIController',
  'VirtualSIOController',
  'VirtualKeyboard',
  'VirtualPointingDevice',
  'VirtualMachineVideoCard',
  'VirtualMachineVMCIDevice',
];
/** What a VM of a few years has: the fixed devices, a controller, a disk and an adapter. */
function devicesXml(d: Dialect, size: InventorySize, i: number): string {
  const device = (type: string, key: number, label: string, more: string): string =>
    `<VirtualDevice ${typed(d, type)}><key>${key}</key><deviceInfo><label>${label}</label><summary>${label}</summary></deviceInfo>${more}</VirtualDevice>`;
  return (
    plainDevices
      .map((type, n) =>
        device(
          type,
          200 + n * 100,
          type,
          n < 4
            ? `<busNumber>${n}</busNumber>`
            : '<controllerKey>100</controllerKey><unitNumber>0</unitNumber>',
        ),
      )
      .join('') +
    device(
      'ParaVirtualSCSIController',
      1_000,
      'SCSI controller 0',
      '<controllerKey>100</controllerKey><unitNumber>3</unitNumber><busNumber>0</busNumber><device>2000</device><hotAddRemove>true</hotAddRemove><sharedBus>noSharing</sharedBus><scsiCtlrUnitNumber>7</scsiCtlrUnitNumber>',
    ) +
    device(
      'VirtualDisk',
      2_000,
      'Hard disk 1',
      `<backing ${typed(d, 'VirtualDiskFlatVer2BackingInfo')}><fileName>[lun0] tile${i}/tile${i}.vmdk</fileName><datastore type="Datastore">datastore-${i % size.datastores}</datastore><diskMode>persistent</diskMode><split>false</split><writeThrough>false</writeThrough><thinProvisioned>true</thinProvisioned><uuid>6000C29${i}</uuid><contentId>c</contentId><digestEnabled>false</digestEnabled></backing><controllerKey>1000</controllerKey><unitNumber>0</unitNumber><capacityInKB>16777216</capacityInKB><capacityInBytes>17179869184</capacityInBytes><shares><shares>1000</shares><level>normal</level></shares><diskObjectId>1-2000</diskObjectId>`,
    ) +
    device(
      'VirtualVmxnet3',
      4_000,
      'Network adapter 1',
      `<backing ${typed(d, 'VirtualEthernetCardDistributedVirtualPortBackingInfo')}><port><switchUuid>50 0c</switchUuid><portgroupKey>dvportgroup-1</portgroupKey><portKey>12</portKey></port></backing><connectable><startConnected>true</startConnected><allowGuestControl>true</allowGuestControl><connected>true</connected><status>ok</status></connectable><controllerKey>100</controllerKey><unitNumber>7</unitNumber><addressType>assigned</addressType><macAddress>00:50:56:aa:${String(i >> 8).padStart(2, '0')}:01</macAddress><wakeOnLanEnabled>true</wakeOnLanEnabled>`,
    )
  );
}

function vmXml(d: Dialect, i: number, size: InventorySize): string {
  return objectXml(
    'VirtualMachine',
    `vm-${i}`,
    propXml(d, 'name', 'xsd:string', `tile${i} database %2f x`),
    propXml(d, 'runtime.host', 'ManagedObjectReference', `host-${i % size.hosts}`, 'HostSystem'),
    propXml(d, 'runtime.powerState', 'VirtualMachinePowerState', 'poweredOn'),
    propXml(
      d,
      'datastore',
      'ArrayOfManagedObjectReference',
      `<ManagedObjectReference type="Datastore">datastore-${i % size.datastores}</ManagedObjectReference>`,
    ),
    propXml(d, 'summary.config.numCpu', 'xsd:int', '4'),
    propXml(d, 'summary.config.memorySizeMB', 'xsd:int', '8192'),
    propXml(d, 'summary.config.template', 'xsd:boolean', 'false'),
    propXml(d, 'summary.config.guestFullName', 'xsd:string', 'Debian GNU/Linux 12 (64-bit)'),
    propXml(d, 'guest.toolsStatus', 'VirtualMachineToolsStatus', 'toolsOk'),
    propXml(d, 'guest.ipAddress', 'xsd:string', `10.0.${i >> 8}.${i & 255}`),
    propXml(d, 'parent', 'ManagedObjectReference', 'group-v3', 'Folder'),
    propXml(d, 'resourcePool', 'ManagedObjectReference', 'resgroup-8', 'ResourcePool'),
    propXml(d, 'summary.config.instanceUuid', 'xsd:string', `5012-${i}`),
    propXml(
      d,
      'summary.storage',
      'VirtualMachineStorageSummary',
      '<committed>9663676416</committed><uncommitted>8589934592</uncommitted><unshared>9663676416</unshared>',
    ),
    propXml(d, 'guest.toolsVersion', 'xsd:string', '12352'),
    propXml(d, 'guest.hostName', 'xsd:string', `tile${i}.lab`),
    propXml(d, 'config.version', 'xsd:string', 'vmx-19'),
    propXml(d, 'config.hardware.numCoresPerSocket', 'xsd:int', '2'),
    propXml(
      d,
      'config.cpuAllocation',
      'ResourceAllocationInfo',
      '<reservation>0</reservation><expandableReservation>false</expandableReservation><limit>-1</limit><shares><shares>4000</shares><level>normal</level></shares>',
    ),
    propXml(
      d,
      'config.memoryAllocation',
      'ResourceAllocationInfo',
      '<reservation>1024</reservation><limit>8192</limit><shares><shares>81920</shares><level>normal</level></shares>',
    ),
    propXml(d, 'config.hardware.device', 'ArrayOfVirtualDevice', devicesXml(d, size, i)),
    propXml(
      d,
      'snapshot',
      'VirtualMachineSnapshotInfo',
      `<rootSnapshotList><name>a</name><childSnapshotList><name>b</name></childSnapshotList></rootSnapshotList>`,
    ),
  );
}

/** The answer to the inventory's RetrievePropertiesEx for a lab of this size. */
export function inventoryXml(size: InventorySize, dialect: Dialect = 'vcenter'): string {
  const d = dialect;
  const mounts = range(size.hosts)
    .map(
      (i) =>
        `<DatastoreHostMount><key type="HostSystem">host-${i}</key><mountInfo><accessMode>readWrite</accessMode><mounted>true</mounted><accessible>true</accessible></mountInfo></DatastoreHostMount>`,
    )
    .join('');
  return answerXml(
    'RetrievePropertiesEx',
    `<returnval>${objectXml(
      'ClusterComputeResource',
      'domain-c1',
      propXml(d, 'name', 'xsd:string', 'Cluster'),
      propXml(
        d,
        'host',
        'ArrayOfManagedObjectReference',
        range(size.hosts)
          .map(
            (i) => `<ManagedObjectReference type="HostSystem">host-${i}</ManagedObjectReference>`,
          )
          .join(''),
      ),
      propXml(
        d,
        'configurationEx',
        'ClusterConfigInfoEx',
        '<dasConfig><enabled>false</enabled></dasConfig><drsConfig><enabled>true</enabled><defaultVmBehavior>fullyAutomated</defaultVmBehavior><vmotionRate>3</vmotionRate><option><key>TryBalanceVmsPerHost</key><value>1</value></option></drsConfig><rule><name>apart</name></rule><dpmConfigInfo><enabled>false</enabled></dpmConfigInfo>',
      ),
      propXml(
        d,
        'summary',
        'ClusterComputeResourceSummary',
        '<numHosts>3</numHosts><currentEVCModeKey>intel-cascadelake</currentEVCModeKey>',
      ),
    )}${range(size.hosts)
      .map((i) => hostXml(d, i, size.lunsPerHost))
      .join('')}${range(size.datastores)
      .map((i) =>
        objectXml(
          'Datastore',
          `datastore-${i}`,
          propXml(d, 'name', 'xsd:string', `lun${i}`),
          propXml(
            d,
            'summary',
            'DatastoreSummary',
            `<url>ds:///vmfs/volumes/5f3c-${i}/</url><capacity>2199023255552</capacity><freeSpace>1099511627776</freeSpace><accessible>true</accessible><type>VMFS</type><uncommitted>4096</uncommitted><maintenanceMode>normal</maintenanceMode>`,
          ),
          propXml(d, 'host', 'ArrayOfDatastoreHostMount', mounts),
          propXml(
            d,
            'info',
            'VmfsDatastoreInfo',
            `<vmfs><blockSizeMb>1</blockSizeMb><version>6.82</version><uuid>5f3c-${i}</uuid><extent><diskName>${lunName(i)}</diskName><partition>1</partition></extent></vmfs>`,
          ),
          propXml(d, 'iormConfiguration.enabled', 'xsd:boolean', 'false'),
        ),
      )
      .join('')}${objectXml(
      'Datacenter',
      'datacenter-2',
      propXml(d, 'name', 'xsd:string', 'lab'),
      propXml(d, 'parent', 'ManagedObjectReference', 'group-d1', 'Folder'),
    )}${objectXml(
      'Folder',
      'group-v3',
      propXml(d, 'name', 'xsd:string', 'vm'),
      propXml(d, 'parent', 'ManagedObjectReference', 'datacenter-2', 'Datacenter'),
      propXml(
        d,
        'childType',
        'ArrayOfString',
        '<string>Folder</string><string>VirtualMachine</string>',
      ),
    )}${objectXml(
      'Folder',
      'group-v4',
      propXml(d, 'name', 'xsd:string', 'tiles'),
      propXml(d, 'parent', 'ManagedObjectReference', 'group-v3', 'Folder'),
      propXml(
        d,
        'childType',
        'ArrayOfString',
        '<string>Folder</string><string>VirtualMachine</string>',
      ),
    )}${objectXml(
      'Folder',
      'group-h5',
      propXml(d, 'name', 'xsd:string', 'host'),
      propXml(d, 'parent', 'ManagedObjectReference', 'datacenter-2', 'Datacenter'),
      propXml(d, 'childType', 'ArrayOfString', '<string>ComputeResource</string>'),
    )}${objectXml(
      'ResourcePool',
      'resgroup-8',
      propXml(d, 'name', 'xsd:string', 'Resources'),
      propXml(d, 'parent', 'ManagedObjectReference', 'domain-c1', 'ClusterComputeResource'),
      propXml(d, 'owner', 'ManagedObjectReference', 'domain-c1', 'ClusterComputeResource'),
    )}${objectXml(
      'ResourcePool',
      'resgroup-9',
      propXml(d, 'name', 'xsd:string', 'gold'),
      propXml(d, 'parent', 'ManagedObjectReference', 'resgroup-8', 'ResourcePool'),
      propXml(d, 'owner', 'ManagedObjectReference', 'domain-c1', 'ClusterComputeResource'),
      propXml(
        d,
        'config.cpuAllocation',
        'ResourceAllocationInfo',
        '<reservation>500</reservation><limit>-1</limit><shares><shares>8000</shares><level>high</level></shares>',
      ),
    )}${objectXml(
      'DistributedVirtualPortgroup',
      'dvportgroup-1',
      propXml(d, 'name', 'xsd:string', 'VM network'),
    )}${range(size.vms)
      .map((i) => vmXml(d, i, size))
      .join('')}</returnval>`,
  );
}
