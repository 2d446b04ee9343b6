import { parseCidr } from '@shoal/values';

/** Ends of the search tree, in bytes of zeros. */
const SEPARATOR_BYTES = 16;
const METADATA_START = Buffer.from('ABCDEF4D61784D696E642E636F6D', 'hex');
const RECORD_BITS = 32;

/** A node of the search tree: what follows bit 0 and bit 1; a number is a record, null nothing. */
type TreeNode = [Branch, Branch];
type Branch = TreeNode | number | null;

/**
 * Writes a database in MaxMind's format: an IPv6 tree, IPv4 networks below `::/96`, records of 32 bits. Networks must
 * not overlap. Source: "MaxMind DB File Format Specification", version 2.0.
 */
export function writeMmdb(type: string, networks: Readonly<Record<string, unknown>>): Buffer {
  const root: TreeNode = [null, null];
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const [network, record] of Object.entries(networks)) {
    insert(root, bitsOf(network), dataBytes);
    const bytes = encode(record);
    data.push(bytes);
    dataBytes += bytes.length;
  }
  const nodes = nodesOf(root);
  const metadata = encode({
    node_count: nodes.length,
    record_size: RECORD_BITS,
    ip_version: 6,
    database_type: type,
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    description: { en: 'test' },
  });
  return Buffer.concat([treeBytes(nodes), Buffer.alloc(SEPARATOR_BYTES), ...data, METADATA_START, metadata]);
}

/** Bits of a network, of 128 at most. */
function bitsOf(network: string): string {
  const { low } = parseCidr(network)!;
  const bits = [...Buffer.from(low, 'latin1')].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const length = Number(network.split('/')[1]) + (network.includes(':') ? 0 : 96);
  // Addresses of IPv4 are mapped (`::ffff:1.2.3.4`) as terms, but not in the tree.
  return (network.includes(':') ? bits : '0'.repeat(96) + bits.slice(96)).slice(0, length);
}

function insert(root: TreeNode, bits: string, record: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next = node[Number(bit)];
    node = Array.isArray(next) ? next : (node[Number(bit)] = [null, null]);
  }
  node[Number(bits.at(-1))] = record;
}

function nodesOf(root: TreeNode): TreeNode[] {
  const nodes = [root];
  for (const node of nodes) for (const branch of node) if (Array.isArray(branch)) nodes.push(branch);
  return nodes;
}

function treeBytes(nodes: readonly TreeNode[]): Buffer {
  const numbers = new Map(nodes.map((node, i) => [node, i]));
  const bytes = Buffer.alloc(nodes.length * 8);
  const recordOf = (branch: Branch): number => {
    if (branch === null) return nodes.length;
    return Array.isArray(branch) ? numbers.get(branch)! : nodes.length + SEPARATOR_BYTES + branch;
  };
  nodes.forEach((node, i) => node.forEach((branch, side) => bytes.writeUInt32BE(recordOf(branch), i * 8 + side * 4)));
  return bytes;
}

const [STRING, DOUBLE, UINT32, MAP, ARRAY] = [2, 3, 6, 7, 11];

/** Encodes a value: whole numbers as uint32, others as double. */
function encode(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(STRING!, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) return Buffer.concat([control(ARRAY!, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as Record<string, unknown>);
  return Buffer.concat([
    control(MAP!, entries.length),
    ...entries.flatMap(([key, member]) => [encode(key), encode(member)]),
  ]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(Number.isInteger(value) ? 4 : 8);
  if (Number.isInteger(value)) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([control(Number.isInteger(value) ? UINT32! : DOUBLE!, bytes.length), bytes]);
}

/** Control byte of a type and a size below 285; types from 8 on have a byte of their own. */
function control(type: number, size: number): Buffer {
  const [low, more] = size < 29 ? [size, []] : [29, [size - 29]];
  return Buffer.from(type < 8 ? [(type << 5) | low, ...more] : [low, type - 7, ...more]);
}
