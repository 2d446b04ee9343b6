import {
  type CharacterTest,
  type ParsedRegex,
  type Place,
  type RegexNode,
  RegexSyntaxError,
  widthOf,
} from './regex-tree.js';

/** Instructions of a program: repetitions with bounds are written out. */
const INSTRUCTIONS_MAX = 20_000;

/** A step of matching. Numbers are places in the program. */
export type Instruction =
  | { readonly op: 'character'; readonly test: CharacterTest }
  | { readonly op: 'place'; readonly place: Place }
  /** Goes on at `first`, and at `second` if that fails. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'mark'; readonly loop: number }
  /** Leaves a loop whose body matched nothing. */
  | { readonly op: 'again'; readonly loop: number; readonly to: number; out: number }
  | { readonly op: 'reference'; readonly group: number; readonly fold: ((code: number) => number) | null }
  /** Runs a part of its own from `next` on, whose end is `match`. */
  | {
      readonly op: 'look';
      readonly isNegated: boolean;
      /** Units to go back, at least and at most; null for looking ahead. */
      readonly behind: readonly [min: number, max: number] | null;
      out: number;
    }
  | { readonly op: 'atomic'; out: number }
  | { readonly op: 'match' };

/** A regular expression, ready to be run by a backtracking matcher. */
export interface RegexProgram {
  readonly code: readonly Instruction[];
  readonly loops: number;
  readonly groupCount: number;
  readonly names: Readonly<Record<string, number>>;
}

/** Translates a parsed expression. Throws RegexSyntaxError for one that is too large. */
export function compileProgram({ root, groupCount, names }: ParsedRegex): RegexProgram {
  const writer = new Writer();
  writer.node(root);
  writer.add({ op: 'match' });
  return { code: writer.code, loops: writer.loops, groupCount, names };
}

class Writer {
  readonly code: Instruction[] = [];
  loops = 0;

  add<I extends Instruction>(instruction: I): I {
    if (this.code.length >= INSTRUCTIONS_MAX) throw new RegexSyntaxError('The regular expression is too large');
    this.code.push(instruction);
    return instruction;
  }

  node(node: RegexNode): void {
    switch (node.kind) {
      case 'character':
        return void this.add({ op: 'character', test: node.test });
      case 'place':
        return void this.add({ op: 'place', place: node.place });
      case 'reference':
        return void this.add({ op: 'reference', group: node.group, fold: node.fold });
      case 'sequence':
        return node.parts.forEach((part) => this.node(part));
      case 'choice':
        return this.#choice(node.parts);
      case 'group':
        this.add({ op: 'save', slot: 2 * node.number });
        this.node(node.body);
        return void this.add({ op: 'save', slot: 2 * node.number + 1 });
      case 'repeat':
        return this.#repeat(node);
      case 'atomic':
        return this.#inner(this.add({ op: 'atomic', out: 0 }), node.body);
      case 'look': {
        const behind = node.isBehind ? widthOf(node.body) : null;
        return this.#inner(this.add({ op: 'look', isNegated: node.isNegated, behind, out: 0 }), node.body);
      }
    }
  }

  #inner(head: { out: number }, body: RegexNode): void {
    this.node(body);
    this.add({ op: 'match' });
    head.out = this.code.length;
  }

  #choice(parts: readonly RegexNode[]): void {
    const ends: { to: number }[] = [];
    parts.forEach((part, i) => {
      if (i === parts.length - 1) return this.node(part);
      const split = this.add({ op: 'split', first: this.code.length + 1, second: 0 });
      this.node(part);
      ends.push(this.add({ op: 'jump', to: 0 }));
      split.second = this.code.length;
    });
    for (const end of ends) end.to = this.code.length;
  }

  #repeat(node: Extract<RegexNode, { kind: 'repeat' }>): void {
    if (node.greed === 'possessive') {
      const body: RegexNode = { ...node, greed: 'greedy' };
      return this.#inner(this.add({ op: 'atomic', out: 0 }), body);
    }
    for (let i = 0; i < node.min; i++) this.node(node.body);
    const isLazy = node.greed === 'lazy';
    if (node.max === Infinity) return this.#loop(node.body, isLazy);
    const splits = Array.from({ length: node.max - node.min }, () => {
      const split = this.#split(isLazy);
      this.node(node.body);
      return split;
    });
    for (const split of splits) leave(split, isLazy, this.code.length);
  }

  #loop(body: RegexNode, isLazy: boolean): void {
    const start = this.code.length;
    const split = this.#split(isLazy);
    const loop = this.loops++;
    this.add({ op: 'mark', loop });
    this.node(body);
    const again = this.add({ op: 'again', loop, to: start, out: 0 });
    again.out = this.code.length;
    leave(split, isLazy, this.code.length);
  }

  #split(isLazy: boolean): Extract<Instruction, { op: 'split' }> {
    const body = this.code.length + 1;
    return this.add({ op: 'split', first: isLazy ? 0 : body, second: isLazy ? body : 0 });
  }
}

/** Sets where the way goes on that leaves a repetition. */
function leave(split: { first: number; second: number }, isLazy: boolean, out: number): void {
  if (isLazy) split.first = out;
  else split.second = out;
}
