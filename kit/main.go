// Command tilekit is the load generator of Tilebench: what a client runs, and the site it loads.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"tilekit/internal/calibrate"
	"tilekit/internal/durable"
	"tilekit/internal/dvdstore"
	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/mail"
	"tilekit/internal/network"
	"tilekit/internal/orders"
	"tilekit/internal/web"
)

// version of the program and of what it writes; part of the first line of every output.
const version = "1.4.0"

const usage = `tilekit: load from a file of JSON (docs/tilekit.md)
  run    --job FILE [--dir DIR]   offer the load; lines to standard output, or to DIR/out.ndjson
  start  --job FILE --dir DIR     the same, and go on when this session ends
  status --dir DIR                how a started run stands
  stop   --dir DIR                end it
  echo   --job FILE               what this machine can offer, against a server that does nothing
  load   --job FILE               make the files of a site, the tables of a shop, or fill mailboxes
  serve  --job FILE               serve the files of a site, or be the other side of the scenario net
  unload --job FILE               remove what load made
  verify --job FILE               whether a shop's tables or the mailboxes are whole, and let in; or
                                  whether the other side of net, or an order server, answers
  version
FILE may be - for standard input (not with start).
`

// scenarios by the name in a job file; the recipe is in RECIPES.md.
var scenarios = map[string]func(*job.Job) (load.Scenario, error){
	"web":      web.New,
	"dvdstore": dvdstore.New,
	"mail":     mail.New,
	"net":      network.New,
	"orders":   orders.New,
}

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "tilekit: %v\n", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no command\n%s", usage)
	}
	name := args[0]
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	file := flags.String("job", "", "the job file")
	dir := flags.String("dir", "", "the run's folder")
	serve := flags.Bool("serve", false, "echo: the server")
	serveNet := flags.Bool("serve-net", false, "echo: the server of the scenario net")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer end()
	switch name {
	case "run":
		return run(ctx, end, *file, *dir)
	case "start", "status", "stop":
		if *dir == "" {
			return fmt.Errorf("%s needs --dir", name)
		}
		return started(name, *file, *dir)
	case "echo":
		if *serve {
			return calibrate.Serve()
		}
		if *serveNet {
			return calibrate.ServeNet(version)
		}
		return echo(ctx, *file)
	case "load", "serve", "unload", "verify":
		return data(ctx, name, *file)
	case "version":
		return say(map[string]string{"kit": version})
	}
	return fmt.Errorf("there is no command %q\n%s", name, usage)
}

func run(ctx context.Context, end func(), file, dir string) error {
	var out io.Writer = os.Stdout
	if dir != "" {
		kept, err := durable.Enter(dir)
		if err != nil {
			return err
		}
		defer kept.Close()
		durable.Watch(dir, end)
		out = kept
	}
	err := offer(ctx, file, out)
	if err != nil && dir != "" {
		// Where it was started apart, nobody reads the exit code.
		fmt.Fprintf(os.Stderr, "tilekit: %v\n", err)
	}
	return err
}

func offer(ctx context.Context, file string, out io.Writer) error {
	j, err := job.Read(file)
	if err != nil {
		return err
	}
	create := scenarios[j.Scenario]
	if create == nil {
		return fmt.Errorf("there is no scenario %q", j.Scenario)
	}
	scenario, err := create(j)
	if err != nil {
		return err
	}
	_, _, err = load.Run(ctx, version, j, scenario, out)
	return err
}

func started(name, file, dir string) error {
	var status durable.Status
	var err error
	switch name {
	case "start":
		if file == "" || file == "-" {
			return fmt.Errorf("start needs --job FILE")
		}
		// The run has no working folder of ours: paths are whole.
		if file, err = filepath.Abs(file); err == nil {
			dir, err = filepath.Abs(dir)
		}
		if err == nil {
			status, err = durable.Start(dir, []string{"run", "--job", file, "--dir", dir})
		}
	case "stop":
		status, err = durable.Stop(dir)
	default:
		status = durable.StatusOf(dir)
	}
	if err != nil {
		return err
	}
	return say(status)
}

func echo(ctx context.Context, file string) error {
	text, err := job.Text(file)
	if err != nil {
		return err
	}
	result, err := calibrate.Run(ctx, version, text)
	if err != nil {
		return err
	}
	return say(result)
}

// data is what a scenario needs on the other side: the file of a shop or of mail names it, others are
// of a site.
func data(ctx context.Context, name, file string) error {
	text, err := job.Text(file)
	if err != nil {
		return err
	}
	var shop struct {
		Schema   int             `json:"schema"`
		Dvdstore json.RawMessage `json:"dvdstore"`
		Mail     json.RawMessage `json:"mail"`
		// How long verify waits for a message it sends; 0 = it sends none.
		ProbeS float64 `json:"probeS"`
		// A client of the scenario net, or its server.
		Net    json.RawMessage `json:"net"`
		Serves json.RawMessage `json:"netServer"`
		Orders json.RawMessage `json:"orders"`
	}
	if json.Unmarshal(text, &shop) == nil && len(shop.Dvdstore) > 0 {
		return tables(name, shop.Schema, shop.Dvdstore)
	}
	if len(shop.Mail) > 0 {
		return mailboxes(name, shop.Schema, shop.Mail, shop.ProbeS)
	}
	if len(shop.Net) > 0 || len(shop.Serves) > 0 {
		return otherSide(ctx, name, shop.Schema, shop.Net, shop.Serves)
	}
	if name == "verify" && len(shop.Orders) > 0 && shop.Schema == job.Schema {
		options, err := orders.Read(shop.Orders)
		if err != nil {
			return err
		}
		return sayOf(name, map[string]interface{}{"ok": true, "kit": version}, orders.Verify(options))
	}
	if name == "verify" {
		return fmt.Errorf("verify is about the tables of a shop or about mailboxes: dvdstore, mail, net or orders is missing")
	}
	return site(ctx, name, text)
}

func tables(name string, schema int, text []byte) error {
	if schema != job.Schema {
		return fmt.Errorf("schema is %d; this tilekit reads %d", schema, job.Schema)
	}
	options, err := dvdstore.Read(text)
	if err != nil {
		return err
	}
	var answer interface{} = map[string]interface{}{"ok": true, "kit": version}
	switch name {
	case "load":
		end := pulse()
		answer, err = dvdstore.Load(options, version)
		end()
	case "unload":
		err = dvdstore.Unload(options)
	case "verify":
		_, err = dvdstore.Verify(options)
	default:
		return fmt.Errorf("a shop is served by its database")
	}
	return sayOf(name, answer, err)
}

func mailboxes(name string, schema int, text []byte, probeS float64) error {
	if schema != job.Schema {
		return fmt.Errorf("schema is %d; this tilekit reads %d", schema, job.Schema)
	}
	options, err := mail.Read(text)
	if err != nil {
		return err
	}
	var answer interface{} = map[string]interface{}{"ok": true, "kit": version}
	switch name {
	case "load", "unload":
		work := mail.Load
		if name == "unload" {
			work = mail.Unload
		}
		end := pulse()
		answer, err = work(options)
		end()
	case "verify":
		if !(probeS >= 0 && probeS <= 600) {
			return fmt.Errorf("probeS is %v; it is from 0 to 600", probeS)
		}
		err = mail.Verify(options, time.Duration(probeS*float64(time.Second)))
	default:
		return fmt.Errorf("mailboxes are served by their mail server")
	}
	return sayOf(name, answer, err)
}

// otherSide of the scenario net: serve it, or look whether it answers.
func otherSide(ctx context.Context, name string, schema int, client, serves []byte) error {
	switch {
	case schema != job.Schema:
		return fmt.Errorf("schema is %d; this tilekit reads %d", schema, job.Schema)
	case name == "serve" && len(serves) > 0:
		server, err := network.ReadServer(serves)
		if err != nil {
			return err
		}
		return server.Serve(
			ctx, version,
			func(address string) { _ = say(map[string]string{"listens": address}) },
			func(counts network.Counts) { _ = say(counts) },
		)
	case name == "verify" && len(client) > 0:
		options, err := network.Read(client)
		if err != nil {
			return err
		}
		return sayOf(name, map[string]interface{}{"ok": true, "kit": version}, network.Verify(options))
	}
	return fmt.Errorf("the other side of net is served by netServer, and verified by net; it has no data")
}

// sayOf a command with data: verify says what is wrong as its answer, others fail with it.
func sayOf(name string, answer interface{}, err error) error {
	var problem *job.Problem
	if errors.As(err, &problem) && name == "verify" {
		return say(map[string]interface{}{"ok": false, "kit": version, "blames": problem.Blames, "problem": problem.Text})
	}
	if err != nil {
		return err
	}
	return say(answer)
}

// pulse says every second that work goes on: where nobody reads any more, the write ends this program,
// so that a load of hours does not outlive the session that asked for it.
func pulse() (end func()) {
	ticker, over, ended := time.NewTicker(time.Second), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticker.C:
				if say(map[string]bool{"loading": true}) != nil {
					os.Exit(1)
				}
			case <-over:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(over)
		<-ended
	}
}

func site(ctx context.Context, name string, text []byte) error {
	site, err := web.ReadSite(text)
	if err != nil {
		return err
	}
	switch name {
	case "load":
		marker, err := site.Load(version)
		if err != nil {
			return err
		}
		return say(map[string]interface{}{
			"files": len(marker.Files), "events": marker.Events, "people": marker.People,
			"bytes": marker.Bytes, "sha256": marker.Sha256,
		})
	case "unload":
		return site.Unload()
	}
	return site.Serve(ctx, func(address string) { _ = say(map[string]string{"listens": address}) })
}

func say(answer interface{}) error {
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = fmt.Println(string(text))
	return err
}
