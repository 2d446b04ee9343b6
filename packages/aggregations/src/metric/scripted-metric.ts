import { type ApiError, errors, isApiError } from '@shoal/errors';
import { type JsonObject, JsonText, parseSource, stringify } from '@shoal/json';
import {
  compiledScript,
  parseSearchScript,
  plannedScript,
  ScriptSourceMap,
  type SearchScript,
  SegmentScript,
  type SegmentView,
} from '@shoal/query';
import { sizeOf, StateMap } from '@shoal/script';
import type { Aggregator, AggregationType, BuildSite, ParseSite } from '../aggregation-type.js';
import { anyField, objectField, readFields } from '../parse/body-fields.js';
import { reduceFailure } from '../reduce/reduce-failure.js';
import type { Reduced } from '../reduce/reduced.js';
import { NO_KIND } from '../source/value-kinds.js';

interface ScriptedMetricRequest {
  readonly init: SearchScript | null;
  readonly map: SearchScript;
  readonly combine: SearchScript;
  readonly reduce: SearchScript;
}

/** JSON of what the combine script made of the state of a shard. */
type ScriptedPartial = { readonly s: string };

const SELF_REFERENCE = 'Iterable object is self-referencing itself';

/** Documents, and bytes that map scripts make, between two looks at the size of the states. */
const LOOK_DOCS = 4096;
const LOOK_BYTES = 4 * 1024 * 1024;

function withParams(script: SearchScript, shared: JsonObject): SearchScript {
  const twice = Object.keys(shared).find((name) => Object.hasOwn(script.params, name));
  if (twice !== undefined)
    throw errors.illegalArgument(`Parameter name "${twice}" used in both aggregation and script parameters`);
  return { ...script, params: Object.freeze({ ...shared, ...script.params }) };
}

function parseRequest(site: ParseSite): ScriptedMetricRequest {
  const fields = readFields(site.body, site, {
    init_script: anyField,
    map_script: anyField,
    combine_script: anyField,
    reduce_script: anyField,
    params: objectField,
  });
  const read = (json: unknown, context: string): SearchScript =>
    withParams(parseSearchScript(json, context), fields.params ?? {});
  const missing = (label: string): ApiError => errors.illegalArgument(`[${label}] must not be null: [${site.name}]`);
  if (fields.combine_script === undefined) throw missing('combineScript');
  if (fields.reduce_script === undefined) throw missing('reduceScript');
  if (fields.map_script === undefined) throw errors.illegalArgument('Required [map_script]');
  return {
    init: fields.init_script === undefined ? null : read(fields.init_script, 'aggs_init'),
    map: read(fields.map_script, 'aggs_map'),
    combine: read(fields.combine_script, 'aggs_combine'),
    reduce: read(fields.reduce_script, 'aggs_reduce'),
  };
}

/** The map script on documents of one segment. */
class MapScript {
  readonly #script: SegmentScript;
  readonly #source: ScriptSourceMap;
  #doc = -1;

  constructor(map: SearchScript, { searcher }: BuildSite['context'], view: SegmentView) {
    const { roots } = view.reader;
    this.#source = new ScriptSourceMap(map.params, () =>
      parseSource(searcher.stored(view.docBase + (roots?.next(this.#doc) ?? this.#doc)).source),
    );
    this.#script = new SegmentScript({ ...map, params: this.#source.params }, searcher, view, [null, null]);
  }

  setWindow(docs: Int32Array, count: number): void {
    this.#script.setWindow(docs, count);
  }

  /** Runs for a document of the window that has a score. */
  run(docs: Int32Array, at: number, state: StateMap, score: number): void {
    this.#moveTo(docs[at]!);
    this.#script.setSecond(score);
    this.#script.run(at, state);
  }

  /** Runs for all documents of the window; `mapped` is called behind each, and may end it by an error. */
  runAll(docs: Int32Array, count: number, stateAt: (at: number) => StateMap, mapped: () => void): void {
    let refusal: unknown = null;
    const move = (at: number): StateMap => {
      this.#moveTo(docs[at]!);
      return stateAt(at);
    };
    const put = (): void => {
      try {
        mapped();
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    try {
      this.#script.each(count, move, put);
    } catch (error) {
      // What refuses the states is no error of the script.
      throw refusal ?? error;
    }
  }

  #moveTo(doc: number): void {
    if (doc !== this.#doc) this.#source.forget();
    this.#doc = doc;
  }

  get madeBytes(): number {
    return this.#script.madeBytes;
  }
}

/** States of buckets, with the memory that they are known to take. */
class States {
  readonly #request: ScriptedMetricRequest;
  readonly #charge: (bytes: number) => void;
  readonly #states: StateMap[] = [];
  /** Scripts give the states of all buckets the same keys. */
  #first: StateMap | null = null;
  #charged = 0;
  #docs = 0;
  #bytes = 0;
  #nextLook = LOOK_DOCS;

  constructor(request: ScriptedMetricRequest, charge: (bytes: number) => void) {
    this.#request = request;
    this.#charge = charge;
  }

  /** Returns the state of a bucket, made by the init script. */
  of(bucket: number): StateMap {
    return (this.#states[bucket] ??= this.#initial());
  }

  /** Returns the states of the documents of a window by their places: all are made before one of them is mapped. */
  at(buckets: Int32Array | null, count: number): (at: number) => StateMap {
    if (buckets === null) {
      const state = this.of(0);
      return () => state;
    }
    for (let i = 0; i < count; i++) this.of(buckets[i]!);
    return (at) => this.#states[buckets[at]!]!;
  }

  #initial(): StateMap {
    const state = new StateMap(this.#first);
    this.#first ??= state;
    const { init } = this.#request;
    if (init !== null) compiledScript(init).call([init.params, state]);
    return state;
  }

  /** Counts a document that was mapped; from time to time the states are measured. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (++this.#docs < this.#nextLook && this.#bytes < LOOK_BYTES) return;
    const size = this.#states.reduce((sum, state) => sum + sizeOf(state), 0);
    this.#charge(size - this.#charged);
    this.#charged = size;
    this.#bytes = 0;
    // Large states are looked at less often, so that looking takes no more than mapping.
    this.#nextLook = this.#docs + Math.max(LOOK_DOCS, size >>> 6);
  }

  combined(bucket: number): unknown {
    const { combine } = this.#request;
    try {
      return compiledScript(combine).call([combine.params, this.of(bucket)]);
    } catch (error) {
      if (!isApiError(error) || error.reason !== SELF_REFERENCE) throw error;
      throw errors.illegalArgument(`${SELF_REFERENCE} (Scripted metric aggs combine script)`);
    }
  }
}

function collector(request: ScriptedMetricRequest, build: BuildSite): Aggregator<ScriptedPartial> {
  const { context } = build;
  const states = new States(request, context.charge);
  for (const script of [request.init, request.map, request.combine])
    if (script !== null) plannedScript(script, context);
  let map: MapScript | null = null;
  return {
    segment: (view) => void (map = new MapScript(request.map, context, view)),
    reserve() {},
    collect(docs, buckets, count, scores) {
      const script = map!;
      const stateAt = states.at(buckets, count);
      script.setWindow(docs, count);
      if (scores === null) script.runAll(docs, count, stateAt, () => states.count(script.madeBytes));
      else
        for (let i = 0; i < count; i++) {
          script.run(docs, i, stateAt(i), scores[i]!);
          states.count(script.madeBytes);
        }
    },
    partial: (bucket) => ({ s: stringify(states.combined(bucket)) }),
  };
}

/** A result that a script made: a number that pipelines can read, or any JSON. */
function scriptedResult(value: unknown): Reduced {
  const number = value instanceof JsonText ? Number(value.text) : value;
  return {
    typedName: 'scripted_metric',
    buckets: null,
    ...(typeof number === 'number'
      ? { value: (property: string | null) => (property === null || property === 'value' ? number : undefined) }
      : {}),
    render: () => ({ value }),
  };
}

const stateIn = ({ s }: ScriptedPartial): unknown => (parseSource(Buffer.from(`{"s":${s}}`)) as { s: unknown }).s;

function reduced(script: SearchScript, states: readonly unknown[]): unknown {
  try {
    return compiledScript(script).call([script.params, states]);
  } catch (error) {
    throw isApiError(error) ? reduceFailure(error) : error;
  }
}

/** `scripted_metric`: scripts keep a state for each bucket on shards, and make one value of the states of all. */
export const scriptedMetric: AggregationType<ScriptedPartial> = {
  name: 'scripted_metric',
  valueKinds: NO_KIND,
  prints: 'whole',
  parse(site) {
    const request = parseRequest(site);
    const { reduce, map } = request;
    return {
      acceptsSubs: false,
      runsScripts: true,
      shape: 'metric',
      needsScores: map.source?.includes('_score') === true,
      collector: (build) => collector(request, build),
      reduce(partials) {
        const states = partials.map((partial) => (partial === null ? null : stateIn(partial)));
        return scriptedResult(reduced(reduce, states));
      },
    };
  },
};
