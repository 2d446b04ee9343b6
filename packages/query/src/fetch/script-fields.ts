import { errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject, parseSource, setOwn, tokenOf } from '@shoal/json';
import { boolean } from '../parse/options.js';
import { ScriptSourceMap } from '../scripts/script-source-map.js';
import { parseSearchScript, type SearchScript, SegmentScript } from '../scripts/segment-script.js';
import type { Searcher, SegmentView, StoredDocument } from '../searcher.js';

/** An entry of `script_fields`: a field of a hit whose values a script makes. */
export interface ScriptField {
  readonly name: string;
  readonly script: SearchScript;
  readonly ignoresFailure: boolean;
}

function parseField(name: string, body: unknown, container: object): ScriptField {
  if (!isPlainObject(body))
    throw errors.parsing(`Expected [START_OBJECT] in [${name}] but found [${tokenOf(body)}]`, {
      location: { container, key: name },
    });
  const unknown = Object.keys(body).find((key) => !['script', 'ignore_failure', 'lang'].includes(key));
  if (unknown !== undefined)
    throw errors.parsing(`Unknown key for a ${tokenOf(body[unknown])} in [${unknown}].`, {
      location: { container: body, key: unknown },
    });
  const ignores = body['ignore_failure'];
  return {
    name,
    script: parseSearchScript(body['script'] ?? null, 'field'),
    ignoresFailure:
      ignores !== undefined && boolean(ignores, { type: 'script_fields', container: body, key: 'ignore_failure' }),
  };
}

/** Parses the `script_fields` of a body: an object of entries by the names of the fields. */
export function parseScriptFields(body: JsonObject): readonly ScriptField[] {
  const given = body['script_fields'];
  if (!isPlainObject(given)) return [];
  return Object.entries(given).map(([name, entry]) => parseField(name, entry, given));
}

/** A script bound to a segment, with the document at which it stands. */
interface Bound {
  readonly script: SegmentScript;
  readonly source: ScriptSourceMap;
  readonly docs: Int32Array;
  document: StoredDocument | null;
}

/** Computes `script_fields` of hits. */
export class ScriptFieldReader {
  readonly #fields: readonly ScriptField[];
  readonly #searcher: Searcher;
  readonly #bound = new Map<string, Bound>();

  constructor(fields: readonly ScriptField[], searcher: Searcher) {
    this.#fields = fields;
    this.#searcher = searcher;
  }

  /** Adds the values of a document, whose number is one of the segment. Throws script_exception. */
  read(segment: SegmentView, doc: number, document: StoredDocument, into: Record<string, unknown>): void {
    for (const field of this.#fields) {
      try {
        const value = this.#run(field, segment, doc, document);
        const values = Array.isArray(value) ? value : [finite(value ?? null)];
        if (values.length > 0) setOwn(into, field.name, values);
      } catch (error) {
        if (!field.ignoresFailure || !isApiError(error)) throw error;
      }
    }
  }

  #run({ name, script }: ScriptField, segment: SegmentView, doc: number, document: StoredDocument): unknown {
    const key = `${segment.docBase} ${name}`;
    let bound = this.#bound.get(key);
    if (!bound) this.#bound.set(key, (bound = this.#bind(script, segment)));
    bound.docs[0] = doc;
    bound.document = document;
    bound.source.forget();
    bound.script.setWindow(bound.docs, 1);
    return bound.script.run(0);
  }

  #bind(script: SearchScript, segment: SegmentView): Bound {
    const source = new ScriptSourceMap(
      script.params as JsonObject,
      () => parseSource(bound.document!.source) as JsonObject,
    );
    const run = new SegmentScript({ ...script, params: source.params }, this.#searcher, segment);
    const bound: Bound = { script: run, source, docs: new Int32Array(1), document: null };
    return bound;
  }
}

/** Infinity and not-a-number are texts of their names, as JSON has no numbers for them. */
const finite = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
