import { expandBraces } from '../base/bracePattern.ts';

export interface ClientPlace {
  name: string;
  host: string;
  port: number;
}
export type ClientPlaces =
  { places: ClientPlace[] } | { field: 'name' | 'host' | 'port'; problem: string };

/**
 * The machines that a name and an address stand for, both with patterns such as `client{1..20}` and
 * `10.0.0.{11..30}`. An address may end with its port. A name that is empty, or has no pattern
 * where the address has one, is the address.
 */
export function clientPlaces(typed: {
  name: string;
  host: string;
  port: number | string;
}): ClientPlaces {
  const hosts = expandBraces(typed.host.trim());
  if ('problem' in hosts) return { field: 'host', problem: hosts.problem };
  const names = expandBraces(typed.name.trim());
  if ('problem' in names) return { field: 'name', problem: names.problem };
  const own = names.values.length > 1 || (hosts.values.length === 1 && names.values[0] !== '');
  if (own && names.values.length !== hosts.values.length)
    return {
      field: 'name',
      problem: `${names.values.length} names for ${
        hosts.values.length === 1 ? 'one address' : `${hosts.values.length} addresses`
      }: as many of each are needed.`,
    };
  const places = hosts.values.map((address, index): ClientPlace => {
    const { host, port } = splitPort(address);
    return {
      name: own ? names.values[index]! : address,
      host,
      port: port ?? Number(typed.port),
    };
  });
  const twice = places.find(
    ({ host, port }, index) =>
      places.findIndex((other) => other.host === host && other.port === port) !== index,
  );
  return twice === undefined
    ? { places }
    : { field: 'host', problem: `${twice.host}:${twice.port} stands there twice.` };
}

/** `host:2222` and `[::1]:2222` with their port; an IPv6 address alone has none. */
export function splitPort(address: string): { host: string; port: number | null } {
  const found =
    /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(address) ?? /^([^:]+):(\d{1,5})$/.exec(address);
  return found === null
    ? { host: address, port: null }
    : { host: found[1]!, port: found[2] === undefined ? null : Number(found[2]) };
}
