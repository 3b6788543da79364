import { parameterLabel } from './parameterLabel.ts';

test.each([
  ['host', 'Host'],
  ['tableSize', 'Table size'],
  ['dataLossConfirmed', 'Data loss confirmed'],
  ['readPct', 'Read (%)'],
  ['sizeMb', 'Size (MiB)'],
  ['blockSizeKb', 'Block size (KiB)'],
  ['thinkMs', 'Think (ms)'],
  ['thinkS', 'Think (s)'],
  ['usersPerS', 'Users (per s)'],
  ['pctNew', 'New (%)'],
  ['TLS', 'Tls'],
  ['imapPort', 'IMAP port'],
  ['smtpAuth', 'SMTP auth'],
  ['rateIops', 'Rate (IOPS)'],
  ['load_file', 'Load file'],
])('%s is %s', (name, label) => {
  expect(parameterLabel(name)).toBe(label);
});
