import { errors, isApiError } from '@shoal/errors';
import { compareTerms } from '@shoal/codec';
import { JsonText, parseSource } from '@shoal/json';
import { emittedValues, type FieldType, type RuntimeScript, type RuntimeValues } from '@shoal/mapping';
import { DocWindow } from '../scripts/doc-window.js';
import { ScriptSourceMap } from '../scripts/script-source-map.js';
import { isRepeatable, type SearchScript, SegmentScript } from '../scripts/segment-script.js';
import type { Searcher, SegmentView } from '../searcher.js';

/** Most values that a script may emit for a document, and most characters of them all. */
const VALUES_MAX = 100;
const CHARACTERS_MAX = 1024 * 1024;

const NOTHING: RuntimeValues = [];

type Emitted = readonly (readonly unknown[])[];

/** Runs the scripts of runtime fields on documents of a searcher, one document after the other. */
export class RuntimeScripts {
  readonly #searcher: () => Searcher;
  /** By script and the first document of the segment. */
  readonly #runners = new Map<RuntimeScript, Map<number, ScriptRunner>>();
  /** Fields whose scripts are running: one may ask for the values of another. */
  readonly #running: string[] = [];

  /** The runner that was asked for last: mostly the next one too. */
  #last: { readonly script: RuntimeScript; readonly docBase: number; readonly runner: ScriptRunner } | null = null;

  /** Whether a script has run that may emit other values the next time. */
  isUnrepeatable = false;

  /** `searcher` returns the one that scripts see: it has the runtime fields. */
  constructor(searcher: () => Searcher) {
    this.#searcher = searcher;
  }

  /** Returns the values of a field that has a script. Throws script_exception. */
  values(field: FieldType, script: RuntimeScript, segment: SegmentView, doc: number): RuntimeValues {
    if (this.#running.includes(script.field))
      throw errors.illegalArgument(
        `Cyclic dependency detected while resolving runtime fields: ${[...this.#running, script.field].join(' -> ')}`,
      );
    this.#running.push(script.field);
    try {
      return valuesOf(field, this.#runner(script, segment).run(doc));
    } catch (error) {
      if (script.continuesOnError && isApiError(error)) return NOTHING;
      throw error;
    } finally {
      this.#running.pop();
    }
  }

  #runner(script: RuntimeScript, segment: SegmentView): ScriptRunner {
    const last = this.#last;
    if (last?.script === script && last.docBase === segment.docBase) return last.runner;
    const runner = this.#findRunner(script, segment);
    this.#last = { script, docBase: segment.docBase, runner };
    return runner;
  }

  #findRunner(script: RuntimeScript, segment: SegmentView): ScriptRunner {
    let runners = this.#runners.get(script);
    if (runners === undefined) this.#runners.set(script, (runners = new Map()));
    const known = runners.get(segment.docBase);
    if (known !== undefined) return known;
    const runner = new ScriptRunner(script, this.#searcher(), segment);
    runners.set(segment.docBase, runner);
    this.isUnrepeatable ||= !isRepeatable(searchScript(script));
    return runner;
  }
}

/** Returns the script of a runtime field as one of a search. */
export const searchScript = ({ source, lang, params, context }: RuntimeScript): SearchScript => ({
  lang,
  source,
  id: null,
  params,
  options: {},
  context,
});

/** A script with what it has emitted for the document at which it stands. */
class ScriptRunner {
  readonly #script: SegmentScript;
  readonly #field: string;
  readonly #window: DocWindow;
  readonly #source: ScriptSourceMap;
  #emitted: unknown[][] = [];
  #characters = 0;
  /** The document at which the script stands. */
  #current = -1;
  /** The document whose values `#emitted` are; -1 for none. */
  #doc = -1;

  constructor(script: RuntimeScript, searcher: Searcher, segment: SegmentView) {
    this.#field = script.field;
    this.#source = new ScriptSourceMap(script.params, () =>
      parseSource(searcher.stored(segment.docBase + this.#current).source),
    );
    const given = searchScript({ ...script, params: this.#source.params });
    const emit = (...values: unknown[]): void => this.#emit(values);
    this.#script = new SegmentScript(given, searcher, segment, [emit]);
    this.#window = new DocWindow(segment.maxDoc);
  }

  /** Returns what the script emits for a document; all sub-fields of a composite field share one run. */
  run(doc: number): Emitted {
    if (doc === this.#doc) return this.#emitted;
    this.#doc = -1;
    this.#emitted = [];
    this.#characters = 0;
    this.#current = doc;
    this.#source.forget();
    const at = this.#window.placeOf(doc);
    if (this.#window.isNew) this.#script.setWindow(this.#window.docs, this.#window.count);
    this.#script.run(at);
    this.#doc = doc;
    return this.#emitted;
  }

  #emit(values: unknown[]): void {
    this.#emitted.push(values);
    if (this.#emitted.length > VALUES_MAX) throw this.#tooMuch(this.#emitted.length, 'values', VALUES_MAX);
    for (const value of values) if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > CHARACTERS_MAX) throw this.#tooMuch(this.#characters, 'characters', CHARACTERS_MAX);
  }

  #tooMuch(count: number, what: string, max: number): Error {
    return errors.illegalArgument(
      `Runtime field [${this.#field}] is emitting [${count}] ${what} while the maximum number of values allowed is ` +
        `[${max}]`,
    );
  }
}

/** Returns emitted values in the form and order in which columns hold those of a field. */
function valuesOf(field: FieldType, emitted: Emitted): RuntimeValues {
  const { emittedAs } = field.runtime!;
  if (emittedAs !== null)
    return emittedValues(
      field,
      emitted.flatMap(([name, value]) => (name === emittedAs ? [plain(value, field)] : [])),
    );
  if (emitted.length === 1) {
    const value = emitted[0]![0];
    if (field.valueKind === 'keyword' && typeof value === 'string') return [value];
    if (field.valueKind === 'double' && Number.isFinite(value)) return [value as number];
    if ((field.valueKind === 'long' || field.valueKind === 'date') && typeof value === 'number') return [value];
  }
  switch (field.valueKind) {
    case 'geo':
      return emitted.flatMap(([lat, lon]) => [lat as number, lon as number]);
    case 'boolean':
      return emitted.map(([value]) => (value === true ? 1 : 0)).sort();
    case 'double':
      return emitted.flatMap(([value]) => (Number.isFinite(value) ? [value as number] : [])).sort(ascending);
    case 'keyword':
      return emitted.flatMap(([value]) => (typeof value === 'string' ? [value] : [])).sort(compareTerms);
    case 'ip':
      return emitted.flatMap(([value]) => addressOf(field, value)).sort() as string[];
    default:
      return emitted.map(([value]) => value as number | bigint).sort(ascending);
  }
}

/** Doubles that are whole come as texts such as 5.0: that is what a keyword has of them. */
function plain(value: unknown, field: FieldType): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, field));
  if (!(value instanceof JsonText)) return value;
  return field.valueKind === 'keyword' ? value.text : Number(value.text);
}

const ascending = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function addressOf(field: FieldType, value: unknown): RuntimeValues {
  if (value === null) return NOTHING;
  const address = emittedValues(field, [value]);
  if (address.length === 0) throw errors.illegalArgument(`'${String(value)}' is not an IP string literal.`);
  return address;
}
