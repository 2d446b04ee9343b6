import { errors } from '@shoal/errors';
import { parseCidr, parseIp } from '@shoal/values';

type Test = (ip: string) => boolean;

/** Returns a test whether an address (as `parseIp` gives it) lies in a network in CIDR notation. */
function inNetwork(cidr: string): Test {
  const range = parseCidr(cidr);
  if (range === null) throw errors.illegalArgument(`'${cidr}' is not a valid network`);
  return (ip) => ip >= range.low && ip <= range.high;
}

const any =
  (...cidrs: readonly string[]): Test =>
  (ip) =>
    cidrs.some((cidr) => inNetwork(cidr)(ip));

const loopback = any('127.0.0.0/8', '::1/128');
const multicast = any('224.0.0.0/4', 'ff00::/8');
const interfaceLocalMulticast = any('ff01::/16');
const linkLocalUnicast = any('169.254.0.0/16', 'fe80::/10');
const linkLocalMulticast = any('224.0.0.0/24', 'ff02::/16');
const privateNetwork = any('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fd00::/8');
const unspecified = any('0.0.0.0/32', '::/128');
const broadcast = any('255.255.255.255/32');

const none =
  (...tests: readonly Test[]): Test =>
  (ip) =>
    !tests.some((test) => test(ip));
const unicast = none(broadcast, unspecified, loopback, multicast, linkLocalUnicast);
const publicNetwork = none(
  privateNetwork,
  loopback,
  unspecified,
  linkLocalUnicast,
  linkLocalMulticast,
  interfaceLocalMulticast,
  broadcast,
);

/** Networks that processors know by name. */
const NAMED: ReadonlyMap<string, Test> = new Map([
  ['loopback', loopback],
  ['global_unicast', unicast],
  ['unicast', unicast],
  ['link_local_unicast', linkLocalUnicast],
  ['interface_local_multicast', interfaceLocalMulticast],
  ['link_local_multicast', linkLocalMulticast],
  ['multicast', multicast],
  ['unspecified', unspecified],
  ['private', privateNetwork],
  ['public', publicNetwork],
]);

/** Whether an address lies in one of the networks: names, or networks in CIDR notation. */
export function isInternal(address: string, networks: readonly string[]): boolean {
  const ip = parseIp(address);
  if (ip === null) throw errors.illegalArgument(`'${address}' is not an IP string literal.`);
  return networks.some((network) => (NAMED.get(network) ?? inNetwork(network))(ip));
}
