/** Made by scripts/words.mjs: words of this app's own texts. Not written by hand. */
export const ourWords = `
a-z abbrev able abort aborted abortedpers aborterror abortreason aborts about above aboveidle abs
absent absolute absorbs accents accept accept-encoding accepted acceptedmeanms accepts access
access-denied access_log accesses accessible account accounts ack acknowledged acquire across act
act's actdone acted actfailed actid action actions active activekey activemb activepaths actplans
acts acts.byhand acts.csv acts.md acts.restore actual actv adapter adapterpaths adapters add
add-port added addeventlistener addhost additionalproperties addr address addresses addresstype
adds addtags adjust adjusted adjustment administration administrator admission admissioncontrol
admissioncontrolenabled adopt adopted advanced advanced-settings advancedconfig advancedoption aes
affects affinity after afterkey afterms afterrun afters afterwards again against agent agents
aggregate aggregate-interval aggressive ago agree agreed agrees ahead alarms
alarmstatuschangedevent alert algorithm algorithms alias alias_database alias_maps align
align-items aligned alignment aligns alike alive all allbytes allocate allocatespace
allocguestlargepage allonhostref allonone allow allowcommands allowed allows allowsecret
allowtcpforwarding allowtrailingcomma allsummaries alltags alltextbytes alltilesreport alma
almalinux alone along already alreadyexists also alsonamed alsosuffixes alt altname alttext always
amber ambiguous amd among amount amp amperes ampsrange an analysis anandtech ancestors anchor and
anew annotate annotation announced announces another answer answered answering answers any anybody
anytail anything anywhere apache apart apc apc's apcrpdu api apitype apiversion apos apower app
app's app.info appears append appendchild appended appendix appends apperror application
application's applications applied appreciable approximately appstream appversion apt apt's
apt-get apt.conf apt_config arabic architecture architectures archive archived archived_at_ms
archivedatms archives are args argument aria aria-hidden aria-label aria-live aria-pressed arial
arithmetic arm around array array's arraybuffer arrayid arrayports arrays arrival arrivals arrive
arrived arrives arrow arrowdown arrowleft arrowright arrows arrows.indexof arrowup as asbefore
ascend ascending asgiven aside asis ask asked asks askstop asm asmeasured aspect assertion
assertion_results_failure_message assign assigned assignedvms assigns assignvmtopool assumption at
at.s at.us atms ats attempts attention auth auth_mechanisms auth_username_format authentication
authfailed authhandler author author's authority authorization authorizationmanager authorized
authors authprotocol auto auto_vacuum autocheckpoint autoclose autocorrelation autoflush automated
automatic automation autopage autoselectfamily autumn avail available average averaging avg
avocent avoid awake away awayuntilms awk axes axis back back-end background backing backlog backup
backups backwards bad bad-bg badinput badlines badly balance balanced balances balancing balloon
ballooned ballooning balloonmb band bandpct bands bandwidth banking banner bar barcelona bare bars
base base-uri based baseline baselineid baseos bases baseval basewas bash basic basis batch
batches battery be bear bearer beat beats became because become been before beforehand beforekey
beforems befores began began_steady_s begin beginning begins begintime begun behavior behind
behindpct being belong belongs below benchmark benchmarks bend bends beside best beta better
between beyond bg bidir big biggest bigint bin binary bind bind-address bins bios biosdate
biosdiffers biosinfo biostatistical biosversion bisect bisection bitratembps bits bits_per_second
blade blades blame blamed blames blank blob block block-length blocked blocking blockkb blocks
blocksize blocksizebytes blocksizekb blocksizemb blue blumenthal bmc board board.find board.follow
boards body bolander bold bom book bookmark bookworm boolean boot booted bootid bootstrap
bootstrap's border border-bottom border-collapse border-color border-radius border-top
border-width both bottleneck bottlenecks bottom bound boundary bounded bounds box box.height
box.width boxes brace braces brackets branches break break-after break-before break-inside breaks
bring brings broke broken brought browser bs bucketms buckets budget buffer buffercache buffered
buffers build builddiffers builds buildvcs built built-in bulb bundle bundle.export bundle.import
bundle.preview bundle_for bundle_sha bundled bundles burst bursts bus busiest busnumber busresets
busresetspers busy busypct busyw but button button.addeventlistener button.dataset.line
button.getattribute button.setattribute buttons by by-the-command-line byclient bydatastore bye
byhand byhost byid bykey bymember bypass byte byte_array bytes bytesafter bytesasample bytesbefore
bytesinperop bytesof bytesoutperop bytespct cable cache caches calculation calendar calibrated
calibration call called calls came can can't cancel cancelled cancelling canceltask candidate
cannot cannottell canonicalname cap capacities capacity capacitybytes capacitygb capacityinbytes
capacityinkb caps caption caption.dataset.rest caption.setattribute caption.textcontent captures
capw card carried carries carry cas cascade case cases cast cat catch catchall categories cause
causes cd cdata cdef ceiling cell cells cent center centre cert cert-authority cert_has_expired
cert_not_yet_valid cert_revoked certain certauthority certificate certificates cgo cgo_enabled
chain chainid change changed changedatms changedpart changedsetting changeitem changes changestep
changing channel channelsperconnection char character characters charset chart chart.bottom
chart.left chart.lines chart.points chart.points.filter chart.points.length chart.right chart.unit
chart.x charted charts chassis chcon check check.changed checked checkedatms checkedhash checkid
checking checkms checkone checkpoint checks child childentity children childsnapshotlist childtype
chinese chip chips chmod choice choices choose chooses choosing chose chosen chosenperiod chown
chrony chronyc chunk chunks circle cisco claimed claims clamp clash clashes class classlist clat
clat_ns clause clean clean-up cleaned cleaningup cleanly cleanrun cleanup cleanupms clear
clearchunks cleared clearfault clearrollup cleartail cli click clicker client client's
client-authentication client.busy client.clockoffset client.driver client.driverversion
client.driverversions client.identity client.leftovers client.load client.none client.reachable
client.samemachine client.servers client.tiles client.txt client.wrongmachine client_limit
client_stats clientatile clientcpu clientcpupct clientcpupct.client clientid clientids
clientlatems clientname clientof clients clientsafter clientsaturated clientsaturatedpct
clientskeptup clientx clienty climb climbs clipboard clock clock.away clock.step clockoffset
clockoffsetms clocks clockskew clockunknown clone cloned clonename clones clonevm clonevm_task
cloning close closed closed-loop closer closes closetag closing cloud cloud-config cloud-init
clovertown cluster cluster.change cluster.drs cluster.drsmoves cluster.drsset cluster.drsunknown
cluster.ha clustercomputeresource clusterconfigspecex clustername clusterreconfiguredevent
clusterref clusters cm cmd cmnd cmp co co-stop coalesce coarse coarsestep code codename codes
coefficient col coldmigrate collapse collected collecting collector collects colons color
color-scheme colour colspan column column's columndata columngap columns com
com.vmware.vc.ha.dashostfailedevent com.vmware.vc.ha.vmrestartedbyhaevent combine combined
combines come comes coming comm comma command command-line.md commands commandsaborted
commandsaveraged commas commerce committed committedbytes common community compaq comparable
compare compare.md compare.swap comparecurves compared compares comparing comparison comparisons
compatibility compatibility_level complete completed completedms completetime compliance compliant
component compress compression computed computer computer's computersystems concave concerns
concurrency concurrentaccess conf confidence config config-file config.annotation
config.cpuallocation config.distributedvirtualswitch config.extraconfig config.hardware.device
config.hardware.numcorespersocket config.memoryallocation config.network.pnic
config.network.proxyswitch config.network.vswitch config.powersysteminfo.currentpolicy
config.storagedevice.hostbusadapter config.storagedevice.multipathinfo
config.storagedevice.scsilun config.version configfile configmanager configmanager.advancedoption
configmanager.datetimesystem configmanager.storagesystem configuration configurationex configure
configured confirm confirmations confirmed confirms conflict conflicts conflictspers confold conn
conn-params connect connect-src connect.md connect_time connectable connectattempts connected
connecting connection connection.client connection.facts connection.identify connection.list
connection.power connection.remove connection.save connection.saveall connection.test
connection.vcenter connectionid connections connectionsperhost connectionstate connectionsworked
connectnetwork connects connectsatonce connecttimeoutms consent consentedatms conservative console
consolidate consolidation constant contain container containerview contend content
content-encoding content-length content-security-policy content-type contentencoding contention
continue continueretrievepropertiesex contract contrib control controller controllerkey
controllerparallel controllers controllerus convert converted converted_type convex cookie cookies
copied copies copy cord core cores corespeed corespersocket corner correct corrected correction
cost costop costoppct costs could count count.lua counted counter counterid counterpart counters
countof counts course courses cow cp cpu cpu-max-prime cpu.costop.summation cpu.more
cpu.ready.summation cpu.usage.average cpu.utilization.average cpuallocation cpubusypct cpufull
cpumetric cpumhz cpumodel cpumsperop cpupct cpupct.host cpupct.host.esx-netperf.mean
cpupct.host.esx-web.mean cpupct.host.mean cpupct.host.min cpupolicy cpupowermanagementinfo
cpupressurepct cpuready cpuroom cpus cpusaturated cpushare crash crashes cray create create_only
createcollectorforevents createcontainerview created created_at_ms createdatms createdby
createdtime createelementns createfolder createfolders createsnapshot createsnapshot_task creator
crlf cross cross-origin-opener-policy cross-origin-resource-policy crossed crossedms crosses crr
css cstatemaxlatency cstateresidencycoef csv csv-acts csv-wide ctlmaxpercent ctrl ctrl-c
ctrl-click current current.new current_schemas currentcolor currentevcmodekey currentpolicy
currenttime cursor cursor.remove cursor.setattribute curve curves custom customer customer's
customerlab customerlab.list customerlab.make customerlab.parts customerlab.remove
customerlab.tables customers customisation customised customises customising customization
customizationpending customizationspecmanager customize cut cuts cv cwd cx cy cycles d.hash d.json
daemon daemon-reload daily damaged dark dasconfig dash dasharray dashed dashes dashostfailedevent
data data-chart data-line data-rest data-s data-stale data_type database database's databasebytes
databases datacenter datadir datagram datagrams datais datalossconfirmed datamover dataobject
dataset datastore datastore.allocatespace datastore.commands datastore.du datastore.free
datastore.inaccessible datastore.knee datastore.mean datastore.numberreadaveraged.average
datastore.numberwriteaveraged.average datastore.ready datastore.space datastore.spaceunknown
datastore.tiles datastore.unknown datastore.unmounted datastorebyref datastorefrom
datastorehostmount datastoreid datastorename datastoreplanned datastoreref datastorerefs
datastores date dates datetime datetimesystem datname day days db db-driver dbench dd dead deb
debian debian's debian_frontend debug decide decides decimal decimals decimalsof decisions
declares decline decode decoration deep deeper def default default-jdk-headless default-src
default_server default_type defaultintvalue defaults defaultstringvalue defaultstyle
defaultvmbehavior define defines definition deflate defs degrees delay delays delete deleted
deleted-days deleted_at_ms deletedatms deleteddays deletes delivered deliveredmeanms delivery dell
delta delta_binary_packed deltapct demand demo demo-lab.md denied denies deny depends deploy
deploy.template deployed deploys deps depth depth_zero_self_signed_cert depths derived des desc
descending described description descriptionid design designer designer's designer.md desktop
destination destroy destroy_task destroycollector destroyed destroys destroysoon destroyview
detach detached detail details detailsof detectable detectablepct detects dev device device-width
devicebase devicechange deviceinfo devicelatency devicelatencyms devicelatencyms.datastore
devicelatencyms.datastore.mean devicems devicename devicerise devices df diaconis diacritics
diagnose diagnosestudy diagnosis diagnosis.md dialog diamond did dies differ difference
differencepct differences different differs digest digests digit digits dim dimmed dir direct
direction directions directly directories directory directpath disable disable_plaintext_auth
disabled disablemultipathpath disables disconnected disconnecthost disconnecthost_task discover
discovered discovery disk disk-arrays disk.busresets.summation disk.commandsaborted.summation
disk.commandsaveraged.average disk.devicelatency.average disk.diskmaxiosize
disk.kernellatency.average disk.maxqueuedepth.average disk.maxtotallatency.latest
disk.qfullsamplesize disk.qfullthreshold disk.queuelatency.average disk.schednumreqoutstanding
disk.schedquantum disk.scsireservationconflicts.summation disk.usage.average diskbytes diskgb
diskkbps diskkind disklatencyms diskmaxiosize diskmbps diskmode diskname disks display distinct
distributed distributedvirtualportgroup distributedvirtualswitch distribution distributions
district dists disturbed div divide divided dl dnf dns do doctype document
document.createelementns document.getelementbyid document.queryselectorall
document_of_changed_part document_without_part documents does dog doing domain domains done
done_steady_s donems dontbreakrows dot dots double double-click doubles doubling doubts doveadm
dovecot dovecot-imapd dovecot-lmtpd dovenull down download download-only downloaded downs dpkg
dpkg-deb dpkg-query dpmconfiginfo dpmenabled dqlen draft drag dragged dragging drains draw drawing
drawn draws drift drift.clock drift.more drifted driven driver driver's driver-not-connected
driver.list driver.parameter.pollfreq driver.parameter.pollinterval drivercrash drivers
driverversion driverversions drives drop dropbundle dropdata dropfiles dropped dropped.repeated
dropped.unusable dropped_iterations droppedconnection droppedpct droppedrx droppedrxpct
droppedrxpers droppedtx droppedtxpct droppedtxpers drops droptag drs drs-enabled drs-mode
drs.enabled drs.md drs.restore drs.set drsbefore drsbehavior drsconfig drsdisabledevent drsenabled
drsenabledevent drsmoves drsoption drsoptions drsset drsunknown drsvmconfig drsvmmigratedevent
drsvmotionrate drsvmoverrides drsvmpoweredonevent ds dsa dss dt du dual dual-socket due duems
duplicate duplicatename duplicates duration duration_s durations during dvd dvdstore dvdstore-a
dvdstore-b dvdstore-c dvportgroup dvsname e-commerce e.classlist.toggle e.clientx e.clienty e.g
e.key e.preventdefault e.setattribute e.shiftkey e.target eacces each eachclient eaddrinuse
eaddrnotavail eai eai_again earlier earlierrunids earliest early early-abort earlyabort eaton
eatonoutlet eatonunit ebusy ecdf ecdsa echo ecommerce econnrefused econnreset edge edges edit
editcluster editdevice edited editor edits edquot eexist effect effects ehostdown ehostunreach
eight eio eisdir either elapsed elapsed_ms elapsed_s elapsed_time elapseds electron element
elements elif eloop else elsewhere emerson emfile emit empirical emptied empty emptying emulated
en enable enable-demo enabled enablemultipathpath enametoolong enclosure encode encoded encoding
encrypted end end-early-when-it-is-wasted ended endedafterms endedatms endedms ending endjob endms
endrun ends energy energywh enetunreach enfile engine engine's engine-lock.sqlite engine.disk
engine.lock enginelost enginerestarted enlarge enlarged enoent enospc enotdir enotfound enotsup
enough enter entered enteredmaintenancemodeevent enteringmaintenancemodeevent entermaintenance
entermaintenancemode entermaintenancemode_task enterprise enters entity entity_id entity_kind
entityid entityname entityof entityref entries entry entry-level entryof enum env env.duration_s
env.target envelope environ environment environmentmetrics enxio eo epdu eperm epipe epochms
epochs equal equally equiv erofs err err_stream_destroyed err_stream_premature_close
err_tls_cert_altname_invalid error error_log errorms errorrate errorrate.web.sum errors errorspers
esac esc escape estimate esx-netperf esx-sap esx-web esxcli esxi esxtop esxtop.columns etc
etimedout evacuatepoweredoffvms evaluates evc even even-bg evenly evens event eventchainid eventex
eventmanager events eventscut eventtypeid ever every everys everything everywhere evidence exact
exactly example.org examples exceeded exceeds except exception exchange exclude excluded
excluded.ended excluded.hash excluded.json excluded.name excluded.own_json excluded.record_json
excluded.state excluded.summary_json excludedvms exclusive excuseduntilms exe exec execute
executesoap execution exist exists exit exit.dog exit.tmp exitcode exited exitmaintenance
exitmaintenancemode exitmaintenancemode_task exitpollms exits expand expansion expect expectations
expected expectedkey experiment expired explain explained explains explanation export exported
exports expression expunge extendedevent extendedinfo extension extensions extent extents external
extraconfig extract extrapolated f.id f.name f.tilebench fabric face facets fact factids factor
facts fades fading fail failed failedms failid failing fails failure failurepct failures faint
fall falls false family family's fan far farther farthest fas fast faster fastest fatal fault
faultmsg faults faultstring faulty favourite favourites fc fdecea features fedora feed feeds fell
fetch fetched fetching few fewer fff ffffff ffi ffi.c.gettimeofday ffi.cdef ffi.new fflush fi
fibre field fields fifteen fifth fifty figcaption figure figure.addeventlistener
figure.dataset.chart figure.queryselector figure.queryselectorall figurebar figuregroup figures
file file's file-or-id file.import file.importplan file.importresults file.importstop
file.openbundle filebench filebench’s filebytes filekb filename files files-of-other-tools
filesystem filetext fill fill-opacity fillcolor filled fills filter filters final finalreport find
finding findingcount findingid findings findlimit finds fingerprint fingerprints finish finished
finite fio fire firewall firewall-cmd firewalld firewalls firmware firmwareversion first
first-order first_valid_gid first_valid_uid firstfail firstfailedrun firstkey firstmailbox
firstqosfailure fit fits fitto five fix fixed flag flags flash flat flatpak flatten flattens flaw
flex flex-shrink flex-wrap flight flock floor flow flush flusheveryms focus focus-visible fold
folded folder folder's folderdepth folderpart folderref folders follow followed following
followjob follows followtask font font-face font-family font-size font-src font-variant-numeric
font-weight fontface fontof fonts fontsdir fontsize fontsource fontsource-variable footer for
forbids force force-confold forceflush foreach forecast foreign foreign_keys forget form
form-action format formatid formats formats.md forms formula forty forty-eight forward found four
four-socket fours foursockets fourth frame frame-ancestors frames free freebytes freed freedman
freedom freelist freelist_count freespace freetext fresh from from_ms fromms frompers froms
fromzero front frontend fss fujitsu fulfilled full full-log full-rtt fullats fuller fullest
fullformattedmessage fullname fully fullyautomated function further furthest future g.off gain
gains gallery gallery.install gallery.list galleryid gap gapms gappct gaps gate gateway gather
gave gaveup gb gbe gbps ge general generally generate generates generation generations generator
generators geometric geometricmean get getattribute getboundingclientrect getcustomizationspec
getelementbyid getent gets gettimeofday ghz gib gid give given gives global go go-tpc go.compare
go.connections go.home go.lab go.labplace go.mod go.plans go.profiles go.runs go.settings
go.studies go.testbeds goarch goes going golang golang-go gone good good-bg goon goos got govc gpg
gpg-pubkey gracefully gracems grant granted granted_at_ms grants greater greatest grep grew grey
grid grid-template-columns group group_reporting groupdel groupinfo groups grow growing grows
growstobytes growth gt gu guaranteed guards guessed guesses guest guest-bundles guest.bundles
guest.cancel guest.changed guest.dropbundle guest.hostname guest.ipaddress guest.plan guest.retry
guest.start guest.status guest.takebundle guest.toolsrunningstatus guest.toolsstatus
guest.toolsversion guest_jobs guestbundles guestfullname guestjobs guestlatencyms guests guests.md
guesttoolsrunning guest’s guide gzip h.archived_at_ms h.created_at_ms h.deleted_at_ms h.entry
h.favourite h.findings h.folder h.hosts_json h.id h.kind h.notes h.purging h.storage_bytes
h.text_version h.thinned_at_ms ha ha-cli-handler had haenabled half half-full half-way hand handle
handler handlers handlesummary handshake hanging hangs happen happened happens hard hardly
hardware hardware.biosinfo hardware.cpupowermanagementinfo hardware.systeminfo hardwareversion
harm harpertown has hasdevices hasended hash hashed hashes haslengths hasprivilegeonentities hat
hatched have hba hbadepth hbagbps hbaports hbaqueue hbaqueuedepth hbas hdrhistogram head headed
header headerrows headers headless headline headlinelevel headlines headroom heads healthy heard
heardms heart heart-beat heartbeat heat heavy heavy's hebrew height held heldby hello help
help.shortcuts helper helps here hex hidden hide hides hideswaits high high-performance higher
highest highlighted highlightkey highpct highwatermarkpct hint histogram history history.annotate
history.archive history.changed history.compare history.delete history.deleted_at_ms
history.export history.facets history.favourite history.folder history.id history.kind
history.list history.md history.notes history.purge history.raw history.restore
history.retention.get history.retention.preview history.retention.set history.saveview
history.search history.selectall history.storage history.tags history.undo history.unreadable
history.views history.views.list history.views.remove history.views.save history_of_run
history_of_study history_tags history_text history_views history_without_run history_without_study
hit hits hitshare hlinecolor hlinewidth hold holdoff holds holdssystem hollow holm home homeof
homogeneous honest hop hops host host's host.biosdiffers host.builddiffers host.clockoffset
host.clockunknown host.config.connection host.config.maintenance host.config.storage
host.disconnected host.esxtop host.homogeneous host.inventory.editcluster host.login
host.maintenance host.maintenance.exit host.memory host.missing host.modeldiffers host.notready
host.powerpolicy host.powerpolicybalanced host.powerpolicydiffers host.powerpolicylow
host.powerpolicyunknown host.queue host.ready host.reconnect host.unknown host.vcpu host.vmtoowide
hostbusadapter hostbyref hostclocks hostcommunication hostconnectedevent hostconnectfault
hostconnectionlostevent hostcpu hostdatetimesystem hostdisconnectedevent hostdown hostfails
hostfrom hostid hosting hostjoins hostkey hostleaves hostlogins hostmemory hostname
hostname_mismatch hostnames hostnotreachable hostplanned hostreconnectionfailedevent hostref
hostrefs hosts hosts-and-their-vms hosts-that-are-logged-in-to hosts.deny hosts.least hosts_json
hostscsidisk hostshutdownevent hostsimbalanced hostsjson hostsoftware hostspecific hostsperloop
hostsperloopsource hoststate hostsystem hostunreachable hostverifier hostvms hotmigrate hour hours
hover how however hp hpe hpe's ht htm html http http-equiv http_req_duration http_req_failed httpd
httpd_sys_content_t https hundred hundredth hung hup hyndman hyper hyper-threading hyperthreadgain
hyperthreads hypervisor hypervisors hyphens hypotheses hz ib ibm ico iconv id id_like
identifiertype identifiervalue identify identities identity identityfile idle idle_time idlebefore
idlepower idlew idof idrac ids idsofplan ieee if ifs ignore ignore-error ignorebom ignorecase
ignoreundefined ii ilo images imap imap-login imapd imapport imaptest imbalanced img img-src
import imported importedfrom importing importplan importresults imports importstop impossible
improvement in in_flow_delay inaccessible inbox include included increased increases incremental
incremental_vacuum incubator independent index index.html index.ts index_bg.wasm indexed indexof
indicates inet inet_interfaces infinity info information information_schema
information_schema.schemata information_schema.tables infra infra.adopt infra.gap infra.loops
infra.restore infrastructure infrastructuremissing inherit init init-groups initdb initial
initial-scale inject inlet inline inline-flex inmaintenancemode innertype input inputs ins insert
inside install install-recommends install_weak_deps installed installs instance instanceuuid
instead instruction instructions insufficientresourcesfault int integer intel inter interact
interactive interesting interfaces interim interim_result internal internal-sftp internet
interpolated interquartile interrupt interrupted interrupts interval interval_s intervalid
intervalms intervals into inturns intvalue inunit invalid invalid_type invalid_union invalid_value
invalidargument invalidhoststate invalidinput invalidlocale invalidlogin invalidname
invalidpowerstate invalidstate inventories inventory inventory.after inventory.discover
inventory.get inventoryafter inventorybefore io io-ramp io.flush io.write iocontrol iodepth
ioengine ioerr iofactor iometer iometer's iopressurepct iops iops.datastore iops.first iops.last
iops.mean iormconfiguration iormconfiguration.enabled ios ip ipaddress ipairs iperf iphash iputils
iputils-ping irq is is-active is-enabled isadjustedtoutc isalone isback iscommand iscsi isdue
isfull isgranted ishelper islow ismade isnew isontarget ispart ispingdue isplain isreport
isrunning isshipped isstep issue issuer issues istrusted istty it item items itemspercall
iteration iterations its itself jammy japanese java jcgm jdk jdurations jitter jitter_ms jitterms
jjmeter jjmeter.save.saveservice jjmeter.save.saveservice.autoflush
jjmeter.save.saveservice.output_format jjmeter.save.saveservice.successful
jjmeter.save.saveservice.time jmeter jmeter.log jmeter.save.saveservice.timestamp_format jmeterxml
jmx job job's job_id job_runtime jobid jobname jobs jobstatus join joinafters joincluster joined
joineverys joins joint joules journal journal_mode journalctl journalled jp js json json-stream
json.parse json_array json_each json_extract json_type json_valid jtarget jtl judge judged
judgement jump jumpid jumps just k.run_id k.run_key kappa kb kbps keep keep-alive keepalive
keepalive_requests keepalivecount keepalivecountmax keepaliveinitialdelay keepaliveinterval
keepaliveintervalms keepfavourites keepmax keeps keepvms keepwithheaderrows kept kernel
kernellatency kernellatencyms kernelms key key.pub keyboard keyboard-interactive keychain keydown
keygen keying keys keytype kib kill killed kilowatt kilowatts kind kindof kinds kit knee kneedle
knees know known known_hosts knownmiss knows korean kr kusek kvm kvmetadata kw kwh l.label lab
lab's lab.changed lab.clearfault lab.close lab.faster lab.fault lab.open lab.pace lab.pause
lab.practice lab.slower lab.status label labelled labels labid labof labplace labs labsof lacks
lag lagms lags laid lain lambda landscape lane lang languages laptop large largeinterleave larger
largeratio largest last last_ms last_over_time lastcountersms lasted lastendms lastindex lastms
lastn lastpass lasts lastsamplems lastss lasttimes lasttms late late-end latems latencies latency
latency.vms latency_at_end_ms latency_before_ms latencyafterms latencybandpct latencybeforems
latencycount latencymaxms latencymeanms latencymeanms.io.mean latencymeanms.mail.mean
latencymeanms.rac.mean latencymeanms.web.mean latencyms latencynssum lateness latenesslimitms
later lates latest latin launch launched launches law lay layout layout-rules.md layout.rules
layout_wide layouts lays lazyentries lb lc lc_all ldflags le lead leading leads leaf learnt least
leastbefore leastfactor leave leaveout leaves left leftgb leftout leftovers legend length
length_us lengthbytes lengthen lengths lenovo less let letrun lets letter letters level levels lf
li lib lib.line libaio libraries library library’s licence lie lies life light lights like likeid
likeliest likelihood likely limit limitations limited limitedby limitms limits limitsms line
line-buffered line-height line-through line.decimals line.gap line.t line.t.length line.v linear
lineheight lines link link's links linkspeed linkup linkwithdrops linux list list-cleanup
list-style list.changed list.filter list.foreach list.indexof list.length listed listen
listen_addresses listened listener listens lists literal little live liveness livenessms lives
lmtp lmtp_destination_concurrency_limit lmtpd ln lo load load-based loadbased loaded loadedfirst
loadfile loadgen loadgenheavy loads local local_recipient_maps local_transport_retrans locale
localityweightactionaffinity localizedmessage locally location lock locked locking locking_mode
locks log log-file logged logging logical logical_type login loginid logins logout logs long
longer longest look look-ahead look-behind looked lookedms looking looks lookup loop loopback
loops lose loses loss lossboundpct losspct lost lost_percent lostms lostpct low lower lowest
lowlatency lowpct lowwatermarkpct lpage ls lsblk lsom lszf lt ltr lua lun lun's luncommands
luncount luneach lunevents lunids lunqueue luns lunsanarray lunslow mac macaddress machine
machine's machineid machines made madeatms madefolder maerts mail mail-scale-out mail_gid
mail_location mail_spool_t mail_uid mailbox mailboxes maildir mailfile main maintenance
maintenance.none maintenance.used maintenancedatastore maintenancedatastoreid maintenancemode make
make.ts makefolder makeit maker makers makes makestep manage manage_etc_hosts
managedobjectnotfound management manager managers manifest manifest's manifest-src manifest.json
manifestbytes manual many map mapped maps margin margin-top marginally mariadb mariadb-server
mariadbd markdown marked marks markup match matched matches math math.abs math.floor math.max
math.min matrix mawk max max-content max-height max-width max_connections max_latency max_length
maxbackoffms maxbuffer maxbytes maxcachedsessions maxchars maxcount maxcpuload maxdepth
maxfreesockets maxfreqpct maxima maximum maximumfractiondigits maximumtiles maxitems maxms
maxnodes maxobjects maxoutputlength maxperiodms maxpers maxpoints maxprime maxqueuedepth maxrate
maxsockets maxstartups maxtotallatency may mb mbox mbps mbytes md mean mean_latency meaning meanms
meanpowerw means meant meanw meanwhile measure measured measuredby measuredms measurement
measurements measures measuring mechanisms media median medians mediatype medium meet meets
megabyte megabytes mem mem.active.average mem.allocguestlargepage mem.ctlmaxpercent
mem.shareforcesalting mem.sharescanghz mem.sharescantime mem.swapinrate.average
mem.swapped.average mem.swapused.average mem.usage.average mem.vmmemctl.average memavailable
member members memory memoryallocation memorybytes memorygb memorykb memorymb memorypct
memorypressure memorypressurepct memoryreservationmb memoryshare memorysize memorysizemb memtotal
mend mended mends menu message message.extendedinfo messagebytes messagekb messagepack messages
messagesizekb met meta meter meter's metered meters metersilent method methodnotfound methods
metric metricid metrics mhz mib mibs microcode microsecond microseconds mid middle migrate
migrated migratedfrom migration migrationfault million millis milliseconds min min-height
min-width mine minfreqpct minimum minimumhosts minimumversion minute minutes minversion mirror
mirrored mismatch miss missed misses missing missingprivileges missings missingset mistake mix
mixed mjs mkdir mkfifo mktemp mlcommons mm mmb mmb's mod mode model modeldiffers modelled models
moderate modify modules moid moment monitoring monospace month more morenodes most mount mounted
mountinfo mountpoint mounts mouse move moved moveinto moveinto_task mover moves moving ms msec
msgs mtime mtu much multipathinfo multiple multiverse must mv mydestination myhostname mynetworks
mysql mysql-db mysql-host mysql-password mysql-port mysql-socket mysql-user mysql.user mysqld naa
name named nameinfo namelength nameof namepattern names naming nan nap narrow native natively
ndjson near nearest nearly need needbytes needed neededgb needkib needs negative nehalem
neighbours neither nested nests net net-snmp net.droppedrx.summation net.droppedtx.summation
net.packetsrx.summation net.packetstx.summation net.usage.average netbios netbytes netgbps
netgbps.uplink netkbps netkbps.uplink netperf netperf's netserver network network.assign
networkref networks never new new.created_at_ms new.entry new.hash new.id new_order newer newest
newkey newpage next next_k nfc nfs nginx nginx's nginx-light nic nics nil nine nineteen nmp no
no-check no-color no-defaults no-favourite no-install-recommends no-pager no-referrer
no-same-owner noble nobody noborders node node-ssh node_modules nodelay nodes nodroppedconnection
nogroup noise noiseband noisepct nolimit nominal non non-compliant non-free none noninteractive
nonoptional nopasswd nopermission nor normal normalise normalised nosniff not not-a-file not-ours
not_measured_s notauthenticated notcomparable notcompliant notcounted notdiscovered note noted
notehead notes notes_changed_at_ms noteslength notestart notfound nothing notice noticed notices
notimplemented notjudged notmeasured noto noto-sans-arabic noto-sans-hebrew noto-sans-jp
noto-sans-kr noto-sans-sc notown notready notresponding notrim notset notsupported nottold
notvisible now nowhere nowms nowrap nproc nproof nr nro ns nsubject ntp nul null nullable num
num_children numa numa.largeinterleave numa.localityweightactionaffinity numa.pagemigenable
numa.preferht numa.rebalanceenable number numberreadaveraged numbers numberwriteaveraged
numcorespersocket numcpu numcpucores numcpupkgs numcputhreads numeric numjobs numpy nums nut
o.hash obj object objectmode objects objectset observation octet octet_length odata odata.id of
off offer offered offers offline offloads offpct offs offset offsetms ofplan often oid oids ok ol
old old.entry old.hash old.id older olio oltp oltp_point_select oltp_read_only oltp_read_write
oltp_update_index oltp_write_only omitted on onarraybegin onbadrow once onchannel oncommand
ondocument one one's one-tile onejob onepertile ones oneself onesided onesummary onexit onfacts
onfailure ongap onhead oninternal onjunk onkeyboardinteractive onlistening onliteralvalue only
onmessage onobjectbegin onopenfile onother onoversized onport onprogress onrow ons onstanding
onstate onstderr onstdout ontask ontestbed onto onwarning op opacity opaquenetwork open
open-driver open-driver-quick open-driver-tile open-vm-tools openafter openbundle opened
openedwith opener openfile opening openjdk opens openssh openstack openstack's opentag operands
operating operation operationid operations operations.md operationswatched opteron option optional
options or order order_line ordered orders ordinal org origin original originms orphaned os other
otheridentifyinginfo others otherversion otherwise our ours out out.ndjson outage outages outbound
outcome outlet outlets outliers outline outline-offset outlines outlive output output-format
outputs outputtype outside outstanding over overall overcommitment overcommitted overfill
overfills overflow overflow-wrap overflow-x overhead overheads overlay overlimit overrides
oversized overtime overview overview.series overviewof overwrite overwritten owed own own-stories
own_json owner ownerref ownmoves p.edited-since p.json p.profileid p.run_id p.study_id p.testbedid
p.tilebench pace pack package package_update packages packages-and-changed-settings packed packet
packets packetsinperop packetsoutperop packetspers packetsrx packetsrxpers packetstx packetstxpers
packetstxpers.uplink packing padding padding-bottom padding-left padding-top paddingbottom
paddingleft paddingright paddingtop padjusted padstart page page_count page_size pagebreak
pagebreakbefore pagemargins pagemigenable pageorientation pager pages pagesize pair pairs pale
palette pan panel paper papers paragraph param parameter parameters params paravirtual parent
parentid parentref parents parquet parse parser part partbytes parted partially partiallyautomated
partner parts parts.infrastructure pass pass-through passdb passed passes passfile passid
passphrase passphrases passthrough passwd passwd-file password passwordexpired passwordfile
passwords past paste pasted patch path path.off pathlost pathname paths pathset pathstate pattern
patterns pause paused pausems pauses pausesignal pausess pausing payload payment pct pctmember
pctnew pctrating pctreview pdf pdf.ts pdfmake pdh pdh-csv pdu pdu's peak peakpct peer peerid
peername peers pem pending pendingcount pendinglogin people per percent percentage
percentage_random percentile percentiles perf perfbias perfbiasenable perfcounter perfectly
perfmanager performance perhour period periodindex periodms periodrule periods periodssource
perkind permanent permission permissions permit permit_mynetworks perop perrun pers person perunit
pg pg_database pg_roles pgbench pgbench's pgbench_accounts pgbenchlog pgconnect pgconnect_timeout
pgid pgpassfile phase phases phasesplanned phasessource physical pib picked picks picture pictures
pid pill pin ping pingedms pinned pins pipe pipeline pk pkgcache place place.notvisible
place.outside placed placedatms placeholder placeholders placement placement.cut placement.drs
placements placems places plain plainly plaintext plainword plan plan's plan-or-testbed plan.acts
plan.acts.target plan.check plan.checkone plan.earlyabort plan.id plan.import plan.infrastructure
plan.infrastructuremissing plan.list plan.md plan.period plan.practicelab plan.previewimport
plan.profileid plan.rampup plan.reference plan.referencemissing plan.referencerunid plan.remove
plan.report plan.save plan.scoring plan.scoring.weights plan.smoke plan.sound plan.stagger
plan.testbed plan.waive planfile planhash planid planname planned planned_steady_s plannedendms
plannedms plans planted plants plateau play played player plug plugs pm png pnic point point's
pointer pointerleave pointermove pointing points poisson policies policy polite politis polled
pollers pollfreq polling pollinterval pollms polls pong pool pooled poolref pools pop pop-ups port
portgbps portgroupkey porthash portid portrait ports portsatstart position positive possible
possibly post postdrop posted postfix postfix's postgres postgresql postgresql-contrib
postgresql-server postgresql-setup posts power power-dev power.answers power.counter
power.cpupolicy power.cstatemaxlatency power.cstateresidencycoef power.energy power.lag
power.maxcpuload power.maxfreqpct power.md power.minfreqpct power.missing power.none
power.perfbias power.perfbiasenable power.power.average power.powercap.average power.timerhz
power.usecstates power.usepstates poweraboveidle powercap powercapw powerconsumedwatts
powercontrol powerdetail powered poweredge poweredoff poweredon powerids poweringon powerlimit
powermax poweroff poweroffvm poweroffvm_task poweron poweronvm poweronvm_task powerperiod
powerpertile powerpoint powerpolicy powerpolicybalanced powerpolicydiffers powerpolicylow
powerpolicyunknown powers powersafe powerstate powersysteminfo powerw powerw.sum.max
powerw.sum.mean pp pps pptx pptx.ts pptxgenjs practice practice-lab.md practicelab practices pre
pre-flight pre-wrap precision prefault preferht prefers prefers-color-scheme prefix preflight
preflight.md premature preparation prepare prepared preparedas prepares preparing present
present.md presenter presents preserveleadingspaces press pressed presses pressure pressurepct
pretty pretty_name preventdefault preview previewimport previous primary prime primergy primes
print print-architecture print-color-adjust printadmin printed printers printf prints privacy
private privatekey privavailability privid privilege privilegeid privileges privprotocol
probability probe problem problems proc process process_limit process_min_avail processes
processor processors product product’s profile profile's profile-likelihood profile.id
profile.import profile.list profile.remove profile.save profileid profilename profileof
profilepath profiles profiles.md program programs progress progress-timestamp progressjson
progresskey progresspct project proliant prometheus promised proof propagation properties property
propertycollector proportion propose proposed proposes props propset protocol protocol.md prove
proves provision provision.cancel provision.changed provision.cleanup provision.md provision.plan
provision.retry provision.start provision.status provision_jobs provisioned provisioning
provisions proxmox proxyjump proxyswitch pseudonym pseudonyms psql pt ptd ptdaemon pub pubkey
public published publishedat pulls purg purge purged purges purging purpose push put
put_back_steady_s putchunk putfacts putfile putjob putjournal putkit putlog putparts putpoint
putrollup puts putseries puttag puttail puttext putting pwd px py qa qf qfullsamplesize
qfullthreshold qi qos qos_broken_s qoseveryperiod qosfailed qospassed qszf quality
quality-of-service quantiles quantity quarter quartiles qued query query-files query-port
query_only querydatetime queryoptions queryperf queryselector queryselectorall queryspec question
question's questions queue queue's queued queuedcommands queuedepth queuedms queuelatency
queuelatencyms queueload queuems queues queuetime queueusedpct quick quick_check quiesce quiet
quit quot quota quote quoted qx r.ended r.id r.record_json r.summary_json rac rack racks radius
raid rail raise ramp ramp-down ramp-up rampdown rampdowns ramps rampup rampups ran random
randomblocks randomkb randompct randomread randomshare randomwrite randread randrw randwrite range
ranges rank ranked ranks ranms raritan raritanenergy raritaninlet raritanoutlet rate rate_iops
ratedghz rateiops rates rateunit ratio ratios raw rawsql rdmfilter reach reachable reached
reachedpers reaches read read-only readable readbychecks readbytes readcachemb reader reading
readings readingtime readiops readiops.datastore.sum readjobfile readknownhosts readlink readmbps
readnextevents readonly readpct readrandom reads readshare readtextfile ready ready-made readyms
readypct readytimeout real real-time realign realpower reason reasons rebalanceenable rebooted
rebuild recall receipt receive receivebytes received receivedmessages receiver receiver's receives
recenttask recipient recipients reclaim reclaimed recommended recommends
reconfigurecomputeresource reconfigurecomputeresource_task reconfigured reconfigvm reconfigvm_task
reconnect reconnecthost reconnecthost_task record record_json recorded recording recordof records
recover recovered recovery recovery_s recoverys rect recursive red redact redacted redacted-bundle
redaction redactor redfish redhat redirects redo reeder ref reference referenceid referencelabel
referencemissing referencerunid references referencesfrom referencesource referencetooffer
referrer referrer-policy refers refof refresh refs refusals refuse refused refuses regex regexp
regid region register registering regression regular reject reject_unauth_destination rejected
rejectunauthorized relabelling relate relationship relative relay release releasedate relieves
relieving reload relocate relocatevm relocatevm_task remark remedy remembered remembers remote
remote_transport_retrans removal remove remove-port remove_diacritics removechildren removed
removeemptyfolder removehost removes removesnapshot removesnapshot_task removestudy removetags
removeview removing remv rename renamed reordered repair repeat repeatable repeated repeatedlines
repeats repetition repetition_type repetitions replace replaceable replaced replacements replaces
replacetables replay replay's replay.md replayed reply report report-interval report.compare
report.html report.md report.preview report.progress report.run report.studies report.study
reported reporting reports reports.md repositories repository repository's req request
requestbytes requestcanceled requests requesttimedouterror require required requirement rerun
rescan reservation reservationconflictspers reservationmhz reservations reserve reserve.bin
reserved reservedmb reset reset-failed resets resolution resolve resolved resolves resource
resource.assignvmtopool resource.coldmigrate resource.hotmigrate resourceinuse resourcepool
resourcepoolref resourcepools resources resourcesdir respond responding response response-time
response_code response_message responsebytes responses rest restart restarted restarts restore
restored restoredatms restorems restricted restrictedversion restrictions rests result result's
resultname results results-file results.md resume resume_json resumestudies resvg resvg-wasm
retention retention.thinned retired retrans retransmitrate retransmits retransmitted retries
retrievemanagedmethodexecuter retrievepropertiesex retrieveservicecontent retry retry-after
retry-count retry-interval retrypausems return returns returnval reuid reusedsocket rev reverse
review reviews reviewsperproduct revoke revoked rewindcollector rf rhel right rights rise rises rl
rm rmdir robin roboto rocky role role.create role.sh roleid roles rollup rollups rolluptype
rolname romano room root rootdir rootfolder rootsnapshotlist rotate rotation roughly round
round-robin rounded rounding roundrect roundrobin route row row.length rowgroupsize rowid rows
rowsread rpdu rph rpm rps rr rsa rt rt_tot_lastn_max_msec rt_tot_sampled rtt rule ruleid rules run
run's run-relative run.abort run.actdone run.active run.annotate run.changed run.compare
run.diagnose run.distributions run.esxtop run.export run.json run.letrun run.list run.log run.md
run.new run.note run.ofplan run.overview run.record run.remove run.replay run.samples run.series
run.start run.tidy run_documents run_events run_id run_key run_keys run_parts run_parts.run_id
run_parts_by_hash runcmd runid runids runms runner running runon runs runs.created_at_ms runs.id
runs_by_created runs_unfinished runsof runtime runtime.connectionstate runtime.host
runtime.inmaintenancemode runtime.powerstate runtimems rvtools rw rwmixread s.id s.json s.name
safe said salt samba samba_share_t sambashare same same-origin samemachine sample sample-days
sample_count samplecount sampled sampledays sampleinfocsv samples samples.bin sampling
sampling-rate sandbox sandboxed sans sans-serif sap sas satterthwaite satterthwaite's saturated
saturatedpct saturatedseconds saturates saturation save saveall saved saved_at_ms savedatms
savefor savejob savelog saveprogress saves saveservice savestudy saveview saving saw say says sbin
sbtest sc scalability scalable scale scale-out scaled scales scaling scatter scenario
schednumreqoutstanding schedquantum schedule scheduler scheduling schema schema_name schemas
schemata schemaversion scheme scipy scope score score.application score.infrastructure scored
scoredagainst scoreperkw scores scoring scoring.infrastructure scoring.infrastructure.operations
scoring.overall scoring.overall.source scoring.source scrape screen script script-src scripts
scroll scrolls scsi scsidevice scsilun scsireservationconflicts scv sdk se search searched
searches searchfields searching sec second seconds secret secret_grants secrets secs section
sectionnote sections sector secureconnect security sed see seed seeded seeds seek seekms seen
seenms sees segment segments select select-only selectall selected selection selectset self
self-signed self_signed_cert_in_chain selinux selinuxenabled sell semicolon send send-mail
sendbytes sender senders sendfile sending sendmail sends sensitivity sensor sensors sent
sent_bytes sentence sentences separate separator separators seq sequential sequentialread
sequentialwrite serial serialnumber serialnumbertag series series_id seriesid seriesids serif
serve served server server's serverandstorage serverhostkey servername servers serves service
service_count serviceinstance services servicetag session sessionid sessionkey sessionmanager
sessions set set-cookie set-up set-ups setactiverun setattribute setdrs setin setopt setpath
setpriv sets setsid setsmokerun setting settings settle setup setuphash seven seventeen several
severities severity sftp sh sha shaded shall shape shapes share shared shareforcesalting shares
sharescanghz sharescantime sharp shed sheet sheets shelf shell shelly shift shift-click shifted
shiftkey shifts shipped shm shop shops shoptier short shortcut shortcuts shorten shortens shorter
shortly shortname should show showed shown showpoint shows showtime shrink shuffled shut si side
sides sig sigabrt sigalrm sigfpe sight sights sighup sigint sigkill sigma sign signal signature
signatures signed signs sigpipe sigquit sigsegv sigterm silence silent silentms sim simload simple
simple-update simulate simulated simulator simulator's since sincems single single-server
single-socket singleserver sink sinks sit site sites six sixteen size size.height size.left
size.top size.width sizebytes sizefrom sizegb sizekb sizemb sizes skip skip-name-resolve skipped
sleep sleeping sleeps slept sleptms slice slices slide slider slides slight slope slopepermin slot
slots slow slower slowest slows small smaller smallest smb smbd smoke smoke.run smoke.silent
smokerun smokerunid smtp smtp_dns_support_level smtpauth smtpd smtpd_client_connection_count_limit
smtpd_client_connection_rate_limit smtpd_client_message_rate_limit smtpd_peername_lookup
smtpd_relay_restrictions smtpport snap snapshot snapshot.remove snapshotcount snapshotdigest
snapshots snapshots.md snapshotstorm snapshotvmrefs snippet snippets snmp snmpd snmpsim so soap
soapaction soapenv sock socket socketdrops sockets sockperf sockperf's software softwarenote solid
solid-state solution some somebody somebody's someone something soon sooner sort sorts sound
source source's sourced sourcehost sourcelist sourceparts sources sources.list space spaces
spaceunknown span spans spare speak speaker speaking speaks spec specification specifications
specjson specof specpower specpower's specset specweb speed speedmb speedmbps speeds spelling
spends spindles split spoil spool spoolss spread spreads spreadsheet sql sqlite sqlite_busy
sqlite_error sqlite_full sqlite_ioerr sqlite_readonly sqlite_schema square sr src srcpkgcache srv
ss ssd sse ssh ssh-add ssh-dss ssh-keygen ssh-rsa ssh_auth_sock ssh_config sshd sshd_config ssl
ssl-cert sslmode stack stage stagepauses stages stagesize stagger staggered staggers stale stalems
stalledus stamp stand stand-in stand-ins standalone standard standarderror standby standbyalive
standing stands star stars start start.tmp startbackups started startedatms startedms starting
startjob startms startplacement starts startsatonce starttime startunixns stat state stated
statement statements states static stationary statistics stats statsmodels status status-abbrev
status-interval statussns statussns.energy.power stay stayed stays staysonclient stdbuf stderr
stderrtail stdin stdout stdoutbytes steadier steady steadyendms steadys steal stealpct steepen
steepens step stepped steppedms steps still stock stole stolen stood stop stopped stopping
stoprule stops storage storage_bytes storagebytes storagedevice storagedeviceinfo
storagedeviceinfo.hostbusadapter storagedeviceinfo.multipathinfo storagesystem storagevmotion
store stored storedversion storefailed storemetrics storepatiencems storerefs stores stories storm
story story-b story.export story.json story.list story.preview story.remove story.save
story.tilebench storyid straight stray strays stream streams strength stressed stretch stretches
strict strictfilenames string string-value string.format stringvalue strip stroke stroke-dasharray
stroke-width strong strong.bad strongest struct stuck stuckms stucktaskms studies
studies-on-real-peers.md studies.md study study's study-file study.changed study.compare
study.diagnose study.json study.lab study.list study.new study.overview study.pause study.remove
study.rerun study.save study.start study.toggle study.whatif study_id study_points study_progress
studyid studyname style style-src styletile sub subject subjects submission subscribe subset
subset-font substr subsystem succeeded success successful such sudo suffer suffix suggested
suggestion sum sum_bidir_reverse sum_received sum_received_bidir_reverse sum_sent
sum_sent_bidir_reverse summaries summary summary-export summary.config.guestfullname
summary.config.instanceuuid summary.config.memorysizemb summary.config.numcpu
summary.config.product summary.config.template summary.config.uuid summary.hardware
summary.storage summary_json summation summed summs sums sun sunrpc supermicro supervisor supplies
supply support supported sure sushy sushy-static sushy-tools suspended svg svg.appendchild
svg.getboundingclientrect svg.queryselectorall svg.viewbox.baseval swap swap-in swapin swapinkbps
swapinrate swapmb swapped swaps swapused sweep sweeps swept switch switched switches switchuuid
symbol synchronisation synchronous sys sysbench sysbench's sysbench-cpu sysbench-oltp system
system's system-ui system.read system.view systemctl systemd systemerror systeminfo systems sz
t.findings t.hosts t.id t.marks t.name t.profile t.rowid t.testbed t_ms t_s tab tabindex table
table-header-group table-size table_name table_schema tables tablesize tabs tabular tabular-nums
tag tag_key taglength tags tagsof tagsperentry tail tail_by_run take takebundle taken taken_at_ms
takenatms takes takeshost takess talk tall tar target targetformat targetid targetmode targetrate
targets task taskinprogress taskqueuems taskref taskrunms tasks tasmota taus tb tb_alive tb_began
tb_boot tb_bytes tb_child tb_code tb_d tb_dir tb_fail tb_g tb_group tb_here tb_i tb_l tb_left
tb_limit tb_marked tb_n tb_nap tb_now tb_ours tb_out tb_p tb_q tb_ran tb_reason tb_root tb_run
tb_running tb_s tb_seen tb_sig tb_signal tb_status tb_strays tb_tool tb_until tb_up tb_wait tbody
tbpid tcp tcp_crr tcp_maerts tcp_rr tcp_stream td td.bad td.even td.good td.strong team teaming
teamuplink technical technologies technology telemetry telemetry.series telemetry.silent
telemetry.uplinks telemetrystop tell tellers tells tellserrors temperature template template's
templateref templates ten tens tenth term terse test test_start testbed testbed's
testbed.duplicate testbed.export testbed.import testbed.json testbed.list testbed.md testbed.new
testbed.power testbed.profileid testbed.remove testbed.restore testbed.save testbed.version
testbed.versions testbed_id testbed_versions testbedid testbedname testbednames testbeds tested
testing testparm testrundurationms tests text text-align text-anchor text-decoration
text_of_history text_version text_without_history textbytes textcontent textlength textnotes texts
texttags th than that the the-red-hat-family thead their theirs them theme themselves then there
these they thin thing things think thinking thinkms thinks thinktime thinned thinned_at_ms
thinnedatms thinprovisioned thins third thirds thirteen thirty this those though thousands thread
thread_counts thread_name threading threadname threads three threshold thresholds thresholdsource
threw throttles through throughout throughput throughput.database.sum throughput.dvdstore-a.sum
throughput.file.sum throughput.io.sum throughput.java.sum throughput.mail.sum throughput.olio.sum
throughput.rac.sum throughput.web.sum throughput_at_end throughput_before throughput_unit
throughput_units throughputafter throughputbefore throughputs throwifnoentry tib tick ticked
ticket ticks tidy tidying tier tierconnections tierpattern tiers tierstart tigerton tightest tile
tile's tile-based tile.invalid tile.split tile.uncounted tile.workloads tilebench tilebench's
tilebench-bundle tilebench-bundle.json tilebench-dbench tilebench-files tilebench-fonts
tilebench-kit tilebench-simload tilebench.bye tilebench.fio tilebench.log tilebench.mark
tilebench.marks tilebench.port tilebench.run tilebench.sqlite tilebench.version tilebench_data
tilebench_job tilebench_root tilebench_secret tilebench_time tilebenchbundle tilebenchplan
tilebenchresults tilebenchrun tilebenchsnapshot tilebenchstory tilebenchstorybundle tilebenchstudy
tilebenchtestbed tilebenchtiles tilebench’s tileindex tilekit tilekit's tilekit-dvdstore
tilekit-file tilekit-mail tilekit-net tilekit-orders tilekit.json tiles tiles.most tilestarted
time time_based time_us timecolumn timed timedout timelimits timeline timemillisecs timems timeout
timeouterror timeoutms timeouts timepath timerhz timers times timesecs timestamp timestamp_millis
timestamp_ms timeunit tinted title titled tls tmp tms tn to to_ms tofixed together toggle token
tokenize told toldatms tolerance tolerances toms tone tones tonumber too too_big too_small took
tookms tool tool's tools toolsok toolsold toolsrunningstatus toolsstatus toolsunknown toolsversion
top tos tot total total_changes total_ios totals touch touched touches tpc tpc-b tpc-c tpcb
tpcb-like tpcc tps tr trace traffic transaction transactions transcription transfer transform
translate transparent transport trap travel traversalspec tray trend triangle tried tries trigger
trim trimpath trims trip triples trips trixie true truetype truncate truncated trust trusted
trusted_at_ms trusted_plans trusting trustplan truststore try trying trykeyboard ts ttf tukey
tuned turbo turn turns twelve twentieth twenty twice twin two two-host two-segment two-socket txt
type typed typedef ubuntu ubuntu's udp udp_rr udp_stream ui ui-monospace uid ul umask unable
unable_to_get_issuer_cert unable_to_get_issuer_cert_locally unable_to_verify_leaf_signature
unaligned uname unassigned unauth unbreakable uncertainty uncertaintypct uncertaintyw unchanged
uncommitted uncommittedbytes uncounted undefined undelivered under underscore underscores
undertest undo undoes undone undrawn unequal uneven unevenpct unexpected unexplainedms unfinished
unfold unfolded unfolding unfolds unicode unicode-range unicode.json union unique unit unitinfo
unitnumber units unitsperop universal universe unix unix_listener unknown unknown-ups unknownfault
unless unlisted unload unloadms unloads unmade unmatched unmeasured unmounted unnamed unpack
unpacked unpackedbytes unpacks unplaced unproven unreachable unread unreadable unrepresentable
unresponsive unrounded unsafe unsafe-inline unsandboxed unseen unset unstored until untilms
untrusted unusable unused up update update.changed update.check update.hold update.state updatems
updates upgrade upgraded uplink uplink.none uplinkdown uplinkgbps uplinkid uplinklost uplinks
uplinkuse upload uploadid uploads upper ups ups.conf ups.realpower upsc upsd upsd.conf uptime
upwards uri url url-encoded urn uroot us usable usage use usec usecstates used usedby usepstates
user user's user-agent user-data user_version userdb userdel userfile username username_format
users usersfactor userspers uses using usperio usperpacket ustar usual usually utc util
utilization uuid vacuum val valid validtoms valign value valuelabels values valueseach valuetype
var var-not-supported variable variables variant variants variation variationaxes vary vault vc
vcenter vcenter's vcenter-role.md vcenter.answers vcenter.clockoffset vcenter.events
vcenter.eventscut vcenter.gap vcenter.last vcenter.privileges vcenter.uplinks vcenter.vmmetrics
vcenter.vms vcenter_id vcenteraway vcenterid vcenterms vcentername vcenter’s vcls vcpu vcpus
vcpusof vcpuson vcpuspercore vdatastore vendor verdict verdict.stored verified verify version
version_codename version_id versions vertical vertical-align very vetoed vhost via vib
victoriametrics view view.detach view.palette view.present view.rail view.stories view.theme
viewbox viewmanager viewport views vim vim.esxcli vinfo violateds virsto virtual
virtual_mailbox_domains virtual_mailbox_maps virtual_transport virtualapp virtualdisk
virtualethernetcardnetworkbackinginfo virtualisation virtualization virtualmachine
virtualmachine.config.advancedconfig virtualmachine.config.editdevice
virtualmachine.interact.poweroff virtualmachine.interact.poweron virtualmachine.inventory.delete
virtualmachine.provisioning.clone virtualmachine.provisioning.customize
virtualmachine.state.createsnapshot virtualmachine.state.removesnapshot virtualmachinesnapshot
virtualsriovethernetcard virtualvmxnet visible vital vlinecolor vlinewidth vm vm's vm.address
vm.datastore vm.events vm.excluded vm.host vm.migrate vm.missing vm.more vm.notdiscovered
vm.placement vm.ports vm.portsatstart vm.power vm.poweredoff vm.present vm.snapshots vm.stray
vm.template vm.tools vm.toolsunknown vm.twice vm.unassigned vmconfigfault vmdasbeingresetevent
vmdisconnectedevent vmfailedmigrateevent vmfailoverfailed vmfolder vmfs vmguestrebootevent
vmguestshutdownevent vmmark vmmaxrestartcountreached vmmemctl vmmetrics vmmigratedevent vmname
vmnic vmof vmorphanedevent vmotion vmotionrate vmotions vmotionspeed vmotionvmrefs vmports
vmpoweredoffevent vmpoweredonevent vmreconfiguredevent vmref vmrefs vmrelocatedevent
vmrelocatefailedevent vmremovedevent vmresettingevent vmrestartedbyhaevent
vmrestartedonalternatehostevent vms vmstorage vmsuspendedevent vmtoowide vmware
vmware_soap_session vmwidth vnic vnics void volts voltsrange volume vouched vouches vroom vsan
vsphere vsphere's vswitch vx wait waited waiting waitingatdevice waitms waits waivable waive
waived waiver waivers wal wal_autocheckpoint wal_checkpoint walk walks want wanted wants
wantsbundle warehouse warehouses warms warmup warn warnat warned warning warnings warns was wasm
wasread wasted watch watched watches watermark watt watt-hours watts wattscolumn wattspervm way
ways wc we weak weakly wear wears weathervane web web-a web-b webtiers week weigh weighed weight
weighted weights weightsource welch welch's well went were wght wh what what-if whatever whatif
wheel when whenever where wherever whether which whichever while whilefailing whisker whiskerhigh
whiskerlow whiskers white white-space who whoever whole whom whose why wide wide.csv wider width
widths wiki wildcard willmiss window windowkb windowms windows wire wirepct wish wished with
withdrawn withfiletypes within withinnoise withlogin without without-internet without-names
withtarget witnesses woff woodcrest word words work work_lost work_unit workbook workbook.ts
worked workedatms worker worker-src worker_connections worker_processes workers working workload
workloadfailed workloadid workloadms workloadroles workloads workloadsatile worklost workperghz
works workspace world worldid worse worst worsttile worth would wrap writable write write_files
writebytes writecachemb writeerr writeiops writeiops.datastore.sum writembps writeout writer
writerandom writes written writtenbytes wrk wrong wrongmachine wrote wx x-auth-token
x-content-type-options x-frame-options xcc xeon xf xl xlabel xls xlsx xml xmlns xsd xsi xterm
xticks xunit xvmotion year year-month-day years yes yet yield yields you your yours yourself
yticks zar zero zeros zod zod's zone zoom zoomed zooms µs
`;
