/** Codes of the system, of DNS and of TLS, in words that follow the name of a thing. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'lies in something that is no folder',
  EISDIR: 'is a folder',
  EEXIST: 'is there already',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be opened by this user',
  EROFS: 'is on a disk that cannot be written',
  ENOSPC: 'finds no space on its disk',
  EDQUOT: 'is over the quota of its disk',
  EMFILE: 'cannot be opened: too many files are open',
  ENFILE: 'cannot be opened: too many files are open',
  ELOOP: 'is a link that leads to itself',
  ENAMETOOLONG: 'has too long a name',
  EBUSY: 'is in use by another program',
  EIO: 'cannot be read: its disk reports an error',
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ERR_STREAM_PREMATURE_CLOSE: 'closed the connection',
  ETIMEDOUT: 'did not answer in time',
  EHOSTUNREACH: 'cannot be reached: there is no route to it',
  ENETUNREACH: 'cannot be reached: there is no route to it',
  EHOSTDOWN: 'cannot be reached: the machine is off',
  EADDRINUSE: 'is in use by another program',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'has a name that does not resolve',
  EAI_AGAIN: 'has a name that does not resolve now: the DNS server does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an authority that this system does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'has a certificate of an authority that this system does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'has a certificate of an authority that this system does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'has a certificate of an authority that this system does not know',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  CERT_REVOKED: 'has a certificate that was taken back',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  HOSTNAME_MISMATCH: 'has a certificate for another name',
};

/** What a code of the system says of a thing, to follow its name; null where it is not known. */
export const sayCode = (code: string): string | null =>
  Object.hasOwn(words, code) ? words[code]! : null;

/** A failed call of the system: its code, and the path or address it was about. */
export interface SystemFailure {
  code: string;
  about: string | null;
}

/** Reads what Node says of a failed call; null for any other throw. Errors of other realms count. */
export function systemFailure(thrown: unknown): SystemFailure | null {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null;
  const { code } = thrown;
  if (typeof code !== 'string' || sayCode(code) === null) return null;
  const text = (key: 'path' | 'address' | 'hostname'): string | null => {
    const value = (thrown as Record<string, unknown>)[key];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return { code, about: text('path') ?? text('address') ?? text('hostname') };
}
