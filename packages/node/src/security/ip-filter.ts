import { BlockList, isIP } from 'node:net';

/** Which addresses may connect to a layer. Rules are addresses, networks (`10.0.0.0/8`) and `_all`; they were checked before. Plain data. */
export interface FilterRules {
  readonly isEnabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Addresses that the layer is bound to: always allowed. */
  readonly own: readonly string[];
}

export type AddressFilter = (remoteAddress: string) => boolean;

/** The test of an address, with the precedence of Elasticsearch 8: what is allowed, then what is denied, then everybody. */
export function createFilter({ isEnabled, allow, deny, own }: FilterRules): AddressFilter {
  if (!isEnabled || (allow.length === 0 && deny.length === 0)) return () => true;
  const allowed = listOf([...allow, ...own]);
  const denied = listOf(deny);
  return (remoteAddress) => allowed(remoteAddress) || !denied(remoteAddress);
}

function listOf(rules: readonly string[]): AddressFilter {
  const list = new BlockList();
  let matchesAll = false;
  for (const rule of rules) {
    const [address, prefix] = rule.split('/') as [string, string | undefined];
    const family = isIP(address);
    if (family === 0) matchesAll ||= rule === '_all';
    else if (prefix === undefined) list.addAddress(address, family === 4 ? 'ipv4' : 'ipv6');
    else list.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  }
  return (remoteAddress) => matchesAll || matches(list, remoteAddress);
}

/** A socket bound to all addresses tells IPv4 clients as `::ffff:10.0.0.1`. */
function matches(list: BlockList, remoteAddress: string): boolean {
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
