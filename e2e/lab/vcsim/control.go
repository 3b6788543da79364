package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vmware/govmomi/property"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// control changes the running simulator: faults, delays, expired sessions, missing privileges.
type control struct {
	model  *simulator.Model
	mu     sync.Mutex
	denied []string
	clocks map[string]*hostClock
	calls  map[string]int
}

func newControl(model *simulator.Model) *control {
	c := &control{model: model, calls: map[string]int{}, clocks: giveClocks(model)}
	manager := model.Map().Get(*model.ServiceContent.AuthorizationManager).(*simulator.AuthorizationManager)
	model.Map().Put(&denying{AuthorizationManager: manager, control: c})
	return c
}

// serve listens on a loopback port of its own and returns its address.
func (c *control) serve() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /fault", post(func(f fault) error { c.model.Service.AddFaultRule(f.toRule()); return nil }))
	mux.HandleFunc("POST /clear", post(func(struct{}) error { c.model.Service.ClearFaultRules(); return nil }))
	mux.HandleFunc("POST /change", post(c.apply))
	mux.HandleFunc("POST /expire", post(func(struct{}) error { return c.expire() }))
	mux.HandleFunc("POST /delay", post(func(d struct {
		CallMs, TaskMs *int
		TaskMethodMs   map[string]int
	}) error {
		if d.CallMs != nil {
			c.model.DelayConfig.Delay = *d.CallMs
		}
		if d.TaskMs != nil {
			simulator.TaskDelay.Delay = *d.TaskMs
		}
		if d.TaskMethodMs != nil {
			// A map of its own: tasks that begin meanwhile read the one before.
			delays := map[string]int{"LockHandoff": 0}
			for name, ms := range d.TaskMethodMs {
				delays[name] = ms
			}
			simulator.TaskDelay.MethodDelay = delays
		}
		return nil
	}))
	mux.HandleFunc("POST /deny", post(func(d struct{ Privileges []string }) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.denied = d.Privileges
		return nil
	}))
	mux.HandleFunc("GET /calls", func(w http.ResponseWriter, _ *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		_ = json.NewEncoder(w).Encode(c.calls)
	})
	go func() { _ = http.Serve(listener, mux) }()
	return "http://" + listener.Addr().String(), nil
}

func post[T any](act func(T) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body T
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := act(body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}

// expire ends every session, as vCenter does after its idle time.
func (c *control) expire() error {
	ctx := context.Background()
	client, err := vim25.NewClient(ctx, c.model.Service)
	if err != nil {
		return err
	}
	manager := *client.ServiceContent.SessionManager
	var found mo.SessionManager
	if err = property.DefaultCollector(client).RetrieveOne(ctx, manager, []string{"sessionList"}, &found); err != nil {
		return err
	}
	request := types.TerminateSession{This: manager}
	for _, session := range found.SessionList {
		request.SessionId = append(request.SessionId, session.Key)
	}
	_, err = methods.TerminateSession(ctx, client, &request)
	return err
}

// intercept sees every call before it is served, and leaves it to its own object.
func (c *control) intercept(_ *simulator.Context, method *simulator.Method) (mo.Reference, types.BaseMethodFault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[method.Name]++
	if request, ok := method.Body.(*types.QueryPerf); ok {
		alignToGrid(request)
	}
	return nil, nil
}

// alignToGrid ends a query on the 20 s grid of real hosts and keeps it within their hour of history.
func alignToGrid(request *types.QueryPerf) {
	now := time.Now()
	for i := range request.QuerySpec {
		spec := &request.QuerySpec[i]
		end := now
		if spec.EndTime != nil && spec.EndTime.Before(now) {
			end = *spec.EndTime
		}
		end = end.Truncate(20 * time.Second)
		oldest := now.Add(-time.Hour).Truncate(20 * time.Second).Add(20 * time.Second)
		start := oldest
		if spec.StartTime != nil && spec.StartTime.After(oldest) {
			start = *spec.StartTime
		}
		if start.After(end) {
			start = end
		}
		spec.StartTime, spec.EndTime = &start, &end
	}
}

// denying is the simulator's own manager, which grants everything, less what the control endpoint denies.
type denying struct {
	*simulator.AuthorizationManager
	control *control
}

func (d *denying) HasPrivilegeOnEntities(request *types.HasPrivilegeOnEntities) soap.HasFault {
	body := d.AuthorizationManager.HasPrivilegeOnEntities(request).(*methods.HasPrivilegeOnEntitiesBody)
	d.control.mu.Lock()
	defer d.control.mu.Unlock()
	for _, entity := range body.Res.Returnval {
		for i := range entity.PrivAvailability {
			entity.PrivAvailability[i].IsGranted = !slices.Contains(d.control.denied, entity.PrivAvailability[i].PrivId)
		}
	}
	return body
}

// fault is one rule as flags and the control endpoint write it. An empty object or name means any.
type fault struct {
	Method, ObjectType, ObjectName, Type, Message string
	Count, DelayMs                                int
}

func (f fault) toRule() *simulator.FaultInjectionRule {
	kinds := map[string]simulator.FaultType{
		"": simulator.FaultTypeGeneric, "generic": simulator.FaultTypeGeneric, "notAuthenticated": simulator.FaultTypeNotAuthenticated,
		"noPermission": simulator.FaultTypeNoPermission, "resourceInUse": simulator.FaultTypeResourceInUse, "invalidState": simulator.FaultTypeInvalidState,
		"insufficientResources": simulator.FaultTypeInsufficientResourcesFault, "methodNotFound": simulator.FaultTypeMethodNotFound,
	}
	anyOf := func(text string) string {
		if text == "" {
			return "*"
		}
		return text
	}
	return &simulator.FaultInjectionRule{
		MethodName: anyOf(f.Method), ObjectType: anyOf(f.ObjectType), ObjectName: anyOf(f.ObjectName), FaultType: kinds[f.Type],
		Message: f.Message, MaxCount: f.Count, Delay: f.DelayMs, Probability: 1, Enabled: true,
	}
}

type faultFlags []fault

func (f *faultFlags) String() string { return fmt.Sprint(*f) }

func (f *faultFlags) Set(text string) error {
	var rule fault
	if err := json.Unmarshal([]byte(text), &rule); err != nil {
		return err
	}
	*f = append(*f, rule)
	return nil
}
