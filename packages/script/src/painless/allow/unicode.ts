import { ScriptObject } from '../../runtime/script-object.js';
import { illegalArgument } from '../../runtime/thrown.js';
import type { AllowTable } from './class-row.js';
import { type NamedConstant, namesRow } from './names-row.js';
import { BLOCKS, SCRIPTS } from './unicode-tables.js';

const CODE_POINT_MAX = 0x10ffff;

function checked(codePoint: number): number {
  if (codePoint >= 0 && codePoint <= CODE_POINT_MAX) return codePoint;
  const hex = (codePoint >>> 0).toString(16).toUpperCase();
  throw illegalArgument(`Not a valid Unicode code point: 0x${hex}`);
}

/** java.lang.Character.UnicodeBlock. */
class UnicodeBlock extends ScriptObject {
  readonly javaClass = 'java.lang.Character.UnicodeBlock';
  readonly name: string;
  readonly first: number;
  readonly last: number;

  constructor(name: string, first: number, last: number) {
    super();
    this.name = name;
    this.first = first;
    this.last = last;
  }

  toText(): string {
    return this.name;
  }
}

function parseBlocks(): readonly UnicodeBlock[] {
  const rows = BLOCKS.split(',').map((row) => row.split(/[ -]/));
  return rows.map((parts, i) => {
    const next = rows[i + 1]?.[0];
    const last = parts.length === 3 ? Number.parseInt(parts[1]!, 16) : Number.parseInt(next!, 16) - 1;
    return new UnicodeBlock(parts.at(-1)!, Number.parseInt(parts[0]!, 16), last);
  });
}

const blocks = parseBlocks();
/** Block names are found without regard to case, spaces, hyphens and underscores, as Unicode wants it. */
const plain = (name: string): string => name.toUpperCase().replaceAll(/[ _-]/g, '');
const blocksByName = new Map(blocks.map((block) => [plain(block.name), block]));

/** Finds the block of a code point by halving; null between blocks. */
function blockOf(codePoint: number): UnicodeBlock | null {
  checked(codePoint);
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle]!.first <= codePoint) low = middle;
    else high = middle - 1;
  }
  return codePoint <= blocks[low]!.last ? blocks[low]! : null;
}

const SCRIPT_CLASS = 'java.lang.Character.UnicodeScript';
const scriptRow = namesRow(SCRIPT_CLASS, SCRIPTS);
const scripts = scriptRow.values;

/** The name of a script in regular expressions: `Old_Italic`. */
const propertyName = (name: string): string =>
  name === 'SIGNWRITING' ? 'SignWriting' : name.replaceAll(/[A-Z]+/g, (part) => part[0]! + part.slice(1).toLowerCase());

const tests = new Map<NamedConstant, RegExp>();

function isOfScript(script: NamedConstant, text: string): boolean {
  let test = tests.get(script);
  if (!test) {
    test = new RegExp(`^\\p{Script=${propertyName(script.name)}}`, 'u');
    tests.set(script, test);
  }
  return test.test(text);
}

/** Scripts that most texts are in, which are tried first. */
const FREQUENT = scripts.filter(({ name }) => ['LATIN', 'COMMON', 'INHERITED'].includes(name));
const UNKNOWN = scripts.find(({ name }) => name === 'UNKNOWN')!;

function scriptOf(codePoint: number): NamedConstant {
  const text = String.fromCodePoint(checked(codePoint));
  const is = (script: NamedConstant): boolean => isOfScript(script, text);
  return FREQUENT.find(is) ?? scripts.find(is) ?? UNKNOWN;
}

/** Blocks and scripts of characters. */
export const UNICODE: AllowTable = [
  {
    name: 'java.lang.Character.UnicodeBlock',
    constants: Object.fromEntries(blocks.map((block) => [`java.lang.Character.UnicodeBlock ${block.name}`, block])),
    statics: {
      'java.lang.Character.UnicodeBlock of(int)': blockOf,
      'java.lang.Character.UnicodeBlock forName(String)': (name: string) => {
        const block = blocksByName.get(plain(name));
        if (!block) throw illegalArgument(`Not a valid block name: ${name}`);
        return block;
      },
    },
  },
  {
    ...scriptRow,
    statics: {
      ...scriptRow.statics,
      'java.lang.Character.UnicodeScript of(int)': scriptOf,
      'java.lang.Character.UnicodeScript forName(String)': (name: string) => {
        const script = scripts.find((one) => one.name === name.toUpperCase());
        if (!script) throw illegalArgument(`No enum constant ${SCRIPT_CLASS}.${name.toUpperCase()}`);
        return script;
      },
    },
  },
];
