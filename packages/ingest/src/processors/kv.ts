import { errors } from '@shoal/errors';
import { splitAtMatches } from '@shoal/script';
import type { ConfigReader } from '../config-reader.js';
import type { IngestDocument } from '../document.js';
import { compileRegex, type OptionRegex } from '../regex.js';
import type { Pending } from '../processor.js';
import type { ProcessorType } from '../processor-type.js';
import { splitText } from '../split-text.js';
import type { Template } from '../template.js';
import { andThen, inTurns, type Pause } from '../steps-in-turns.js';

interface Options {
  readonly field: Template;
  readonly pairs: OptionRegex;
  readonly valueSplit: string;
  readonly members: OptionRegex;
  readonly target: Template | null;
  readonly prefix: string;
  readonly includes: ReadonlySet<string> | null;
  readonly excludes: ReadonlySet<string>;
  readonly trimKey: string;
  readonly trimValue: string;
  readonly stripsBrackets: boolean;
}

function readOptions(config: ConfigReader): Options {
  const valueSplit = config.string('value_split');
  const includes = config.optionalStrings('include_keys');
  const target = config.optionalString('target_field');
  return {
    field: config.template('field'),
    pairs: compileRegex(config, 'field_split', config.string('field_split')),
    valueSplit,
    members: compileRegex(config, 'value_split', valueSplit),
    target: target === null ? null : config.compile('target_field', target),
    prefix: config.stringOr('prefix', ''),
    includes: includes === null ? null : new Set(includes),
    excludes: new Set(config.optionalStrings('exclude_keys') ?? []),
    trimKey: config.stringOr('trim_key', ''),
    trimValue: config.stringOr('trim_value', ''),
    stripsBrackets: config.boolean('strip_brackets', false),
  };
}

/** Takes characters from both ends of a text. */
function trimmed(text: string, characters: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && characters.includes(text[begin]!)) begin++;
  while (end > begin && characters.includes(text[end - 1]!)) end--;
  return text.slice(begin, end);
}

const [OPENING, CLOSING] = ['([<"\'', ')]>"\''];

/** Takes one bracket or quote from each end; the two need not belong together. */
function withoutBrackets(text: string): string {
  const begin = text !== '' && OPENING.includes(text[0]!) ? 1 : 0;
  const end = text.length > begin && CLOSING.includes(text.at(-1)!) ? text.length - 1 : text.length;
  return text.slice(begin, end);
}

/** Where the pairs of a document come from and go to. */
interface Paths {
  readonly field: string;
  readonly prefix: string;
}

/** Sets the field of one pair. */
function setPair(document: IngestDocument, pair: string, { field, prefix }: Paths, options: Options): void {
  const [key, value] = splitAtMatches(options.members.matcher(pair), pair, 2) as [string, string | undefined];
  if (value === undefined)
    throw errors.illegalArgument(`field [${field}] does not contain value_split [${options.valueSplit}]`);
  const name = trimmed(key, options.trimKey);
  if (options.excludes.has(name) || options.includes?.has(name) === false) return;
  const bare = trimmed(options.stripsBrackets ? withoutBrackets(value) : value, options.trimValue);
  const path = prefix + name;
  if (document.has(path)) document.append(path, bare);
  else document.set(path, bare);
}

function splitField(document: IngestDocument, text: string, paths: Paths, options: Options, pause: Pause): Pending {
  return andThen(splitText(options.pairs, text, false, pause), (pairs) => {
    let i = 0;
    return inTurns(() => {
      if (i === pairs.length) return false;
      setPair(document, pairs[i++]!, paths, options);
      return true;
    }, pause);
  });
}

/** Splits a text such as `a=1 b=2` into fields. */
export const kv: ProcessorType = {
  name: 'kv',
  parse(config) {
    const options = readOptions(config);
    const ignoreMissing = config.boolean('ignore_missing', false);
    return (document, { pause }) => {
      const field = options.field.render(document);
      const text = document.text(field, ignoreMissing);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot extract key-value pairs.`);
      }
      document.charge(text.length);
      const target = options.target === null ? '' : `${options.target.render(document)}.`;
      return splitField(document, text, { field, prefix: target + options.prefix }, options, pause);
    };
  },
};
