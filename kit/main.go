// Command tilekit is the load generator of Tilebench: what a client runs, and the site it loads.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"tilekit/internal/calibrate"
	"tilekit/internal/durable"
	"tilekit/internal/dvdstore"
	"tilekit/internal/files"
	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/mail"
	"tilekit/internal/network"
	"tilekit/internal/orders"
	"tilekit/internal/web"
)

// version of the program and of what it writes; part of the first line of every output.
const version = "1.6.0"

const usage = `tilekit: load from a file of JSON (docs/tilekit.md)
  run    --job FILE [--dir DIR]   offer the load; lines to standard output, or to DIR/out.ndjson
  start  --job FILE --dir DIR     the same, and go on when this session ends
  status --dir DIR                how a started run stands
  stop   --dir DIR                end it
  echo   --job FILE               what this machine can offer, against a server that does nothing
  load   --job FILE               make the files of a site, the tables of a shop, the files of a file
                                  server's users, or fill mailboxes
  serve  --job FILE               serve the files of a site, be the web tier of a shop, or the other side of
                                  the scenario net
  unload --job FILE               remove what load made
  verify --job FILE               whether a shop's tables, users' files or mailboxes are whole, and let in; or
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
	"file":     files.New,
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

func say(answer interface{}) error {
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = fmt.Println(string(text))
	return err
}
