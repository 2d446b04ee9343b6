import { createHash } from 'node:crypto';
import { errors } from '@shoal/errors';
import { parseIp } from '@shoal/values';
import { IngestDocument } from '../document.js';
import { isNumeric, javaClass, javaText, toNumber } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';
import { refused } from '../refused.js';

/** IANA numbers of transports. */
const TRANSPORTS: ReadonlyMap<string, number> = new Map([
  ['icmp', 1],
  ['igmp', 2],
  ['tcp', 6],
  ['udp', 17],
  ['gre', 47],
  ['ipv6-icmp', 58],
  ['icmpv6', 58],
  ['eigrp', 88],
  ['ospf', 89],
  ['pim', 103],
  ['sctp', 132],
]);
const WITH_PORTS = [6, 17, 132];
const ICMP = 1;
const ICMP6 = 58;

/**
 * Types of ICMP messages that are answered by another type. Source: the Community ID specification 1.0, of which
 * Elasticsearch 8.12 has these pairs in these directions.
 */
const ICMP_ANSWERS: ReadonlyMap<number, ReadonlyMap<number, number>> = new Map([
  [
    ICMP,
    new Map([
      [8, 0],
      [0, 8],
      [13, 14],
      [14, 13],
      [15, 16],
      [10, 9],
      [9, 10],
      [17, 18],
      [18, 17],
    ]),
  ],
  [
    ICMP6,
    new Map([
      [128, 129],
      [129, 128],
      [133, 134],
      [134, 133],
      [135, 136],
      [136, 135],
      [130, 131],
      [139, 140],
      [140, 139],
      [144, 145],
      [145, 144],
    ]),
  ],
]);

function addressOf(document: IngestDocument, field: string, ignoreMissing: boolean): Buffer | null {
  const text = document.text(field, ignoreMissing);
  if (text === null) return null;
  const ip = parseIp(text);
  if (ip === null) throw errors.illegalArgument(`'${text}' is not an IP string literal.`);
  const bytes = Buffer.from(ip, 'latin1');
  return text.includes(':') ? bytes : bytes.subarray(bytes.length - 4);
}

/** Returns a number, or the number that a text is; 0 for null. */
function numberOf(value: unknown, name: string): number {
  if (value === null || value === undefined) return 0;
  const number = isNumeric(value) ? Math.trunc(toNumber(value)) : integerIn(value);
  if (number === null) throw errors.illegalArgument(`unable to parse ${name} [${javaText(value)}]`);
  return number;
}

function integerIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
  return number === (number | 0) ? number : null;
}

const PORT_MAX = 65_535;

function portAt(document: IngestDocument, field: string, ignoreMissing: boolean, name: string): number {
  const value = document.get(field, ignoreMissing) ?? null;
  const port = numberOf(value, name);
  if (port < 1 || port > PORT_MAX) throw errors.illegalArgument(`invalid ${name} [${javaText(value)}]`);
  return port;
}

const TRANSPORT_MAX = 254;

/** The number of a transport that is given as its number or its name. */
function transportOf(value: unknown): number {
  const number = isNumeric(value) ? Math.trunc(toNumber(value)) : integerIn(value);
  if (number !== null) {
    if (number >= 0 && number <= TRANSPORT_MAX) return number;
    throw errors.illegalArgument(`invalid transport protocol number [${number}]`);
  }
  if (typeof value !== 'string')
    throw errors.illegalArgument(`could not convert value of type [${javaClass(value)}] to transport protocol`);
  const known = TRANSPORTS.get(value.toLowerCase());
  if (known === undefined) throw errors.illegalArgument(`could not convert string [${value}] to transport protocol`);
  return known;
}

interface Flow {
  readonly source: Buffer;
  readonly destination: Buffer;
  readonly transport: number;
  readonly ports: readonly [number, number] | null;
  /** Whether the flow has a direction: one-way ICMP is not turned around. */
  readonly isOneWay: boolean;
}

/** Returns the id of a flow, the same for both directions. Source: the Community ID specification 1.0. */
function communityIdOf({ source, destination, transport, ports, isOneWay }: Flow, seed: number): string {
  const order = Buffer.compare(source, destination) || (ports === null ? 0 : ports[0] - ports[1]);
  const turns = !isOneWay && order > 0;
  const [from, to] = turns ? [destination, source] : [source, destination];
  const head = Buffer.alloc(2);
  head.writeUInt16BE(seed);
  const tail = Buffer.alloc(ports === null ? 2 : 6);
  tail[0] = transport;
  if (ports !== null) {
    tail.writeUInt16BE(turns ? ports[1] : ports[0], 2);
    tail.writeUInt16BE(turns ? ports[0] : ports[1], 4);
  }
  const digest = createHash('sha1').update(head).update(from).update(to).update(tail).digest('base64');
  return `1:${digest}`;
}

/** Puts the Community ID of a network flow into a field. */
export const communityId: ProcessorType = {
  name: 'community_id',
  parse(config) {
    const fields = {
      sourceIp: config.stringOr('source_ip', 'source.ip'),
      sourcePort: config.stringOr('source_port', 'source.port'),
      destinationIp: config.stringOr('destination_ip', 'destination.ip'),
      destinationPort: config.stringOr('destination_port', 'destination.port'),
      iana: config.stringOr('iana_number', 'network.iana_number'),
      icmpType: config.stringOr('icmp_type', 'icmp.type'),
      icmpCode: config.stringOr('icmp_code', 'icmp.code'),
      transport: config.stringOr('transport', 'network.transport'),
    };
    const target = config.stringOr('target_field', 'network.community_id');
    const seed = config.integer('seed', 0);
    const ignoreMissing = config.boolean('ignore_missing', true);
    if (seed < 0 || seed > 65_535) throw config.error('seed', 'must be a value between 0 and 65535');
    return (document) => {
      const flow = flowOf(document, fields, ignoreMissing);
      if (flow !== null) document.set(target, communityIdOf(flow, seed));
      else if (!ignoreMissing) throw errors.illegalArgument('unable to construct flow from document');
    };
  },
};

type FlowFields = Readonly<
  Record<
    'sourceIp' | 'sourcePort' | 'destinationIp' | 'destinationPort' | 'iana' | 'icmpType' | 'icmpCode' | 'transport',
    string
  >
>;

function flowOf(document: IngestDocument, fields: FlowFields, ignoreMissing: boolean): Flow | null {
  const source = addressOf(document, fields.sourceIp, ignoreMissing);
  const destination = addressOf(document, fields.destinationIp, ignoreMissing);
  if (source === null || destination === null) return null;
  const protocol = document.get(fields.iana, true) ?? document.get(fields.transport, ignoreMissing) ?? null;
  if (protocol === null) return null;
  const transport = transportOf(protocol);
  const answers = ICMP_ANSWERS.get(transport);
  if (answers) {
    const type = numberOf(document.get(fields.icmpType, true), 'icmp type');
    const code = numberOf(document.get(fields.icmpCode, true), 'icmp code');
    const answer = answers.get(type);
    const ports = [checkedPart(type), checkedPart(answer ?? code)] as const;
    return { source, destination, transport, ports, isOneWay: answer === undefined };
  }
  if (!WITH_PORTS.includes(transport)) return { source, destination, transport, ports: null, isOneWay: false };
  const from = portAt(document, fields.sourcePort, ignoreMissing, 'source port');
  const to = portAt(document, fields.destinationPort, ignoreMissing, 'destination port');
  return { source, destination, transport, ports: [from, to], isOneWay: false };
}

/** Types and codes of ICMP stand where ports do. */
function checkedPart(number: number): number {
  if (number >= 0 && number <= PORT_MAX) return number;
  throw refused(`number [${number}] must be a value between 0 and 65535`);
}

const PART_FIELDS: FlowFields = {
  sourceIp: 'p0',
  destinationIp: 'p1',
  iana: 'p2',
  transport: 'p3',
  sourcePort: 'p4',
  destinationPort: 'p5',
  icmpType: 'p6',
  icmpCode: 'p7',
};

/** Returns the Community ID of a flow of which the parts are given in the order of `PART_FIELDS`; null for no flow. */
export function communityIdOfParts(parts: readonly unknown[], seed: number): string | null {
  if (seed < 0 || seed > 65_535) throw errors.illegalArgument('must be a value between 0 and 65535');
  const source = Object.fromEntries(parts.flatMap((part, i) => (part === null ? [] : [[`p${i}`, part]])));
  const flow = flowOf(new IngestDocument(source, {}, {}), PART_FIELDS, true);
  return flow === null ? null : communityIdOf(flow, seed);
}
