import { BlockList, isIP } from 'node:net';

/** Address rules of a layer: addresses, networks (`10.0.0.0/8`) and `_all`, already validated. Plain data. */
export interface FilterRules {
  readonly isEnabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Addresses that the layer is bound to: always allowed. */
  readonly own: readonly string[];
}

/** Whether connections from an address are accepted. */
export type AddressFilter = (remoteAddress: string) => boolean;

/** Decision about an address, with the rule behind it. */
export interface Ruling {
  readonly isAllowed: boolean;
  /** `deny 10.0.0.0/8`, as audit logs show it. */
  readonly rule: string;
}

const BY_DEFAULT: Ruling = { isAllowed: true, rule: 'allow default:accept_all' };

/** Decides with the precedence of Elasticsearch 8: allow rules, then deny rules, then everybody else is allowed. */
function rulingsOf({ allow, deny, own }: FilterRules): (remoteAddress: string) => Ruling {
  if (allow.length === 0 && deny.length === 0) return () => BY_DEFAULT;
  const rules = [
    ...(own.length === 0
      ? []
      : [{ matches: listOf(own), ruling: { isAllowed: true, rule: `allow ${own.join(',')}` } }]),
    ...allow.map((rule) => ({ matches: listOf([rule]), ruling: { isAllowed: true, rule: `allow ${rule}` } })),
    ...deny.map((rule) => ({ matches: listOf([rule]), ruling: { isAllowed: false, rule: `deny ${rule}` } })),
  ];
  return (remoteAddress) => rules.find(({ matches }) => matches(remoteAddress))?.ruling ?? BY_DEFAULT;
}

/** Creates the test of an address. `told` is called with every decision, and never if the filter is switched off. */
export function createFilter(
  rules: FilterRules,
  told: (remoteAddress: string, ruling: Ruling) => void = () => undefined,
): AddressFilter {
  if (!rules.isEnabled) return () => true;
  const rulingOn = rulingsOf(rules);
  return (remoteAddress) => {
    const ruling = rulingOn(remoteAddress);
    told(remoteAddress, ruling);
    return ruling.isAllowed;
  };
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

/** Whether a list has an address. A socket bound to all addresses shows IPv4 clients as `::ffff:10.0.0.1`. */
function matches(list: BlockList, remoteAddress: string): boolean {
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
