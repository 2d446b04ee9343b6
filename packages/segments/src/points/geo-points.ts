import { ByteReader, ByteWriter, radixSort } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type Axis, geoPlane, LAT, LON, toDegrees } from '../columns/geo-plane.js';
import { latDegrees, lonDegrees } from '../geo-quantisation.js';
import { type BitSet, CHUNK_BYTES_MAX, type GeoPointsReader } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import type { SegmentOutput, StreamLocation } from '../storage/part-writer.js';
import type { NumberEncoder } from '../values/encode-number-block.js';
import { decodeNumbers, loadNumberBlock, numberBlock } from '../values/number-block.kernel.js';
import { DOC_BLOCK_BYTES_MAX, decodeDocBlock, encodeDocBlock, POINT_BLOCK, setDocs } from './doc-blocks.js';

/** Upper bound of the encoded bytes of one axis of a leaf: raw 64-bit values and a header. */
const AXIS_BYTES_MAX = 8 * POINT_BLOCK + 64;

/** Spreads the lower 16 bits to the even bit positions. */
function spread(value: number): number {
  let v = value & 0xffff;
  v = (v | (v << 8)) & 0x00ff00ff;
  v = (v | (v << 4)) & 0x0f0f0f0f;
  v = (v | (v << 2)) & 0x33333333;
  return (v | (v << 1)) & 0x55555555;
}

/**
 * Writes a k-d tree of quantised points. Points are collected, sorted along the Morton curve (G. M. Morton, 1966), and
 * written in blocks, each with its bounding box. The blocks are the leaves of a tree that splits cells in the middle,
 * alternating axes; so a merge only sorts, and builds no tree.
 */
export class GeoPointsWriter {
  #lats = new Int32Array(1024);
  #lons = new Int32Array(1024);
  #docs = new Int32Array(1024);
  #count = 0;
  readonly #encodeLats = geoPlane(LAT);
  readonly #encodeLons = geoPlane(LON);

  add(doc: number, lat: number, lon: number): void {
    if (this.#count === this.#docs.length) this.#grow();
    this.#lats[this.#count] = lat;
    this.#lons[this.#count] = lon;
    this.#docs[this.#count++] = doc;
  }

  /** Writes the blocks; returns the location of their directory. */
  finish(output: SegmentOutput, encoder: NumberEncoder): StreamLocation {
    const order = this.#sort();
    const part = output.part('points');
    const directory = new ByteWriter();
    const out = new Uint8Array(DOC_BLOCK_BYTES_MAX + 2 * AXIS_BYTES_MAX);
    const histogram = new Int32Array(33);
    let address = 0;
    directory.varint(this.#count);
    for (let from = 0; from < this.#count; from += POINT_BLOCK) {
      const items = order.slice(from, Math.min(from + POINT_BLOCK, this.#count)).sort();
      const next = part.append(out, 0, this.#encodeLeaf(items, encoder, out, histogram));
      directory.varint(next - address);
      this.#writeBox(items, directory);
      address = next;
    }
    return output.part('index').appendStream(directory.finish());
  }

  #grow(): void {
    const grow = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(from.length * 2);
      to.set(from);
      return to;
    };
    this.#lats = grow(this.#lats);
    this.#lons = grow(this.#lons);
    this.#docs = grow(this.#docs);
  }

  #sort(): Int32Array {
    const count = this.#count;
    const high = new Int32Array(count);
    const low = new Int32Array(count);
    const items = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const lat = this.#lats[i]! ^ -0x80000000;
      const lon = this.#lons[i]! ^ -0x80000000;
      high[i] = (spread(lat >>> 16) << 1) | spread(lon >>> 16);
      low[i] = (spread(lat) << 1) | spread(lon);
      items[i] = i;
    }
    return radixSort(high, low, items, count);
  }

  /** Encodes a leaf: documents, then latitudes and longitudes, each with a length prefix. */
  #encodeLeaf(items: Int32Array, encoder: NumberEncoder, out: Uint8Array, histogram: Int32Array): number {
    const docs = items.map((i) => this.#docs[i]!);
    let at = encodeDocBlock(docs, docs.length, out, 0, histogram);
    for (const [values, encode] of [
      [this.#lats, this.#encodeLats],
      [this.#lons, this.#encodeLons],
    ] as const) {
      const bytes = encode(
        encoder,
        Float64Array.from(items, (i) => values[i]!),
        items.length,
      );
      out[at] = bytes;
      out[at + 1] = bytes >>> 8;
      out.set(encoder.out.subarray(0, bytes), at + 2);
      at += 2 + bytes;
    }
    return at;
  }

  #writeBox(items: Int32Array, out: ByteWriter): void {
    for (const axis of [this.#lats, this.#lons]) {
      let min = 0x7fffffff;
      let max = -0x80000000;
      for (const i of items) {
        min = Math.min(min, axis[i]!);
        max = Math.max(max, axis[i]!);
      }
      out.u32(min);
      out.u32(max);
    }
  }
}

/**
 * Bounding boxes of a k-d tree: of its leaves and of the binary tree over them. Node n has the children 2n and 2n + 1;
 * leaf i is node `leafBase` + i.
 */
export interface GeoTree {
  readonly valueCount: number;
  readonly leaves: number;
  readonly leafBase: number;
  readonly addresses: Float64Array;
  /** Quantised minLat, maxLat, minLon, maxLon of each node. */
  readonly boxes: Int32Array;
}

/** Reads the directory of the leaves and computes the boxes of the inner nodes. */
export function readGeoTree(bytes: Uint8Array): GeoTree {
  const input = new ByteReader(bytes);
  const valueCount = input.varint();
  const leaves = Math.ceil(valueCount / POINT_BLOCK);
  if (leaves > bytes.length) throw errors.corruption('more blocks of points than their directory has bytes');
  const leafBase = 2 ** Math.ceil(Math.log2(Math.max(leaves, 1)));
  const boxes = new Int32Array(8 * leafBase);
  const addresses = new Float64Array(leaves);
  let address = 0;
  for (let leaf = 0; leaf < leaves; leaf++) {
    addresses[leaf] = address += input.varint();
    for (let k = 0; k < 4; k++) boxes[4 * (leafBase + leaf) + k] = input.u32();
  }
  for (let node = leafBase - 1; node >= 1; node--) joinChildren(boxes, node, leafBase, leaves);
  return { valueCount, leaves, leafBase, addresses, boxes };
}

/** Whether a node has leaves below it; leaves fill the tree from the left. */
function isUsed(node: number, leafBase: number, leaves: number): boolean {
  let first = node;
  while (first < leafBase) first *= 2;
  return first - leafBase < leaves;
}

function joinChildren(boxes: Int32Array, node: number, leafBase: number, leaves: number): void {
  const a = 8 * node;
  const b = isUsed(2 * node + 1, leafBase, leaves) ? a + 4 : a;
  boxes[4 * node] = Math.min(boxes[a]!, boxes[b]!);
  boxes[4 * node + 1] = Math.max(boxes[a + 1]!, boxes[b + 1]!);
  boxes[4 * node + 2] = Math.min(boxes[a + 2]!, boxes[b + 2]!);
  boxes[4 * node + 3] = Math.max(boxes[a + 3]!, boxes[b + 3]!);
}

type Relate = Parameters<GeoPointsReader['collect']>[0];
type Contains = Parameters<GeoPointsReader['collect']>[1];

/**
 * K-d tree of a sealed segment. Leaves store coordinates, because reading scattered ones from the column costs 80 ns
 * each.
 */
export class SealedGeoPoints implements GeoPointsReader {
  readonly #tree: GeoTree;
  readonly #part: PartReader;
  readonly #maxDoc: number;
  readonly #docs = new Int32Array(POINT_BLOCK);
  readonly #lats = new Float64Array(POINT_BLOCK);
  readonly #lons = new Float64Array(POINT_BLOCK);
  readonly #header = numberBlock();
  readonly #scratch: Int32Array;

  constructor(tree: GeoTree, part: PartReader, maxDoc: number, scratch: Int32Array) {
    this.#tree = tree;
    this.#part = part;
    this.#scratch = scratch;
    this.#maxDoc = maxDoc;
  }

  collect(relate: Relate, contains: Contains, into: BitSet): void {
    if (this.#tree.leaves > 0) this.#visit(1, relate, contains, into);
  }

  /** Collects from the leaves below `node`. The root has number 1, also if it is a leaf. */
  #visit(node: number, relate: Relate, contains: Contains, into: BitSet): void {
    const { boxes, leafBase, leaves } = this.#tree;
    if (!isUsed(node, leafBase, leaves)) return;
    const at = 4 * node;
    const relation = relate(
      latDegrees(boxes[at]!),
      latDegrees(boxes[at + 1]!),
      lonDegrees(boxes[at + 2]!),
      lonDegrees(boxes[at + 3]!),
    );
    if (relation === 'outside') return;
    if (relation === 'inside') this.#addAll(node, into);
    else if (node >= leafBase) this.#filterLeaf(node - leafBase, contains, into);
    else {
      this.#visit(2 * node, relate, contains, into);
      this.#visit(2 * node + 1, relate, contains, into);
    }
  }

  #addAll(node: number, into: BitSet): void {
    let first = node;
    let last = node;
    while (first < this.#tree.leafBase) {
      first *= 2;
      last = 2 * last + 1;
    }
    const end = Math.min(last - this.#tree.leafBase + 1, this.#tree.leaves);
    for (let leaf = first - this.#tree.leafBase; leaf < end; leaf++) {
      this.#decode(leaf);
      setDocs(this.#docs, this.#size(leaf), into.words);
    }
  }

  #size(leaf: number): number {
    return Math.min(POINT_BLOCK, this.#tree.valueCount - leaf * POINT_BLOCK);
  }

  #decode(leaf: number): number {
    const address = this.#tree.addresses[leaf]!;
    return decodeDocBlock(
      this.#part.chunk(address),
      address % CHUNK_BYTES_MAX,
      this.#size(leaf),
      this.#maxDoc,
      this.#docs,
    );
  }

  #filterLeaf(leaf: number, contains: Contains, into: BitSet): void {
    const at = this.#decode(leaf);
    const chunk = this.#part.chunk(this.#tree.addresses[leaf]!);
    const size = this.#size(leaf);
    const next = this.#decodeAxis(LAT, chunk, at, size, this.#lats);
    this.#decodeAxis(LON, chunk, next, size, this.#lons);
    for (let i = 0; i < size; i++) if (contains(this.#lats[i]!, this.#lons[i]!)) into.set(this.#docs[i]!);
  }

  #decodeAxis(axis: Axis, chunk: Uint8Array, at: number, size: number, out: Float64Array): number {
    loadNumberBlock(chunk, at + 3, size, this.#header);
    decodeNumbers(chunk, this.#header, out, 0, this.#scratch);
    toDegrees(axis, chunk[at + 2]!, out, size);
    return at + 2 + (chunk[at]! | (chunk[at + 1]! << 8));
  }
}
