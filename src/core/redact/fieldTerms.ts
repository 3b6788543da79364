/**
 * Words that reports and records are made of. A thing called by one of them tells nobody's name,
 * and a text without them could not be read.
 */
export const coreWords = `
run runs study score tile tiles metric metrics set-up plan phases testbed profile points curve
curves measured modelled published simulated steady worse better noise name samples outcome started
passed failed aborted limit knee lab model mean interval verdict host hosts file figures demo
tilebench vm vms client clients workload workloads operation uplink datastore power note state fault
recovered abort vcenter drs warn info block median sum geometricmean connected poweredon poweredoff
true false null redacted localhost root real replay user qos database java standby mail web standard
server cpu memory network disk ms min max p95 p99 of in on at to by is the a and or not no
`;
/**
 * Words of the field that name nobody: makers, products, tools and what those print. Words of this
 * app's own texts are in `ourWords.ts`; plain English that people write in notes is here too.
 */
export const fieldTerms = `
vmware esxi vcenter vsphere vsan vmfs vmotion drs ha nfs iscsi fcoe nvme sas sata ssd hdd raid lun
luns hba hbas nic nics intel xeon gold silver platinum bronze cpu cpus amd epyc opteron ryzen arm
ghz mhz dell emc poweredge unity powerstore hp hpe proliant blade bladesystem synergy cisco ucs
lenovo thinksystem supermicro fujitsu primergy huawei ibm netapp pure hitachi vantara clariion
symmetrix vmax equallogic compellent nimble tintri gigabyte asus quanta inspur mellanox broadcom
qlogic emulex marvell chelsio solarflare lsi perc megaraid avago adaptec samsung micron kioxia
seagate lpfc qlnativefc nmlx5_core nmlx4_core ixgben ixgbe i40en igbn ntg3 bnxtnet elxnet nvme_pcie
vmw_ahci lsi_mr3 ena vmxnet3 vmw_psp_rr vmw_psp_fixed vmw_psp_mru vmw_satp_alua round robin fixed
recently used nmp pvscsi paravirtual e1000e e1000 windows linux ubuntu centos red hat enterprise
debian suse sles rocky alma almalinux oracle freebsd solaris datacenter standard server desktop
guest other family bit core cores thread threads socket sockets processor processors generic amd64
x86_64 smp preempt_dynamic preempt kernel gnu libc jemalloc luajit luajit2 system bundled mysql
mariadb postgres postgresql sqlserver mssql redis nginx apache tomcat java openjdk python perl bash
docker kubernetes sysbench fio dbench netperf iperf iperf3 iometer loadgen jbb specjbb vmmark
dvdstore dvd store weathervane olio ycsb hammerdb thds tps qps opm reconn othr lat eps events avg
min max stdev sum percentile approx latency lat_ns clat slat bw iops read reads write writes other
total transactions deadlocks queries ignored errors reconnects fairness stddev per request
initializing worker started statistics performed executed execution summary options running test
threads database general prime numbers limit fsync fsynced rand randread randwrite randrw rw bs
ioengine libaio psync sync direct iodepth numjobs runtime time_based group_reporting size filename
directory output format json jobs starting run status group warmup execute cleanup clients procs
max_latency throughput mib kib gib aggregate usr sys ctx majf minf io depths submit complete issued
rwts short dropped window disk stats merge ticks in_queue util oltp_read_write oltp_read_only
oltp_write_only oltp_point_select oltp_insert oltp_update_index sbtest localhost root the and but
for nor yet not all any both each few more most other some such only own same than too very can will
just should now was were has had does did doing because until while about against between into
through during before after above below from down out off over under again further then once here
there when where why how this that these those what which who whom whose with without within would
could might must may shall let like also even still already always never often sometimes soon later
early late today yesterday tomorrow morning evening night week month year monday tuesday wednesday
thursday friday saturday sunday january february march april june july august september october
november december one two three four five six seven eight nine ten first second third half twice new
old good bad better best worse worst big small large little long short high low full empty same
different right wrong true false yes no ok please thanks note notes see look looks looked seen found
find think thought know known want wanted need needed make makes made take took taken give gave
given get got put set keep kept leave left come came went going done did try tried ask asked tell
told say said show shown showed change changed changes upgrade upgraded upgrades replace replaced
swap swapped move moved add added remove removed restart restarted reboot rebooted fix fixed broken
break fail fails failed work works worked working wait waited slow slower slowest fast faster
fastest hot cold warm busy idle quiet loud baseline rerun repeat repeated again cable cables cabled
recabled rack racks switch switches firmware bios patch patched patches version versions build
builds array arrays controller controllers cache caches pool pools disk disks memory network
networks storage power meter meters house inc ltd gmbh dgc vraid corporation technologies static
dynamic temp tmp people person team boss vendor support ticket case problem problems issue issues
reason question answer plan result results
`;
