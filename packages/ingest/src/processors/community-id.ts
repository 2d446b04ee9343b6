import { createHash } from 'node:crypto';
import { errors } from '@shoal/errors';
import { parseIp } from '@shoal/values';
import { IngestDocument } from '../document.js';
import { isNumeric, javaText } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

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

/** Types of ICMP messages that answer one another. Source: the Community ID specification 1.0. */
const ICMP_ANSWERS: ReadonlyMap<number, ReadonlyMap<number, number>> = new Map([
  [
    ICMP,
    new Map([
      [8, 0],
      [0, 8],
      [13, 14],
      [14, 13],
      [15, 16],
      [16, 15],
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
      [131, 130],
      [144, 145],
      [145, 144],
    ]),
  ],
]);

function addressOf(document: IngestDocument, field: string): Buffer | null {
  const text = document.text(field, true);
  if (text === null) return null;
  const ip = parseIp(text);
  if (ip === null) throw errors.illegalArgument(`'${text}' is not an IP string literal.`);
  const bytes = Buffer.from(ip, 'latin1');
  return text.includes(':') ? bytes : bytes.subarray(bytes.length - 4);
}

function numberAt(document: IngestDocument, field: string, max: number, name: string): number | null {
  const value = document.get(field, true) ?? null;
  if (value === null) return null;
  const number = Number(isNumeric(value) || typeof value === 'string' ? javaText(value) : Number.NaN);
  if (!Number.isInteger(number)) throw errors.illegalArgument(`unable to parse ${name} [${String(value)}]`);
  if (number < 0 || number > max) throw errors.illegalArgument(`invalid ${name} [${number}]`);
  return number;
}

function transportOf(document: IngestDocument, ianaField: string, transportField: string): number | null {
  const iana = numberAt(document, ianaField, 255, 'iana number');
  if (iana !== null) return iana;
  const name = document.get(transportField, true) ?? null;
  if (name === null) return null;
  const known =
    TRANSPORTS.get(javaText(name).toLowerCase()) ?? (/^\d+$/.test(javaText(name)) ? Number(javaText(name)) : undefined);
  if (known === undefined)
    throw errors.illegalArgument(`could not convert string [${javaText(name)}] to transport protocol`);
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
      const flow = flowOf(document, fields);
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

function flowOf(document: IngestDocument, fields: FlowFields): Flow | null {
  const source = addressOf(document, fields.sourceIp);
  const destination = addressOf(document, fields.destinationIp);
  const transport = transportOf(document, fields.iana, fields.transport);
  if (source === null || destination === null || transport === null) return null;
  const answers = ICMP_ANSWERS.get(transport);
  if (answers) {
    const type = numberAt(document, fields.icmpType, 255, 'icmp type');
    if (type === null) return null;
    const code = numberAt(document, fields.icmpCode, 255, 'icmp code') ?? 0;
    const answer = answers.get(type);
    return { source, destination, transport, ports: [type, answer ?? code], isOneWay: answer === undefined };
  }
  if (!WITH_PORTS.includes(transport)) return { source, destination, transport, ports: null, isOneWay: false };
  const from = numberAt(document, fields.sourcePort, 65_535, 'source port');
  const to = numberAt(document, fields.destinationPort, 65_535, 'destination port');
  if (!from || !to) return null;
  return { source, destination, transport, ports: [from, to], isOneWay: false };
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
  const flow = flowOf(new IngestDocument(source, {}, {}), PART_FIELDS);
  return flow === null ? null : communityIdOf(flow, seed);
}
