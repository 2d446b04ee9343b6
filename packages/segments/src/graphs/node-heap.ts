/** Nodes of a graph by how near they are, as a binary heap in typed arrays; the first one is at the root. */
export class NodeHeap {
  size = 0;
  #nodes: Int32Array;
  #keys: Float32Array;
  /** 1 with the nearest node at the root, -1 with the farthest. */
  readonly #sign: 1 | -1;

  constructor(root: 'nearest' | 'farthest', capacity = 128) {
    this.#sign = root === 'nearest' ? 1 : -1;
    this.#nodes = new Int32Array(capacity);
    this.#keys = new Float32Array(capacity);
  }

  /** Node at the root. */
  get node(): number {
    return this.#nodes[0]!;
  }

  /** How near the node at the root is. */
  get near(): number {
    return this.#keys[0]! * this.#sign;
  }

  clear(): void {
    this.size = 0;
  }

  push(node: number, near: number): void {
    if (this.size === this.#nodes.length) this.#grow();
    const key = near * this.#sign;
    const nodes = this.#nodes;
    const keys = this.#keys;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! >= key) break;
      nodes[at] = nodes[parent]!;
      keys[at] = keys[parent]!;
      at = parent;
    }
    nodes[at] = node;
    keys[at] = key;
  }

  /** Removes the node at the root. */
  pop(): void {
    const last = --this.size;
    if (last > 0) this.#sink(this.#nodes[last]!, this.#keys[last]!);
  }

  /** Puts a node in the place of the one at the root. */
  replace(node: number, near: number): void {
    this.#sink(node, near * this.#sign);
  }

  #sink(node: number, key: number): void {
    const nodes = this.#nodes;
    const keys = this.#keys;
    const { size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1]! > keys[child]!) child++;
      if (keys[child]! <= key) break;
      nodes[at] = nodes[child]!;
      keys[at] = keys[child]!;
      at = child;
    }
    nodes[at] = node;
    keys[at] = key;
  }

  #grow(): void {
    const nodes = new Int32Array(this.#nodes.length * 2);
    const keys = new Float32Array(nodes.length);
    nodes.set(this.#nodes);
    keys.set(this.#keys);
    this.#nodes = nodes;
    this.#keys = keys;
  }
}
