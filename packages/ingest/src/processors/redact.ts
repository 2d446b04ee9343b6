import { errors } from '@shoal/errors';
import type { Grok } from '../grok/grok.js';
import type { ProcessorType } from '../processor-type.js';
import { andThen, type Pause, resultInTurns } from '../steps-in-turns.js';
import { bankOf, grokPatterns } from './grok.js';

/** A part of a text that is covered; `end` is exclusive. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** An expression, and the name that covers what it matches. */
interface NamedPattern {
  readonly pattern: Grok;
  readonly name: string;
}

/** Returns all matches of expressions, those of each one after another. Empty matches cover nothing. */
function regionsOf(named: readonly NamedPattern[], text: string, pause: Pause): Region[] | Promise<Region[]> {
  const regions: Region[] = [];
  let [at, offset] = [0, 0];
  const step = (): boolean => {
    const current = named[at];
    if (current === undefined) return false;
    const found = offset < text.length ? current.pattern.find(text.slice(offset)) : null;
    if (found === null) {
      at++;
      offset = 0;
      return true;
    }
    const start = offset + found.index;
    const end = start + found.length;
    if (found.length > 0) regions.push({ start, end, name: current.name });
    offset = Math.max(end, start + 1);
    return true;
  };
  return resultInTurns(step, pause, () => regions);
}

/** Joins regions that overlap or touch; the longest gives its name to all of them. */
function joined(regions: readonly Region[]): Region[] {
  const result: { start: number; end: number; name: string; longest: number }[] = [];
  for (const { start, end, name } of regions.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || start > last.end) {
      result.push({ start, end, name, longest: end - start });
      continue;
    }
    last.end = Math.max(last.end, end);
    if (end - start <= last.longest) continue;
    last.longest = end - start;
    last.name = name;
  }
  return result;
}

/** Puts labels in the place of regions. */
function cover(text: string, regions: readonly Region[], label: (name: string) => string): string {
  let result = '';
  let from = 0;
  for (const { start, end, name } of regions) {
    result += text.slice(from, start) + label(name);
    from = end;
  }
  return result + text.slice(from);
}

/** Covers what expressions of grok match by the names of their fields: `<CLIENT>` for `%{IP:CLIENT}`. */
export const redact: ProcessorType = {
  name: 'redact',
  parse(config, { guard }) {
    const field = config.string('field');
    const patterns = grokPatterns(config, bankOf(config), guard);
    const ignoreMissing = config.boolean('ignore_missing', true);
    const prefix = config.stringOr('prefix', '<');
    const suffix = config.stringOr('suffix', '>');
    config.boolean('skip_if_unlicensed', false);
    const named = patterns.map((pattern) => {
      const [name] = pattern.fieldNames;
      if (name !== undefined) return { pattern, name };
      throw config.error('patterns', 'each pattern must name the field that replaces what it matches');
    });
    return (document, { pause }) => {
      const text = document.text(field, true);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null or missing`);
      }
      return andThen(regionsOf(named, text, pause), (regions) => {
        if (regions.length === 0) return;
        document.charge(text.length);
        document.set(
          field,
          cover(text, joined(regions), (name) => `${prefix}${name}${suffix}`),
        );
      });
    };
  },
};
