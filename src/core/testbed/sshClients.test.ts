import type { ClientConnection } from './connection.ts';
import { sshClients } from './sshClients.ts';
import { readSshConfig } from './sshConfig.ts';

const gate: ClientConnection = {
  kind: 'client',
  id: 'c-gate',
  name: 'Gate',
  host: '10.0.0.1',
  port: 2_200,
  user: 'admin',
  auth: { method: 'agent' },
};

function clientsOf(text: string) {
  const read = readSshConfig(text);
  if ('problem' in read) throw new Error(read.problem);
  return sshClients(read.hosts, { stored: [gate], user: 'me', idOf: (alias) => `new-${alias}` });
}

test('a key is a path, no key is the agent, nobody named is who asks', () => {
  expect(
    clientsOf('Host a\n HostName 10.0.0.2\n User bench\n IdentityFile ~/.ssh/lab\nHost b'),
  ).toEqual([
    {
      alias: 'a',
      stored: false,
      connection: {
        kind: 'client',
        id: 'new-a',
        name: 'a',
        host: '10.0.0.2',
        port: 22,
        user: 'bench',
        auth: { method: 'key', path: '~/.ssh/lab' },
      },
    },
    {
      alias: 'b',
      stored: false,
      connection: {
        kind: 'client',
        id: 'new-b',
        name: 'b',
        host: 'b',
        port: 22,
        user: 'me',
        auth: { method: 'agent' },
      },
    },
  ]);
});

test('a jump host is one of the file, or one that is stored', () => {
  expect(
    clientsOf(
      'Host far\n ProxyJump near\nHost near\nHost behind\n ProxyJump admin@10.0.0.1:2200\n' +
        'Host same\n HostName 10.0.0.1\n Port 2200\n User admin\nHost after\n ProxyJump same',
    ),
  ).toMatchObject([
    { alias: 'far', connection: { jumpId: 'new-near' } },
    { alias: 'near' },
    { alias: 'behind', connection: { jumpId: 'c-gate' } },
    { alias: 'same', stored: true, connection: gate },
    { alias: 'after', connection: { jumpId: 'c-gate' } },
  ]);
});

test('a way that cannot be gone is told', () => {
  expect(
    clientsOf('Host a\n ProxyJump x,y\nHost b\n ProxyJump who@elsewhere\nHost c\n ProxyJump none'),
  ).toMatchObject([
    { problem: 'It is behind 2 jump hosts; add it by hand.' },
    { problem: 'Its jump host who@elsewhere is not in the file; add that first.' },
    { connection: { name: 'c' } },
  ]);
});
