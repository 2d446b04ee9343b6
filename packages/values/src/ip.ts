/*
 * An IP address is a term of 16 characters, each of them a byte (0-255) of its IPv6 form; IPv4 is mapped into
 * ::ffff:0:0/96. Terms order as the bytes do.
 */

const V4_PREFIX = '\0'.repeat(10) + '\xff\xff';

function parseV4(text: string): string | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (!match) return null;
  const parts = [match[1]!, match[2]!, match[3]!, match[4]!];
  // Leading zeros are ambiguous (octal in some tools), as in Elasticsearch's InetAddresses.
  if (parts.some((part) => Number(part) > 255 || (part.length > 1 && part[0] === '0'))) return null;
  return String.fromCharCode(...parts.map(Number));
}

function parseGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (part.includes('.')) {
      const v4 = i === parts.length - 1 ? parseV4(part) : null;
      if (v4 === null) return null;
      groups.push(v4.charCodeAt(0) * 256 + v4.charCodeAt(1), v4.charCodeAt(2) * 256 + v4.charCodeAt(3));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

function parseV6(text: string): string | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0]!);
  const tail = halves.length === 2 ? parseGroups(halves[1]!) : [];
  if (!head || !tail) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  return String.fromCharCode(...groups.flatMap((g) => [g >> 8, g & 255]));
}

/** Parses an IPv4 or IPv6 address to its term; null if the text is no address. */
export function parseIp(text: string): string | null {
  const v4 = parseV4(text);
  if (v4 !== null) return V4_PREFIX + v4;
  return text.includes(':') ? parseV6(text) : null;
}

/** Whether the term of an address is an IPv4 address. */
export function isIpv4(term: string): boolean {
  return term.startsWith(V4_PREFIX);
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > best.length) best = { start: i, length: end - i };
    if (end > i) i = end;
  }
  return best;
}

/** Formats the term of an address: dotted decimal for IPv4, RFC 5952 for IPv6. */
export function formatIp(term: string): string {
  if (isIpv4(term))
    return `${term.charCodeAt(12)}.${term.charCodeAt(13)}.${term.charCodeAt(14)}.${term.charCodeAt(15)}`;
  const groups = Array.from({ length: 8 }, (_, i) => term.charCodeAt(2 * i) * 256 + term.charCodeAt(2 * i + 1));
  const run = longestZeroRun(groups);
  const text = (from: number, to: number): string =>
    groups
      .slice(from, to)
      .map((g) => g.toString(16))
      .join(':');
  return run.start < 0 ? text(0, 8) : `${text(0, run.start)}::${text(run.start + run.length, 8)}`;
}

/** `term` with all bits after the first `prefixBits` (0-128) set to `fill`. */
function maskBits(term: string, prefixBits: number, fill: 0 | 1): string {
  let result = '';
  for (let i = 0; i < 16; i++) {
    const keep = Math.min(8, Math.max(0, prefixBits - 8 * i));
    const mask = (0xff00 >> keep) & 0xff;
    const byte = term.charCodeAt(i);
    result += String.fromCharCode(fill ? (byte & mask) | (0xff & ~mask) : byte & mask);
  }
  return result;
}

/** Lowest address of the network of `term`. `prefixBits` is 0-128; add 96 to the prefix length of an IPv4 network. */
export function ipNetwork(term: string, prefixBits: number): string {
  return maskBits(term, prefixBits, 0);
}

/** Parses a CIDR block such as `10.0.0.0/8` to its first and last address; null if the text is none. */
export function parseCidr(text: string): { readonly low: string; readonly high: string } | null {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const address = match ? parseIp(match[1]!) : null;
  if (!match || address === null) return null;
  const isV4 = !match[1]!.includes(':');
  const bits = Number(match[2]) + (isV4 ? 96 : 0);
  if (bits > 128) return null;
  return { low: maskBits(address, bits, 0), high: maskBits(address, bits, 1) };
}
