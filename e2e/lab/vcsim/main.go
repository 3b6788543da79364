// Command vcsim starts one vCenter simulator for the lab and the tests, on loopback.
// It prints one JSON line when it is ready and ends when its standard input closes.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

type options struct {
	listen, user, stateDir, vmNames  string
	templates                        string
	clusters, hosts, vms, datastores int
	taskDelay, callDelay             time.Duration
	sessionIdle                      time.Duration
	faults                           faultFlags
}

// ready is what the parent reads: where the simulator and its control endpoint are.
type ready struct {
	URL            string `json:"url"`
	ControlURL     string `json:"controlUrl"`
	Fingerprint256 string `json:"fingerprint256"`
}

func parseFlags() options {
	var o options
	flag.StringVar(&o.listen, "listen", "127.0.0.1:0", "address of the vCenter API")
	flag.StringVar(&o.user, "user", "administrator@vsphere.local", "user; the password comes from VCSIM_PASSWORD")
	flag.StringVar(&o.stateDir, "state-dir", "", "folder for cert.pem and key.pem (made when missing) and temporary files; removed at the end")
	flag.IntVar(&o.clusters, "clusters", 1, "clusters")
	flag.IntVar(&o.hosts, "hosts", 4, "hosts in all, spread over the clusters")
	flag.IntVar(&o.vms, "vms", 12, "VMs in all, spread over the clusters")
	flag.IntVar(&o.datastores, "datastores", 2, "VMFS datastores, one LUN each, mounted by every host")
	flag.StringVar(&o.vmNames, "vm-names", "", "comma-separated names for the first VMs")
	flag.StringVar(&o.templates, "templates", "", "comma-separated names of VMs that are templates")
	flag.DurationVar(&o.taskDelay, "task-delay", 0, "how long every task takes")
	flag.DurationVar(&o.callDelay, "call-delay", 0, "how long every call takes")
	flag.DurationVar(&o.sessionIdle, "session-idle", 0, "idle time after which a session ends; 0 = never")
	flag.Var(&o.faults, "fault", `fault rule as JSON, repeatable: {"method":"QueryPerf","count":3,"type":"generic"}`)
	flag.Parse()
	return o
}

func main() {
	log.SetFlags(0)
	if err := run(parseFlags()); err != nil {
		log.Fatalf("vcsim: %s", err)
	}
}

func run(o options) error {
	password := os.Getenv("VCSIM_PASSWORD")
	if password == "" {
		return fmt.Errorf("VCSIM_PASSWORD is not set")
	}
	if o.stateDir == "" {
		return fmt.Errorf("-state-dir is not set")
	}
	// Removed here and not only by the parent: the parent may be dead.
	defer os.RemoveAll(o.stateDir)
	if err := os.Setenv("TMPDIR", o.stateDir); err != nil {
		return err
	}
	certificate, err := loadOrMakeCertificate(o.stateDir)
	if err != nil {
		return err
	}
	seedCounters()
	model := simulator.VPX()
	model.Host, model.Cluster, model.ClusterHost = 0, o.clusters, divideUp(o.hosts, o.clusters)
	names := strings.FieldsFunc(o.vmNames, func(r rune) bool { return r == ',' })
	model.Machine, model.Datastore = divideUp(o.vms, o.clusters), o.datastores
	// The model waits 20 ms for each task: with many VMs, powering them on is done below and not by a task each.
	model.Autostart = o.vms <= 64
	if err = model.Create(); err != nil {
		return err
	}
	defer model.Remove()
	arrangeStorage(model)
	describeHosts(model)
	powerOnMachines(model)
	settleMachines(model)
	if err = nameMachines(model, names); err != nil {
		return err
	}
	if err = makeTemplates(model, strings.FieldsFunc(o.templates, func(r rune) bool { return r == ',' })); err != nil {
		return err
	}
	if o.sessionIdle > 0 {
		setOption(model, "config.vmacore.soap.sessionTimeout", o.sessionIdle.String())
	}
	model.DelayConfig.Delay = int(o.callDelay.Milliseconds())
	// Without LockHandoff 0 nobody could read an object while a delayed task runs on it.
	simulator.TaskDelay = simulator.DelayConfig{Delay: int(o.taskDelay.Milliseconds()), MethodDelay: map[string]int{"LockHandoff": 0}}

	service := model.Service
	service.Listen = &url.URL{Host: o.listen, User: url.UserPassword(o.user, password)}
	service.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	control := newControl(model)
	model.Map().Handler = control.intercept
	for _, rule := range o.faults {
		service.AddFaultRule(rule.toRule())
	}
	// Not closed at the end: that would wait for calls that are being delayed.
	server := service.NewServer()
	controlURL, err := control.serve()
	if err != nil {
		return err
	}
	plain := *server.URL
	plain.User = nil
	line, err := json.Marshal(ready{URL: plain.String(), ControlURL: controlURL, Fingerprint256: fingerprint(certificate.Certificate[0])})
	if err != nil {
		return err
	}
	fmt.Println(string(line))
	// The parent holds the other end: it closes when the parent stops us, and also when it dies.
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func divideUp(total, parts int) int { return (total + parts - 1) / parts }

func fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	pairs := make([]string, len(sum))
	for i, b := range sum {
		pairs[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(pairs, ":")
}

func setOption(model *simulator.Model, key, value string) {
	manager := model.Map().OptionManager()
	manager.UpdateOptions(&types.UpdateOptions{ChangedValue: []types.BaseOptionValue{&types.OptionValue{Key: key, Value: value}}})
}
