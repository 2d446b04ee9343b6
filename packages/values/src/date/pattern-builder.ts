import { errors } from '@shoal/errors';
import { FIELD } from './fields.js';
import { type JavaPattern, patternOf } from './java-pattern.js';
import {
  compilePattern,
  type Element,
  letterElement,
  NUMBER_WIDTH_MAX,
  type NumberElement,
  NUMBERS,
  reserveAdjacent,
} from './pattern.js';

/** Elements that a builder may hold, those of sections included. */
const ELEMENTS_MAX = 1000;

interface Section {
  readonly elements: Element[];
  /** Width and character that the next element is filled up with; null for none. */
  pad: { readonly width: number; readonly char: string } | null;
}

const section = (): Section => ({ elements: [], pad: null });

/** Builds patterns element by element, as java.time's DateTimeFormatterBuilder. */
export class PatternBuilder {
  #sections: Section[] = [section()];
  #ignoresCase = false;
  #isLenient = false;
  #count = 0;

  /** Whether texts are read in any case from here on. */
  ignoreCase(isIgnored: boolean): void {
    this.#ignoresCase = isIgnored;
  }

  /** Whether numbers of any width are read from here on. */
  lenient(isLenient: boolean): void {
    this.#isLenient = isLenient;
  }

  /** Appends a pattern of letters. Throws illegal_argument_exception for a malformed one. */
  pattern(pattern: string): void {
    this.elements(compilePattern(pattern));
  }

  /** Appends the elements of another pattern. */
  elements(elements: readonly Element[]): void {
    for (const element of elements) this.#add(element);
  }

  /** Appends another pattern as a whole; texts may lack it if `isOptional`. */
  group(elements: readonly Element[], isOptional: boolean): void {
    if (isOptional) this.#add({ kind: 'optional', elements: elements.map((element) => this.#adapted(element)) });
    else this.elements(elements);
  }

  literal(text: string): void {
    if (text !== '') this.#add({ kind: 'literal', text });
  }

  /** Appends the number of a letter, of one to `NUMBER_WIDTH_MAX` digits. */
  number(letter: string, min = 1, max = NUMBER_WIDTH_MAX, sign: NumberElement['sign'] = 'normal', base = 0): void {
    const [field, low, high] = NUMBERS.get(letter)!;
    if (min < 1 || min > NUMBER_WIDTH_MAX)
      throw errors.illegalArgument(`The minimum width must be from 1 to 19 inclusive but was ${min}`);
    if (max < 1 || max > NUMBER_WIDTH_MAX)
      throw errors.illegalArgument(`The maximum width must be from 1 to 19 inclusive but was ${max}`);
    if (max < min)
      throw errors.illegalArgument(`The maximum width must exceed or equal the minimum width but ${max} < ${min}`);
    this.#add({ kind: 'number', field, letter, min, max, sign, base, reserved: 0, low, high });
  }

  /** Appends as many digits of the fraction of a second as a number: 3 for milliseconds. */
  subsecond(digits: number): void {
    const high = 10 ** digits - 1;
    const number = { kind: 'number', field: FIELD.nano, letter: 'n', sign: 'never', base: 0, reserved: 0 } as const;
    this.#add({ ...number, min: digits, max: digits, low: 0, high, scale: 10 ** (9 - digits) });
  }

  /** Appends the name of a letter's value in as many letters as `count` says (`MMM`), or the names that are given. */
  text(letter: string, count: number, names: readonly string[] | null): void {
    const element = letterElement(letter, count);
    this.#add(names !== null && element.kind === 'text' ? { ...element, names } : element);
  }

  fraction(min: number, max: number, hasPoint: boolean): void {
    if (min < 0 || min > 9) throw errors.illegalArgument(`Minimum width must be from 0 to 9 inclusive but was ${min}`);
    if (max < 1 || max > 9) throw errors.illegalArgument(`Maximum width must be from 1 to 9 inclusive but was ${max}`);
    if (max < min)
      throw errors.illegalArgument(`Maximum width must exceed or equal the minimum width but ${max} < ${min}`);
    this.#add({ kind: 'fraction', min, max, hasPoint });
  }

  /** Appends an offset or a zone, as a letter so many times writes it. */
  zone(letter: string, count: number): void {
    this.#add({ kind: 'zone', letter, count });
  }

  /** A field that texts do not tell has this value. */
  defaulting(field: keyof typeof FIELD, value: number): void {
    this.#add({ kind: 'default', field: FIELD[field], value });
  }

  /** Fills the next element up with characters in front. */
  padNext(width: number, char: string): void {
    if (width < 1) throw errors.illegalArgument(`The pad width must be at least one but was ${width}`);
    this.#sections.at(-1)!.pad = { width, char };
  }

  optionalStart(): void {
    if (this.#sections.length > 50) throw errors.illegalArgument('Pattern nests too many optional sections');
    this.#sections.push(section());
  }

  /** Ends the last optional section; tells whether there was one. */
  optionalEnd(): boolean {
    if (this.#sections.length === 1) return false;
    const { elements } = this.#sections.pop()!;
    if (elements.length > 0) this.#add({ kind: 'optional', elements: settled(elements) });
    return true;
  }

  /** Returns the pattern, which ends all sections. */
  build(locale: string | null): JavaPattern {
    while (this.optionalEnd());
    return patternOf(settled(this.#sections[0]!.elements), locale);
  }

  #add(given: Element): void {
    if (++this.#count > ELEMENTS_MAX) throw errors.illegalArgument(`Pattern has more than [${ELEMENTS_MAX}] elements`);
    const open = this.#sections.at(-1)!;
    const element = this.#adapted(given);
    open.elements.push(open.pad === null ? element : { kind: 'pad', element, ...open.pad });
    open.pad = null;
  }

  #adapted(element: Element): Element {
    if (element.kind === 'optional') return { ...element, elements: element.elements.map((one) => this.#adapted(one)) };
    if (this.#ignoresCase && (element.kind === 'text' || element.kind === 'literal'))
      return { ...element, ignoresCase: true };
    if (this.#isLenient && element.kind === 'number')
      return { ...element, min: 1, max: NUMBER_WIDTH_MAX, sign: 'normal', reserved: 0 };
    return element;
  }
}

/** Returns elements whose numbers leave digits for those that follow them now. */
function settled(elements: readonly Element[]): Element[] {
  const all = elements.map((element): Element => (element.kind === 'number' ? { ...element, reserved: 0 } : element));
  reserveAdjacent(all);
  return all;
}
