#!/usr/bin/env python3
"""Lists the runs of a console of Tilebench, starts one in its simulated lab and follows it to its end.

    follow_run.py CONSOLE_HTML [STUDY [SPEED]]

CONSOLE_HTML is the file that `tilebench serve` names, STUDY one of the gallery (E14), SPEED the lab's clock (600).
Needs Python 3.9 and the package websocket-client (Debian: python3-websocket). The wire: docs/protocol.md.
"""
import collections
import html
import itertools
import json
import re
import sys
import urllib.parse
import urllib.request

import websocket


def enter(console_html):
    """Exchanges the ticket in the file for the cookie of this console. Gives host and cookie."""
    with open(console_html, encoding="utf-8") as page:
        address = html.unescape(re.search(r'url=([^"]+)"', page.read())[1])
    cookie = urllib.request.urlopen(address).headers["Set-Cookie"]
    return urllib.parse.urlsplit(address).netloc, cookie.split(";")[0]


class Engine:
    """One connection, spoken in JSON: calls by name, and what comes unasked in between."""

    def __init__(self, host, cookie):
        address = f"ws://{host}/channel?workspace=simulated"
        self.socket = websocket.create_connection(address, cookie=cookie, timeout=20)
        self.ids, self.unasked = itertools.count(1), collections.deque()
        self.send(k="hello", contract=None, version="follow_run.py 1")  # takes any contract
        self.hello = self.receive()

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def receive(self):
        while True:
            try:
                message = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException:
                self.send(k="ping")
                continue
            if message["k"] == "event":
                self.send(k="ack", n=message["n"])
            if message["k"] != "pong":
                return message

    def call(self, method, **given):
        number = next(self.ids)
        self.send(k="call", id=number, method=method, input=given)
        while True:
            message = self.receive()
            if message["k"] == "done" and message["id"] == number:
                return message["output"]
            if message["k"] == "failed":
                sys.exit(f"{message['error']['message']} {message['error'].get('hint', '')}")
            self.unasked.append(message)


def follow(engine, run_id):
    """Prints each change of state, and gives the last with the number of samples that came."""
    engine.send(k="follow", runId=run_id, follows=True)
    overview, state, samples = engine.call("run.overview", id=run_id), None, 0
    while True:
        if overview["state"] != state:
            print("state", state := overview["state"], flush=True)
        if state in ("passed", "failed", "aborted"):
            return state, samples
        message = engine.unasked.popleft() if engine.unasked else engine.receive()
        event, payload = message.get("event"), message.get("payload", {})
        if event == "run.changed" and payload["id"] == run_id and payload["rev"] > overview["rev"]:
            overview = payload
        elif event == "run.samples":
            samples += len(payload["batch"]["$float64"]) // 3  # series, time, value


def main(console_html, study="E14", speed="600"):
    engine = Engine(*enter(console_html))
    print("engine", engine.hello["version"], "contract", engine.hello["contract"])
    for run in engine.call("run.list"):
        print("run", run["id"], run["state"], run["name"])
    plan_id = engine.call("gallery.install", id=study)["planId"]
    engine.call("lab.pace", speed=float(speed), paused=False)
    checked = engine.call("plan.check", id=plan_id)["hash"]
    run_id = engine.call("run.start", planId=plan_id, checkedHash=checked)["runId"]
    state, samples = follow(engine, run_id)
    print("samples", samples)
    for row in next(run for run in engine.call("run.list") if run["id"] == run_id)["totals"]:
        print("total", row["name"], row["total"] and round(row["total"], 1), row["unit"])
    sys.exit(0 if state == "passed" else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
