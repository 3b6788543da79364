import { readSshConfig } from './sshConfig.ts';

const plain = { port: 22, user: null, identityFile: null, jumps: [] };

test('hosts as ssh goes to them: the first value of each keyword counts', () => {
  const text = `
    # my lab
    Host client1 client2   # two of a kind
      User bench
    Host client1
      HostName 10.0.0.11
      Port=2222
      IdentityFile "~/my keys/lab"
      IdentityFile ~/.ssh/second
    Host far
      HostName %h.example
      ProxyJump bastion,admin@inner:2200
    Host *
      User everyone
      IdentityFile %d/.ssh/id_ed25519
    Host *.example !gone.example
      ProxyJump never
  `;
  expect(readSshConfig(text)).toEqual({
    notes: [],
    hosts: [
      {
        ...plain,
        alias: 'client1',
        host: '10.0.0.11',
        port: 2_222,
        user: 'bench',
        identityFile: '~/my keys/lab',
      },
      {
        ...plain,
        alias: 'client2',
        host: 'client2',
        user: 'bench',
        identityFile: '~/.ssh/id_ed25519',
      },
      {
        ...plain,
        alias: 'far',
        host: 'far.example',
        user: 'everyone',
        identityFile: '~/.ssh/id_ed25519',
        jumps: ['bastion', 'admin@inner:2200'],
      },
    ],
  });
});

test('what stands before the first Host is for every host; none takes it back', () => {
  expect(readSshConfig('ProxyJump gate\nHost a\nHost b\n ProxyJump none')).toMatchObject({
    hosts: [{ jumps: ['gate'] }, { jumps: ['gate'] }],
  });
  expect(readSshConfig('Host b\nProxyJump none\nHost *\nProxyJump gate')).toMatchObject({
    hosts: [{ jumps: [] }],
  });
});

test('nothing of the file is run or followed, and that is said', () => {
  expect(
    readSshConfig('Host a\nMatch exec "touch /tmp/x"\n User root\nInclude ~/.ssh/other\n'),
  ).toEqual({
    hosts: [{ ...plain, alias: 'a', host: 'a' }],
    notes: [
      'Match blocks are not read: what they set is missing here.',
      'Include is not followed: choose that file itself.',
    ],
  });
});

test('one host that cannot be used is left out, with the reason', () => {
  expect(
    readSshConfig('Host a\nPort many\nHost b\nIdentityFile ~/%h.key\nHost -oX\nHost ok'),
  ).toMatchObject({
    hosts: [{ alias: 'ok' }],
    notes: [
      'a is left out: its port “many” is none.',
      'b is left out: it has a placeholder (%) that is not known here.',
      '-oX is left out: its address is none.',
    ],
  });
});

test.each([
  ['an empty file', '', /names no host/],
  ['wildcards alone', 'Host *\nUser root', /names no host/],
  ['a program', '\u007fELF\0\0', /no text file/],
  ['a long file', '#'.repeat(1_000_001), /longer than a million/],
  ['too many hosts', `Host ${Array.from({ length: 401 }, (_, i) => `h${i}`).join(' ')}`, /400/],
  ['hidden characters', 'Host a\u202Eb', /No host of the file can be used.*turns or hides/],
])('%s is refused in words', (_, text, problem) =>
  expect(readSshConfig(text)).toEqual({ problem: expect.stringMatching(problem) }),
);

test('a pattern made to be slow is not', () => {
  const text = `Host ${'*a'.repeat(2_000)}b\nHost ${'a'.repeat(900)}\nHost ok`;
  expect(readSshConfig(text)).toMatchObject({ hosts: [{}, { alias: 'ok' }] });
});
