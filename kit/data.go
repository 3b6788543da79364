package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"tilekit/internal/dvdstore"
	"tilekit/internal/files"
	"tilekit/internal/job"
	"tilekit/internal/mail"
	"tilekit/internal/network"
	"tilekit/internal/orders"
	"tilekit/internal/web"
)

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
		// The web tier of a shop.
		Tier json.RawMessage `json:"shopTier"`
		Mail json.RawMessage `json:"mail"`
		// How long verify waits for a message it sends; 0 = it sends none.
		ProbeS float64 `json:"probeS"`
		// A client of the scenario net, or its server.
		Net    json.RawMessage `json:"net"`
		Serves json.RawMessage `json:"netServer"`
		Orders json.RawMessage `json:"orders"`
		File   json.RawMessage `json:"file"`
	}
	if json.Unmarshal(text, &shop) == nil && len(shop.Tier) > 0 {
		return shopTier(ctx, name, shop.Schema, shop.Tier, shop.Dvdstore)
	}
	if len(shop.Dvdstore) > 0 {
		return tables(name, shop.Schema, shop.Dvdstore)
	}
	if len(shop.Mail) > 0 {
		return mailboxes(name, shop.Schema, shop.Mail, shop.ProbeS)
	}
	if len(shop.File) > 0 {
		return sharedFiles(name, shop.Schema, shop.File)
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
		return fmt.Errorf("verify is about the tables of a shop or about mailboxes: dvdstore, mail, file, net or orders is missing")
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
		err = dvdstore.Verify(options)
	default:
		return fmt.Errorf("a shop is served by its database, or by a web tier: shopTier is missing")
	}
	return sayOf(name, answer, err)
}

// shopTier serves a shop before its database, and says at its end what it did.
func shopTier(ctx context.Context, name string, schema int, text, shop []byte) error {
	if schema != job.Schema {
		return fmt.Errorf("schema is %d; this tilekit reads %d", schema, job.Schema)
	}
	if name != "serve" {
		return fmt.Errorf("a web tier is served; its shop is loaded without shopTier")
	}
	tier, err := dvdstore.ReadTier(text, shop)
	if err != nil {
		return err
	}
	served, err := tier.Serve(ctx, version, func(address string) { _ = say(map[string]string{"listens": address}) })
	if err != nil {
		return err
	}
	return say(served)
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

func sharedFiles(name string, schema int, text []byte) error {
	if schema != job.Schema {
		return fmt.Errorf("schema is %d; this tilekit reads %d", schema, job.Schema)
	}
	options, err := files.Read(text)
	if err != nil {
		return err
	}
	var answer interface{} = map[string]interface{}{"ok": true, "kit": version}
	switch name {
	case "load":
		end := pulse()
		answer, err = files.Load(options, version)
		end()
	case "unload":
		end := pulse()
		answer, err = files.Unload(options)
		end()
	case "verify":
		err = files.Verify(options)
	default:
		return fmt.Errorf("files are served by their file server")
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
