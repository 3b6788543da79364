// Package calibrate measures what this client can offer: against a server beside it that does
// nothing.
package calibrate

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"tilekit/internal/arrivals"
	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/network"
	"tilekit/internal/web"
)

// Wanted is the load to be tried, in a job file.
type Wanted struct {
	Schema          int     `json:"schema"`
	PerS            float64 `json:"perS"`
	Seconds         float64 `json:"seconds"`
	Users           int     `json:"users"`
	LatenessLimitMs float64 `json:"latenessLimitMs"`
	// The scenario net with these options, in place of requests by HTTP.
	Net *network.Options `json:"net,omitempty"`
}

// Result is what the client did. Times in microseconds.
type Result struct {
	Kit              string  `json:"kit"`
	WantedPerS       float64 `json:"wantedPerS"`
	ReachedPerS      float64 `json:"reachedPerS"`
	Failed           int64   `json:"failed"`
	Unfinished       int64   `json:"unfinished"`
	Seconds          float64 `json:"seconds"`
	SaturatedSeconds int     `json:"saturatedSeconds"`
	LatencyP50Us     int64   `json:"latencyP50Us"`
	LatencyP99Us     int64   `json:"latencyP99Us"`
	CPUMsPer1000     float64 `json:"cpuMsPer1000"`
	Cores            int     `json:"cores"`
}

// Run starts the server in a process of its own, so that the processor time is the client's alone.
func Run(ctx context.Context, kit string, text []byte) (*Result, error) {
	wanted := Wanted{PerS: 1000, Seconds: 2, Users: 64, LatenessLimitMs: 25}
	if err := job.Strict(text, &wanted); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	serve := "--serve"
	if wanted.Net != nil {
		serve = "--serve-net"
	}
	server := exec.Command(self, "echo", serve)
	// The server ends when this pipe does, however this process ends.
	hold, err := server.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = hold.Close()
		_ = server.Wait()
	}()
	address, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the echo server did not start: %w", err)
	}
	plan := job.Job{
		Schema: job.Schema, Seed: 1, DurationS: wanted.Seconds, DrainS: 1, EveryS: 1,
		Mode: "open", Users: wanted.Users, QueueLimit: 1_000_000, TimeoutMs: 10_000,
		LatenessLimitMs: wanted.LatenessLimitMs,
		Arrivals:        &arrivals.Pattern{Kind: "constant", Rate: []arrivals.Point{{PerS: wanted.PerS}}},
	}
	create, err := wanted.loads(&plan, strings.TrimSpace(address))
	if err != nil {
		return nil, err
	}
	text, err = json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	parsed, err := job.Parse(text)
	if err != nil {
		return nil, err
	}
	scenario, err := create(parsed)
	if err != nil {
		return nil, err
	}
	end, recorder, err := load.Run(ctx, kit, parsed, scenario, io.Discard)
	if err != nil {
		return nil, err
	}
	latency, _ := recorder.Totals()
	result := &Result{
		Kit: kit, WantedPerS: wanted.PerS, ReachedPerS: float64(end.Done) / end.Seconds,
		Unfinished: end.Unfinished, Seconds: end.Seconds, SaturatedSeconds: end.Saturated,
		LatencyP50Us: latency.Percentile(50), LatencyP99Us: latency.Percentile(99),
		Cores: runtime.NumCPU(),
	}
	for _, n := range end.Failed {
		result.Failed += n
	}
	if end.Done > 0 {
		result.CPUMsPer1000 = end.CPUSeconds * 1e6 / float64(end.Done)
	}
	return result, nil
}

// loads puts into a job what is to be loaded at this address.
func (wanted *Wanted) loads(plan *job.Job, address string) (create func(*job.Job) (load.Scenario, error), err error) {
	if wanted.Net == nil {
		plan.Scenario = "web"
		plan.Web, err = json.Marshal(web.Options{
			Target: "http://" + address, Pages: "paths", Paths: []web.Path{{Op: "echo", Path: "/", Weight: 1}},
		})
		return web.New, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	own := *wanted.Net
	own.Host, own.Search = host, nil
	if own.Port, err = strconv.Atoi(port); err != nil {
		return nil, err
	}
	plan.Scenario = "net"
	plan.Net, err = json.Marshal(own)
	return network.New, err
}

// ServeNet is the other side of the scenario net, until standard input ends.
func ServeNet(kit string) error {
	ctx, end := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end()
	}()
	server := network.Server{Listen: "127.0.0.1:0"}
	return server.Serve(ctx, kit, func(address string) { fmt.Println(address) }, func(network.Counts) {})
}

// Serve answers every request with the same kilobyte until standard input ends.
func Serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = listener.Close()
	}()
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n" + strings.Repeat("e", 1024))
	for {
		conn, err := listener.Accept()
		if err != nil {
			return nil
		}
		go func() {
			defer conn.Close()
			reader := bufio.NewReader(conn)
			for {
				line, err := reader.ReadSlice('\n')
				if err != nil {
					return
				}
				if len(line) > 2 {
					continue
				}
				if _, err := conn.Write(answer); err != nil {
					return
				}
			}
		}()
	}
}
