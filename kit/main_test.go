package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test program is tilekit itself where it is asked to be.
func TestMain(m *testing.M) {
	if os.Getenv("TILEKIT_ITSELF") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

func kit(t *testing.T, args ...string) (map[string]interface{}, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, args...)
	command.Env = append(os.Environ(), "TILEKIT_ITSELF=1")
	var failure bytes.Buffer
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, failure.String())
	}
	var answer map[string]interface{}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %q is no answer", args, out)
	}
	return answer, nil
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAStartedRunGoesOnIsFoundAndEnds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "ok")
	}))
	defer server.Close()
	job := write(t, "job.json", `{"schema":1,"scenario":"web","durationS":1000,"users":2,
		"arrivals":{"kind":"poisson","rate":[{"atS":0,"perS":50}]},
		"web":{"target":"`+server.URL+`","pages":"paths","paths":[{"op":"get","path":"/","weight":1}]}}`)
	dir := filepath.Join(t.TempDir(), "run")
	first, err := kit(t, "start", "--job", job, "--dir", dir)
	if err != nil || first["state"] != "running" {
		t.Fatal(first, err)
	}
	again, err := kit(t, "start", "--job", job, "--dir", dir)
	if err != nil || again["pid"] != first["pid"] {
		t.Error("a second start is another run", again, err)
	}
	for bytes := 0.0; bytes < 600; time.Sleep(20 * time.Millisecond) {
		status, err := kit(t, "status", "--dir", dir)
		if err != nil || status["state"] != "running" {
			t.Fatal(status, err)
		}
		bytes = status["bytes"].(float64)
	}
	if status, err := kit(t, "stop", "--dir", dir); err != nil || status["state"] != "ended" {
		t.Error(status, err)
	}
	out, err := os.ReadFile(filepath.Join(dir, "out.ndjson"))
	text := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || !strings.HasPrefix(text[0], `{"kit":`) || !strings.HasPrefix(text[len(text)-1], `{"end":true,"reason":"stopped"`) {
		t.Errorf("%s %v", out, err)
	}
}

func TestAStartThatFailsSaysWhy(t *testing.T) {
	job := write(t, "job.json", `{"schema":1,"scenario":"nothing","durationS":1,"users":1,
		"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":1}]}}`)
	dir := filepath.Join(t.TempDir(), "run")
	status, err := kit(t, "start", "--job", job, "--dir", dir)
	if err == nil && status["state"] == "running" {
		// It may have said who it is before it failed.
		status, err = kit(t, "status", "--dir", dir)
	}
	said, _ := os.ReadFile(filepath.Join(dir, "err.log"))
	if !strings.Contains(string(said), "nothing") {
		t.Errorf("%v %v: %q", status, err, said)
	}
}

func TestAClientIsCalibrated(t *testing.T) {
	job := write(t, "job.json", `{"schema":1,"perS":500,"seconds":1,"users":8}`)
	result, err := kit(t, "echo", "--job", job)
	if err != nil || result["reachedPerS"].(float64) < 250 || result["failed"].(float64) != 0 {
		t.Error(result, err)
	}
}
