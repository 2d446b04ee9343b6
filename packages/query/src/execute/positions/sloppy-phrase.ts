import type { PlacePositions } from './phrase-positions.js';

/**
 * One place of a phrase with its current position in a document. `position` is shifted by the place's offset in the
 * phrase, so that all marks of an exact match have the same one.
 */
interface Mark {
  readonly place: PlacePositions;
  readonly offset: number;
  readonly order: number;
  /** Marks that share a term with this one and so may take the same token, by offset; null when there is no other. */
  group: Mark[] | null;
  groupIndex: number;
  position: number;
  at: number;
  count: number;
}

/**
 * Sloppy phrase frequency: the sum of 1 / (1 + length) over matches whose length, the distance by which places are
 * moved, is within the slop. The matches found, and their order, are those of Lucene 9's SloppyPhraseMatcher: places
 * advance from the one that lies farthest back, and two places never share a token.
 */
export class SloppyPhrase {
  readonly #marks: readonly Mark[];
  readonly #groups: readonly Mark[][];
  readonly #hasAlternatives: boolean;
  readonly #slop: number;
  #queue: Mark[] = [];
  #end = 0;

  constructor(places: readonly PlacePositions[], slop: number) {
    this.#slop = slop;
    this.#marks = places.map((place, order) => ({
      place,
      offset: place.offset,
      order,
      group: null,
      groupIndex: -1,
      position: 0,
      at: 0,
      count: 0,
    }));
    this.#groups = groupsOf(this.#marks);
    this.#hasAlternatives = this.#groups.some((group) => group.some((mark) => mark.place.terms.length > 1));
  }

  /** The frequency in the document that all places are at; 0 when nothing matches. */
  freq(): number {
    if (!this.#start()) return 0;
    let freq = 0;
    for (let length = this.#nextMatch(); length >= 0; length = this.#nextMatch())
      freq = Math.fround(freq + Math.fround(1 / (1 + length)));
    return freq;
  }

  #start(): boolean {
    for (const mark of this.#marks) {
      mark.count = mark.place.load();
      mark.at = -1;
      if (!next(mark)) return false;
    }
    if (!this.#spreadGroups()) return false;
    this.#end = -0x80000000;
    for (const mark of this.#marks) this.#end = Math.max(this.#end, mark.position);
    this.#queue = [...this.#marks];
    return true;
  }

  #pop(): Mark {
    const queue = this.#queue;
    let best = 0;
    for (let i = 1; i < queue.length; i++) if (isBefore(queue[i]!, queue[best]!)) best = i;
    return queue.splice(best, 1)[0]!;
  }

  #top(): number {
    return this.#queue.reduce((least, mark) => Math.min(least, mark.position), 0x7fffffff);
  }

  /** The length of the next match within the slop, or -1. */
  #nextMatch(): number {
    if (this.#queue.length < this.#marks.length) return -1;
    let mark = this.#pop();
    let length = this.#end - mark.position;
    let nextPosition = this.#top();
    while (this.#advance(mark)) {
      if (!this.#advanceRepeats(mark)) break;
      if (mark.position > nextPosition) {
        this.#queue.push(mark);
        if (length <= this.#slop) return length;
        mark = this.#pop();
        nextPosition = this.#top();
        length = this.#end - mark.position;
      } else length = Math.min(length, this.#end - mark.position);
    }
    return length <= this.#slop ? length : -1;
  }

  #advance(mark: Mark): boolean {
    if (!next(mark)) return false;
    if (mark.position > this.#end) this.#end = mark.position;
    return true;
  }

  /**
   * Moves the first positions apart so that marks of one group take different tokens. Returns false if there are not
   * enough tokens.
   */
  #spreadGroups(): boolean {
    for (const group of this.#groups) {
      if (this.#hasAlternatives ? !this.#separate(group) : !stagger(group)) return false;
    }
    return true;
  }

  #separate(group: readonly Mark[]): boolean {
    for (let i = 0, step = 1; i < group.length; i += step) {
      step = 1;
      const mark = group[i]!;
      for (let k = collision(mark); k >= 0; k = collision(mark)) {
        const behind = lesser(mark, group[k]!);
        if (!this.#advance(behind)) return false;
        if (behind.groupIndex < i) {
          step = 0;
          break;
        }
      }
    }
    return true;
  }

  /**
   * Advances marks until no mark of the group of `moved` has the token of another. Each of these marks is `moved` or in
   * the queue. Returns false at the end of the positions.
   */
  #advanceRepeats(moved: Mark): boolean {
    if (moved.group === null) return true;
    let mark = moved;
    for (let k = collision(mark); k >= 0; k = collision(mark)) {
      mark = lesser(mark, mark.group![k]!);
      if (!this.#advance(mark)) return false;
    }
    return true;
  }
}

function next(mark: Mark): boolean {
  mark.at++;
  if (mark.at >= mark.count) return false;
  mark.position = mark.place.positions[mark.at]! - mark.offset;
  return true;
}

function isBefore(a: Mark, b: Mark): boolean {
  if (a.position !== b.position) return a.position < b.position;
  return a.offset === b.offset ? a.order < b.order : a.offset < b.offset;
}

function lesser(a: Mark, b: Mark): Mark {
  return a.position < b.position || (a.position === b.position && a.offset < b.offset) ? a : b;
}

function collision(mark: Mark): number {
  const token = mark.position + mark.offset;
  const other = mark.group!.find((one) => one !== mark && one.position + one.offset === token);
  return other === undefined ? -1 : other.groupIndex;
}

function stagger(group: readonly Mark[]): boolean {
  for (let j = 1; j < group.length; j++) {
    for (let k = 0; k < j; k++) if (!next(group[j]!)) return false;
  }
  return true;
}

/** Returns the groups of marks that share a term. */
function groupsOf(marks: readonly Mark[]): Mark[][] {
  const groups: Mark[][] = [];
  for (const mark of marks) {
    const sharing = groups.filter((group) =>
      group.some((other) => other.place.terms.some((term) => mark.place.terms.includes(term))),
    );
    const joined = [...sharing.flat(), mark];
    for (const group of sharing) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  const repeated = groups.filter((group) => group.length > 1);
  for (const group of repeated) {
    group.sort((a, b) => a.offset - b.offset);
    group.forEach((mark, i) => {
      mark.group = group;
      mark.groupIndex = i;
    });
  }
  return repeated;
}
