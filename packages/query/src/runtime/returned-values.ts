import { compareTerms } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { parseSource } from '@shoal/json';
import {
  emittedValues,
  type FieldType,
  type ReturnedValues,
  type RuntimeScript,
  type RuntimeValues,
} from '@shoal/mapping';
import {
  type AggregatedValue,
  aggregatedNumber,
  aggregatedText,
  aggregatedValues,
  boxDouble,
  plainNumber,
} from '@shoal/script';
import { DocWindow } from '../scripts/doc-window.js';
import { ScriptSourceMap } from '../scripts/script-source-map.js';
import { isRepeatable, SegmentScript } from '../scripts/segment-script.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { searchScript } from './runtime-scripts.js';

/** The script of an aggregation in one segment. */
class ReturningScript {
  readonly #script: SegmentScript;
  readonly #source: ScriptSourceMap;
  readonly #window: DocWindow;
  #doc = 0;
  /** Place of the document in the window. */
  #at = 0;
  readonly #of: ReturnedValues;
  /** Makes values of columns of what the script returns. */
  readonly #columnValues: (returned: unknown) => RuntimeValues;
  /** Whether the script has `_value` in front of `_score`. */
  readonly #takesValues: boolean;

  constructor(field: FieldType, searcher: Searcher, segment: SegmentView) {
    const script = field.runtime!.script!;
    const of = field.runtime!.returned!;
    this.#of = of;
    this.#columnValues = columnValuesOf(field);
    this.#takesValues = script.context === 'aggs';
    const { roots } = segment.reader;
    const rootOf = (doc: number): number => roots?.next(doc) ?? doc;
    this.#source = new ScriptSourceMap(script.params, () =>
      parseSource(searcher.stored(segment.docBase + rootOf(this.#doc)).source),
    );
    const given = searchScript({ ...script, params: this.#source.params });
    this.#script = new SegmentScript(given, searcher, segment, [null, null]);
    this.#window = new DocWindow(segment.maxDoc);
  }

  /** Returns the values of a document in the form and order in which columns hold those of the field. */
  values(doc: number, score: number): RuntimeValues {
    this.#moveTo(doc);
    if (!this.#takesValues) return this.#columnValues(this.#script.run(this.#at, score));
    this.#script.setSecond(score);
    if (this.#of.input !== null) return this.#runOn(this.#of.input);
    return this.#columnValues(this.#script.run(this.#at, null));
  }

  #moveTo(doc: number): void {
    this.#doc = doc;
    this.#source.forget();
    this.#at = this.#window.placeOf(doc);
    if (this.#window.isNew) this.#script.setWindow(this.#window.docs, this.#window.count);
  }

  /** Runs once for each value of a field. */
  #runOn(field: string): RuntimeValues {
    const values = this.#script.valuesAt(field, this.#at);
    const count = values.length;
    if (count === 1) return this.#columnValues(this.#script.run(this.#at, inputOf(values.at(0))));
    const returned: AggregatedValue[] = [];
    for (let i = 0; i < count; i++)
      returned.push(...aggregatedValues(this.#script.run(this.#at, inputOf(values.at(i)))));
    return this.#columnValues(returned);
  }
}

const NOTHING: RuntimeValues = [];

/** The form in which a script gets a value of its field: numbers are doubles, dates their milliseconds. */
function inputOf(value: AggregatedValue): unknown {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? boxDouble(value) : boxDouble(Number(aggregatedNumber(value)));
}

/** The scripts of a request's aggregations over the segments of a searcher. */
export class ReturningScripts {
  readonly #searcher: () => Searcher;
  /** By script and the first document of the segment. */
  readonly #runners = new Map<RuntimeScript, Map<number, ReturningScript>>();

  /** Whether a script has run that may return other values the next time. */
  isUnrepeatable = false;

  /** `searcher` returns the one that scripts see. */
  constructor(searcher: () => Searcher) {
    this.#searcher = searcher;
  }

  /** Returns the script of a field in a segment. */
  of(field: FieldType, segment: SegmentView): ReturningScript {
    const script = field.runtime!.script!;
    let runners = this.#runners.get(script);
    if (runners === undefined) this.#runners.set(script, (runners = new Map()));
    const known = runners.get(segment.docBase);
    if (known !== undefined) return known;
    const runner = new ReturningScript(field, this.#searcher(), segment);
    runners.set(segment.docBase, runner);
    this.isUnrepeatable ||= !isRepeatable(searchScript(script));
    return runner;
  }
}

const ascending = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

const sorted = (values: (number | bigint)[]): RuntimeValues => (values.length < 2 ? values : values.sort(ascending));

/**
 * Returns the function that makes values of columns of what a script returns. The array of a single number is the same
 * each time: the caller copies what it keeps.
 */
function columnValuesOf(field: FieldType): (returned: unknown) => RuntimeValues {
  const many = (returned: unknown): RuntimeValues => columnValues(field, aggregatedValues(returned));
  if (field.valueKind === 'keyword' || field.valueKind === 'ip') return many;
  const isWhole = field.layout?.column !== 'double';
  const single = [0];
  return (returned) => {
    const number = plainNumber(returned);
    if (number === undefined) return many(returned);
    if (!Number.isFinite(number)) return isWhole ? many(returned) : NOTHING;
    single[0] = isWhole ? Math.trunc(number) : number;
    return single;
  };
}

function columnValues(field: FieldType, values: readonly AggregatedValue[]): RuntimeValues {
  switch (field.valueKind) {
    case 'keyword': {
      const terms = values.map((value) => field.normalize(aggregatedText(value)));
      return terms.length < 2 ? terms : terms.sort(compareTerms);
    }
    case 'ip':
      return values.flatMap((value) => addressOf(field, aggregatedText(value))).sort() as string[];
    default:
      return sorted(
        field.layout?.column === 'double'
          ? values.map((value) => Number(aggregatedNumber(value))).filter(Number.isFinite)
          : values.map((value) => wholeOf(aggregatedNumber(value))),
      );
  }
}

const wholeOf = (value: number | bigint): number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value) ? value : Math.trunc(value);

function addressOf(field: FieldType, text: string): RuntimeValues {
  const address = emittedValues(field, [text]);
  if (address.length === 0) throw errors.illegalArgument(`'${text}' is not an IP string literal.`);
  return address;
}
