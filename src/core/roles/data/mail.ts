import type { Role, RoleFile } from '../types.ts';

/** @param level as Postfix has it: those before 3.6 know whole numbers only */
const files = (level: string): readonly RoleFile[] => [
  {
    path: '/etc/postfix/main.cf',
    how: 'whole',
    mode: '0644',
    text: `compatibility_level = ${level}
myhostname = tile.invalid
mydestination =
inet_interfaces = all
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
virtual_mailbox_domains = example.org
virtual_mailbox_maps = regexp:/etc/postfix/tilebench-users
virtual_transport = lmtp:unix:private/dovecot-lmtp
alias_maps =
alias_database =
local_recipient_maps =
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
smtpd_peername_lookup = no
in_flow_delay = 0
smtp_dns_support_level = disabled
lmtp_destination_concurrency_limit = 20
`,
  },
  {
    path: '/etc/postfix/tilebench-users',
    how: 'whole',
    mode: '0644',
    text: '/^user([1-9][0-9]{0,2}|1000)@example[.]org$/ OK\n',
  },
  {
    path: '/etc/dovecot/conf.d/99-tilebench.conf',
    how: 'whole',
    mode: '0644',
    text: `auth_username_format = %Ln
auth_mechanisms = plain login
disable_plaintext_auth = no
ssl = no
mail_location = maildir:/srv/tilebench-mail/%n
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
first_valid_gid = 1
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%n /etc/dovecot/tilebench-users
}
userdb {
  driver = static
  args = uid=mail gid=mail home=/srv/tilebench-mail/%n
}
service imap-login {
  service_count = 0
  client_limit = 2000
  process_min_avail = 1
}
service imap {
  process_limit = 2000
}
service lmtp {
  unix_listener /var/spool/postfix/private/dovecot-lmtp {
    user = postfix
    group = postfix
    mode = 0600
  }
}
`,
  },
  { path: '/etc/dovecot/conf.d/auth-system.conf.ext', how: 'whole', text: '' },
];
const setup = `if [ ! -d /srv/tilebench-mail ]; then
  made folder /srv/tilebench-mail
  install -d -o mail -g mail -m 0700 /srv/tilebench-mail
fi
if [ ! -f /etc/dovecot/tilebench-users ]; then
  made file /etc/dovecot/tilebench-users
  password=$(head -c 18 /dev/urandom | base64 | tr '+/' '-_')
  (umask 077; seq 1 1000 | sed "s/.*/user&:$password/" >/etc/dovecot/tilebench-users)
  chown root:dovecot /etc/dovecot/tilebench-users
  chmod 0640 /etc/dovecot/tilebench-users
fi
`;
const unset = `noted file | while read -r file; do rm -f "$file"; done
noted folder | while read -r folder; do rm -rf "$folder"; done
`;
const verify = `probe=tilebench-$$-$(date +%s)
printf 'To: user1@example.org\\nSubject: %s\\n\\nProof of the role mail.\\n' "$probe" | sendmail -f user2@example.org user1@example.org ||
  fault broken 'Postfix takes no message'
tries=0
until found=$(grep -rl "$probe" /srv/tilebench-mail/user1/ 2>/dev/null) && [ -n "$found" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || fault broken 'a message for user1 was taken and did not arrive within 60 s'
  sleep 1
done
doveadm expunge -u user1 mailbox INBOX header Subject "$probe" || fault broken 'Dovecot does not remove the message of the proof'
`;

/** After what was tried for mail loads: LMTP hand-over, limits of clients off, sessions for all users. */
export const mail: Role = {
  id: 'mail',
  title: 'Mail server: Postfix and Dovecot',
  about: 'SMTP on port 25 and IMAP on port 143 for user1 to user1000 at example.org.',
  workloadRoles: ['mail'],
  packages: ['postfix', 'dovecot-imapd', 'dovecot-lmtpd'],
  needKiB: 200_000,
  files: files('3.6'),
  units: ['dovecot', 'postfix'],
  ports: [25, 143],
  setup,
  unset,
  verify,
  leaves: {
    paths: [
      '/etc/postfix',
      '/etc/aliases',
      '/etc/aliases.db',
      '/etc/mailname',
      '/etc/dovecot',
      '/usr/share/dovecot',
      '/var/lib/postfix',
      '/var/lib/dovecot',
      '/var/spool/postfix',
      '/srv/tilebench-mail',
    ],
    accounts: ['postfix', 'postdrop', 'dovecot', 'dovenull', 'ssl-cert'],
  },
  warnings: [
    'IMAP goes without TLS, the password of all users is in /etc/dovecot/tilebench-users ' +
      'of the machine: for a network of the lab only.',
  ],
  redHat: {
    packages: ['postfix', 'dovecot'],
    files: files('2'),
    units: ['dovecot', 'postfix'],
    setup: `${setup}label mail_spool_t /srv/tilebench-mail\n`,
    unset,
    verify,
    leaves: {
      paths: [
        '/etc/postfix',
        '/etc/dovecot',
        '/var/lib/postfix',
        '/var/lib/dovecot',
        '/var/spool/postfix',
        '/srv/tilebench-mail',
      ],
      accounts: ['postfix', 'postdrop', 'dovecot', 'dovenull'],
    },
  },
};
