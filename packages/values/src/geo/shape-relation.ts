import { boxOfPart, type ShapeBox, type ShapePart } from './shape-parts.js';

/** Edges in a leaf of a tree. */
const LEAF = 8;

/**
 * The edges of a part in the order of its rings, with the boxes of runs of them in a binary tree: runs of edges that
 * follow each other lie close together, so that crossings and rays meet few of them.
 */
export class PreparedPart {
  readonly kind: ShapePart['kind'];
  readonly part: ShapePart;
  readonly box: ShapeBox;
  /** x1, y1, x2, y2 of each edge; a point has one of no length. */
  readonly edges: Float64Array;
  /** minLon, minLat, maxLon, maxLat of each node; the children of node i are 2i + 1 and 2i + 2. */
  private readonly boxes: Float64Array;
  private readonly leaves: number;

  constructor(part: ShapePart) {
    this.part = part;
    this.kind = part.kind;
    this.box = boxOfPart(part);
    this.edges = edgesOf(part);
    const runs = Math.max(1, Math.ceil(this.edges.length / 4 / LEAF));
    this.leaves = 2 ** Math.ceil(Math.log2(runs));
    this.boxes = new Float64Array(8 * this.leaves);
    this.fill();
  }

  private fill(): void {
    const { boxes, edges, leaves } = this;
    for (let node = 2 * leaves - 2; node >= 0; node--) {
      let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
      const take = (from: Float64Array, at: number): void => {
        left = Math.min(left, from[at]!, from === edges ? from[at + 2]! : Infinity);
        low = Math.min(low, from[at + 1]!, from === edges ? from[at + 3]! : Infinity);
        right = Math.max(right, from[at + 2]!, from === edges ? from[at]! : -Infinity);
        high = Math.max(high, from[at + 3]!, from === edges ? from[at + 1]! : -Infinity);
      };
      if (node < leaves - 1) {
        take(boxes, 4 * (2 * node + 1));
        take(boxes, 4 * (2 * node + 2));
      } else {
        const [from, to] = this.run(node);
        for (let edge = from; edge < to; edge++) take(edges, 4 * edge);
      }
      boxes.set([left, low, right, high], 4 * node);
    }
  }

  private run(node: number): [number, number] {
    const first = (node - this.leaves + 1) * LEAF;
    return [first, Math.min(first + LEAF, this.edges.length / 4)];
  }

  /** Visits the edges whose boxes meet a box, until `visit` returns true; returns whether it did. */
  some(
    left: number,
    low: number,
    right: number,
    high: number,
    visit: (x1: number, y1: number, x2: number, y2: number) => boolean,
    node = 0,
  ): boolean {
    const { boxes, edges } = this;
    const at = 4 * node;
    if (!(boxes[at]! <= right && boxes[at + 2]! >= left && boxes[at + 1]! <= high && boxes[at + 3]! >= low))
      return false;
    if (node < this.leaves - 1) {
      return (
        this.some(left, low, right, high, visit, 2 * node + 1) || this.some(left, low, right, high, visit, 2 * node + 2)
      );
    }
    const [from, to] = this.run(node);
    for (let i = 4 * from; i < 4 * to; i += 4)
      if (visit(edges[i]!, edges[i + 1]!, edges[i + 2]!, edges[i + 3]!)) return true;
    return false;
  }

  /** Whether a place is on an edge. */
  isOnEdge(x: number, y: number): boolean {
    return this.some(x, y, x, y, (x1, y1, x2, y2) => turn(x1, y1, x2, y2, x, y) === 0 && between(x1, y1, x2, y2, x, y));
  }

  /** Whether a place is in a polygon, by the parity of the edges that a ray to the east meets. */
  isInside(x: number, y: number): boolean {
    if (this.kind !== 'polygon') return false;
    let isIn = false;
    this.some(x, y, Infinity, y, (x1, y1, x2, y2) => {
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isIn = !isIn;
      return false;
    });
    return isIn;
  }

  /** Whether a place is in the part or on its border. */
  covers(x: number, y: number): boolean {
    return this.isOnEdge(x, y) || this.isInside(x, y);
  }
}

function edgesOf({ kind, rings }: ShapePart): Float64Array {
  if (kind === 'point') return Float64Array.of(rings[0]![0]!, rings[0]![1]!, rings[0]![0]!, rings[0]![1]!);
  const edges = new Float64Array(rings.reduce((sum, ring) => sum + 2 * ring.length - 4, 0));
  let at = 0;
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2, at += 4) edges.set(ring.subarray(i - 2, i + 2), at);
  }
  return edges;
}

/** Sign of the turn from one edge to a place: 1 to the left, -1 to the right, 0 straight. */
function turn(x1: number, y1: number, x2: number, y2: number, x: number, y: number): number {
  return Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
}

function between(x1: number, y1: number, x2: number, y2: number, x: number, y: number): boolean {
  return x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
}

/** Whether any edges of two parts meet; `isStrict` asks that they cross within both. */
function edgesMeet(a: PreparedPart, b: PreparedPart, isStrict: boolean): boolean {
  const { minLon, minLat, maxLon, maxLat } = b.box;
  return a.some(minLon, minLat, maxLon, maxLat, (x1, y1, x2, y2) =>
    b.some(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2), (x3, y3, x4, y4) => {
      const [t1, t2] = [turn(x1, y1, x2, y2, x3, y3), turn(x1, y1, x2, y2, x4, y4)];
      const [t3, t4] = [turn(x3, y3, x4, y4, x1, y1), turn(x3, y3, x4, y4, x2, y2)];
      if (isStrict) return t1 * t2 < 0 && t3 * t4 < 0;
      if (t1 * t2 < 0 && t3 * t4 < 0) return true;
      return (
        (t1 === 0 && between(x1, y1, x2, y2, x3, y3)) ||
        (t2 === 0 && between(x1, y1, x2, y2, x4, y4)) ||
        (t3 === 0 && between(x3, y3, x4, y4, x1, y1)) ||
        (t4 === 0 && between(x3, y3, x4, y4, x2, y2))
      );
    }),
  );
}

const boxesMeet = (a: ShapeBox, b: ShapeBox): boolean =>
  a.minLon <= b.maxLon && a.maxLon >= b.minLon && a.minLat <= b.maxLat && a.maxLat >= b.minLat;

/** Whether two parts have a place in common. */
export function partsIntersect(a: PreparedPart, b: PreparedPart): boolean {
  if (!boxesMeet(a.box, b.box)) return false;
  if (edgesMeet(a, b, false)) return true;
  return a.isInside(b.edges[0]!, b.edges[1]!) || b.isInside(a.edges[0]!, a.edges[1]!);
}

/** Whether a part lies within another: within a polygon or on its border, or, for a point, on a line or point. */
export function partWithin(inner: PreparedPart, outer: PreparedPart): boolean {
  if (!boxesMeet(inner.box, outer.box)) return false;
  if (inner.kind === 'point') return outer.covers(inner.edges[0]!, inner.edges[1]!);
  if (outer.kind !== 'polygon' || edgesMeet(inner, outer, true)) return false;
  const { edges } = inner;
  // Where the borders have no place in common, one place of a border tells of all.
  const meets = edgesMeet(inner, outer, false);
  for (let i = 0; i < (meets ? edges.length : 1); i += 4) {
    if (!outer.covers(edges[i]!, edges[i + 1]!) || !outer.covers(edges[i + 2]!, edges[i + 3]!)) return false;
  }
  if (inner.kind === 'line') return true;
  return !outer.part.rings.slice(1).some((hole) => isInHole(meets ? hole : hole.subarray(0, 2), inner));
}

/** Whether a place of a hole's border lies inside of a polygon. */
function isInHole(hole: Float64Array, inner: PreparedPart): boolean {
  for (let i = 0; i < hole.length; i += 2) {
    if (inner.isInside(hole[i]!, hole[i + 1]!) && !inner.isOnEdge(hole[i]!, hole[i + 1]!)) return true;
  }
  return false;
}

/** How a document's shape has to stand to a query's. */
export type ShapeRelation = 'intersects' | 'within' | 'contains';

/** Whether the parts of a document have the relation to those of a query. */
export function shapesRelate(
  document: readonly PreparedPart[],
  query: readonly PreparedPart[],
  relation: ShapeRelation,
): boolean {
  if (relation === 'within') return document.every((part) => query.some((area) => partWithin(part, area)));
  if (relation === 'contains') return query.every((part) => document.some((area) => partWithin(part, area)));
  return document.some((part) => query.some((area) => partsIntersect(part, area)));
}
