import https from 'node:https';

import { startVcsim, type Vcsim } from '../e2e/lab/vcsim.ts';
import { median } from '../src/core/stats/summary.ts';
import { silentLog } from '../workers/engine/deps.ts';
import { verifyingAgent } from '../workers/engine/tls/tls.ts';
import { createCore } from '../workers/engine/vcenter/core.ts';
import { createSession } from '../workers/engine/vcenter/session.ts';
import { connectionTo, realClock } from '../workers/engine/vcenter/testing/peer.ts';
import { createTransport, type Transport } from '../workers/engine/vcenter/transport.ts';
import { xmlTreeParser } from '../workers/engine/vcenter/xml.ts';
import type { BenchResult } from './row.ts';

const size = { hosts: 64, vms: 1_000, datastores: 100 };
const rounds = 5;

/**
 * Sends the same calls over the same kind of connection, and adds up how long the bytes of their
 * answers took; what is done with the bytes is not counted.
 */
function answersOnly(vcsim: Vcsim): Transport & { spentMs: () => number } {
  const agent = verifyingAgent(
    {
      what: 'vCenter',
      name: 'lab',
      host: vcsim.host,
      port: vcsim.port,
      fingerprint256: vcsim.fingerprint256,
    },
    true,
  );
  let spentMs = 0;
  return {
    async post(body, { soapAction, cookie }) {
      const startMs = performance.now();
      const { text, cookie: given } = await new Promise<{ text: string; cookie: string | null }>(
        (resolve, reject) => {
          const request = https.request({
            host: vcsim.host,
            port: vcsim.port,
            path: '/sdk',
            method: 'POST',
            agent,
            headers: {
              'content-type': 'text/xml; charset=utf-8',
              'content-length': Buffer.byteLength(body),
              soapaction: soapAction,
              ...(cookie ? { cookie } : {}),
            },
          });
          request.on('error', reject).on('response', (response) => {
            const pieces: Buffer[] = [];
            response
              .on('data', (piece: Buffer) => pieces.push(piece))
              .on('error', reject)
              .on('end', () => {
                spentMs += performance.now() - startMs;
                resolve({
                  text: Buffer.concat(pieces).toString(),
                  cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? null,
                });
              });
          });
          request.end(body);
        },
      );
      const parser = xmlTreeParser();
      parser.write(text);
      return { root: parser.end(), cookie: given };
    },
    close: () => {
      agent.destroy();
    },
    spentMs: () => spentMs,
  };
}

/**
 * An inventory of 64 hosts, 1,000 VMs and 100 datastores discovered from the vCenter simulator,
 * against the time its answers alone take.
 */
export async function run(): Promise<BenchResult[]> {
  const vcsim = await startVcsim({ clusters: 2, ...size });
  const connection = connectionTo(vcsim);
  const discover = async (transport: Transport): Promise<number> => {
    const core = createCore(
      { clock: realClock, log: silentLog },
      connection,
      vcsim.password,
      transport,
    );
    const startMs = performance.now();
    await core.login();
    const session = createSession(core);
    const { hosts, vms } = await session.inventory();
    const tookMs = performance.now() - startMs;
    await session.logout();
    if (hosts.length !== size.hosts || vms.length !== size.vms)
      throw new Error(`${hosts.length} hosts and ${vms.length} VMs were discovered.`);
    return tookMs;
  };
  try {
    const whole: number[] = [],
      answers: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const bare = answersOnly(vcsim);
      await discover(bare);
      answers.push(bare.spentMs());
      whole.push(
        await discover(
          createTransport({
            what: 'vCenter',
            name: 'lab',
            host: vcsim.host,
            port: vcsim.port,
            fingerprint256: vcsim.fingerprint256,
          }),
        ),
      );
    }
    return [
      {
        name: `discovery: ${size.hosts} hosts, ${size.vms} VMs, ${size.datastores} datastores of the vCenter simulator`,
        rows: [
          {
            label: 'the answers of the server alone, login included (anchor)',
            value: median(answers),
            unit: 'ms',
          },
          {
            label: 'login and inventory',
            value: median(whole),
            unit: 'ms',
            ratio: median(whole) / median(answers),
            budget: 1.5,
          },
        ],
      },
    ];
  } finally {
    await vcsim.stop();
  }
}
