// Feeds damaged inputs to the parsers in this process. A parser returns or throws an error of the API below 500; all
// else is a finding: another error, 500, more than a second of processor time for one input.
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { root } from '../node-process.mjs';
import { jsonText, mutateBytes, mutateText, mutateValue } from './mutate.mjs';
import { randomScript, SCRIPTS } from './painless-scripts.mjs';
import { choices } from './random.mjs';
import { randomDocument, randomPipeline } from './random-pipelines.mjs';
import {
  AGGREGATIONS,
  DOCUMENTS,
  INGEST,
  MAPPINGS,
  PIPELINES,
  QUERIES,
  SEARCHES,
  SETTINGS,
  TEXT_SEEDS,
} from './seeds.mjs';

const SLOW_MS = 1_000;
const load = (file) => import(pathToFileURL(path.join(root, 'packages', file)).href);
const [
  { isApiError, toApiError },
  json,
  values,
  protocol,
  { parseQuery, parseSort, regexpAutomaton },
  { parseAggregations },
  mapping,
  analysis,
  state,
  codec,
  templates,
  { noDatabases },
] = await Promise.all(
  [
    'errors',
    'json',
    'values',
    'protocol',
    'query',
    'aggregations',
    'mapping',
    'analysis',
    'state',
    'codec',
    'script',
    'ingest',
  ].map((room) => load(`${room}/dist/index.js`)),
);
const [percent, filterPath, bodies, media, bulk, scrollId, pitId, frames, pipelines, runs, documents, scripts, guards] =
  await Promise.all(
    [
      'rest/dist/http/percent-decoding.js',
      'rest/dist/format/filter-path.js',
      'rest/dist/format/body-values.js',
      'rest/dist/format/media-types.js',
      'coordinator/dist/bulk/parse-bulk.js',
      'coordinator/dist/search/contexts/scroll-id.js',
      'coordinator/dist/search/contexts/pit-id.js',
      'transport/dist/frames.js',
      'ingest/dist/pipeline.js',
      'ingest/dist/run.js',
      'ingest/dist/document.js',
      'ingest/dist/scripts.js',
      'ingest/dist/time-guard.js',
    ].map(load),
  );

const NOW = Date.UTC(2024, 5, 1);
const CONTEXT = { nowMs: NOW, maxNestedDepth: 30, allowExpensiveQueries: true };
const registry = analysis.buildAnalysisRegistry({}, analysis.registryOptions({}));
const options = mapping.mappingOptions({}, registry);
const standardMapping = mapping.parseMapping(
  {
    properties: {
      t: { type: 'text' },
      k: { type: 'keyword' },
      n: { type: 'long' },
      d: { type: 'date' },
      b: { type: 'boolean' },
      p: { type: 'geo_point' },
      ip: { type: 'ip' },
      o: { type: 'nested', properties: { k: { type: 'keyword' } } },
    },
  },
  options,
);

const jsonTarget = (name, seeds, run) => ({
  name,
  make: (random) => jsonText(random, mutateValue(random, random.pick(seeds), seeds)),
  run: (bytes) => run(json.parseJson(bytes)),
});
const textTarget = (name, seeds, run) => ({ name, make: (random) => mutateText(random, random.pick(seeds)), run });

const BULK = Buffer.from(
  DOCUMENTS.flatMap((document) => [
    { index: { _index: 'a', _id: '1', routing: 'r', if_seq_no: 1, if_primary_term: 1 } },
    document,
    { update: { _id: '2', retry_on_conflict: 2 } },
    { doc: document, doc_as_upsert: true },
    { delete: { _id: '3', version: 3, version_type: 'external' } },
  ])
    .map((line) => JSON.stringify(line))
    .join('\n') + '\n',
);
const BULK_REQUEST = {
  index: 'a',
  routing: null,
  requireAlias: null,
  pipeline: null,
  updateSource: undefined,
  allowType: false,
};

/** All pieces of a body, checked as a whole. */
function parseBulk(request) {
  const messages = [];
  const reader = bulk.readPieces(request);
  let count = 0;
  while (!reader.isOver) count += reader.next(messages).length;
  bulk.checkWhole(reader, count, messages);
}

/** Compiles a pipeline and runs it on documents; its processors may fail, but only with errors of the API. */
function runIngest(body) {
  if (!json.isPlainObject(body)) return;
  const site = { scripts: scripts.createScripts(() => ({})), pipeline: () => null, now: () => NOW };
  const pipeline = pipelines.compilePipeline('p', body, site);
  for (const source of DOCUMENTS) {
    const copy = json.readSource(Buffer.from(JSON.stringify(source)));
    const document = new documents.IngestDocument(copy, { _index: 'a', _id: '1', _version: -3 }, { timestamp: 't' });
    try {
      const run = { monotonic: () => 0, pause: () => null, trace: null, running: [], user: null };
      runs.runPipeline(pipeline, document, run);
      json.stringify(document.source);
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }
}

/** Errors that processors throw with a status of 500, as those of 8.12 do. */
const OWN_FAILURES = ['fail_processor_exception', 'find_match'];
const DATABASES = noDatabases();
/** Documents that run through a random pipeline. */
const DOCUMENTS_IN_PIPELINE = 10;

/** Runs documents through pipelines that call each other. What they make is JSON that reads as it was. */
function runPipelines([bodies, documentsOfPipeline]) {
  const compiled = new Map();
  const site = {
    scripts: scripts.createScripts(() => ({})),
    pipeline: (name) => compiled.get(name) ?? null,
    databases: DATABASES,
    guard: new guards.TimeGuard(),
    now: () => NOW,
  };
  for (const [name, body] of Object.entries(bodies))
    try {
      compiled.set(name, pipelines.compilePipeline(name, body, site));
    } catch (error) {
      if (toApiError(error).status >= 500) throw error;
    }
  const pipeline = compiled.get('p');
  if (pipeline === undefined) return;
  for (const source of documentsOfPipeline) {
    const read = json.readSource(Buffer.from(JSON.stringify(source)));
    const document = new documents.IngestDocument(read, { _index: 'a', _id: '1', _version: -3 }, { timestamp: 't' });
    try {
      runs.runPipeline(pipeline, document, {
        monotonic: () => 0,
        pause: () => null,
        trace: null,
        running: [],
        user: null,
      });
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.status >= 500 && !OWN_FAILURES.includes(error.type)) throw error;
    }
    const text = json.stringify(document.source);
    if (json.stringify(json.readSource(Buffer.from(text))) !== text) throw new Error(`no JSON of its own: ${text}`);
  }
}

templates.installScriptEnvironment({ nowMs: () => performance.now(), wallMs: () => NOW, random: () => 0.5 });

/** Compiles a script and runs it. An error of V8 instead of one of the script's is a finding. */
function runScript(source) {
  const script = { lang: 'painless', source, id: null, params: {}, options: {} };
  try {
    const result = templates.compile(script, 'painless_test').call([{ x: 1, m: { a: [1, 'b'] } }]);
    if (typeof result === 'function') throw new Error('a function left the script');
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (/no such member/.test(error.causedBy?.reason ?? '')) throw new Error(error.causedBy.reason);
  }
}

const decoders = Object.entries(protocol).flatMap(([file, module]) =>
  Object.keys(module)
    .filter((name) => name.startsWith('decode'))
    .map((name) => ({ name: `${file}.${name}`, decode: module[name] })),
);
const WIRE_SEEDS = [
  frames.encodeBatch([
    frames.requestFrame(
      {
        id: 1,
        action: 'shard/query',
        deadlineMs: 5,
        parentTask: 'n:1',
        traceId: 't',
        totalBytes: 4,
        indexUuid: 'u',
        shard: 1,
        version: 2,
      },
      Uint8Array.of(1, 2, 3, 4),
    ),
    frames.cancelFrame(9),
  ]),
  codec.encodeValue([1, 'a', null, [true, 2.5, new Uint8Array(3)]]),
];

const TARGETS = [
  {
    name: 'json',
    make: (random) =>
      random.chance(0.5)
        ? jsonText(random, mutateValue(random, random.pick(DOCUMENTS), QUERIES))
        : Buffer.from(mutateBytes(random, Buffer.from(JSON.stringify(random.pick(SEARCHES))))),
    run: json.parseJson,
  },
  {
    name: 'yaml and cbor',
    make: (random) => [
      random.pick(['yaml', 'cbor']),
      mutateBytes(
        random,
        random.chance(0.5)
          ? Buffer.from('a:\n  - 1\n  - {b: "x"}\nc: |\n  text\n')
          : Buffer.from('a2616101616283010203', 'hex'),
      ),
    ],
    run: ([format, bytes]) => bodies.parseBody(bytes, format),
  },
  {
    name: 'source filter',
    make: (random) => [
      Buffer.from(JSON.stringify(random.pick(DOCUMENTS))),
      [mutateText(random, 'o.*'), mutateText(random, 'x.y')],
      [mutateText(random, 'a*b')],
    ],
    run: ([source, includes, excludes]) => json.filterSource(source, includes, excludes),
  },
  jsonTarget('query', QUERIES, (body) => parseQuery(body, CONTEXT)),
  jsonTarget('search body', SEARCHES, (body) => {
    if (body?.query !== undefined) parseQuery(body.query, CONTEXT);
    if (body?.sort !== undefined) parseSort(body.sort, CONTEXT);
  }),
  jsonTarget(
    'aggregations',
    [...AGGREGATIONS, ...PIPELINES].map((one) => ({ x: { ...one, aggs: { m: { avg: { field: 'n' } } } } })),
    (body) => parseAggregations(body, { aggs: body }, CONTEXT),
  ),
  jsonTarget('mapping', MAPPINGS, (body) =>
    mapping.mergeMappings(standardMapping, mapping.parseMapping(body, options).toJson(), options, 'update'),
  ),
  jsonTarget('analysis', SETTINGS, (body) =>
    analysis.buildAnalysisRegistry(body?.index?.analysis ?? {}, analysis.registryOptions({})).analyzer('a'),
  ),
  jsonTarget('ingest', INGEST, runIngest),
  {
    name: 'pipelines',
    make: (random) => [
      { q: randomPipeline(random), p: randomPipeline(random) },
      Array.from({ length: DOCUMENTS_IN_PIPELINE }, () => randomDocument(random)),
    ],
    run: runPipelines,
  },
  jsonTarget('settings', SETTINGS, (body) => json.isPlainObject(body) && state.flattenIndexSettings(body)),
  {
    name: 'document',
    make: (random) => jsonText(random, mutateValue(random, random.pick(DOCUMENTS), DOCUMENTS)),
    run: (bytes) => mapping.parseDocument(standardMapping, bytes, { id: '1', nowMs: NOW }, options),
  },
  {
    name: 'bulk',
    make: (random) =>
      random.chance(0.5) ? mutateBytes(random, BULK) : Buffer.from(mutateText(random, BULK.toString())),
    run: (body) => parseBulk({ ...BULK_REQUEST, body: Buffer.from(body) }),
  },
  {
    name: 'date',
    make: (random) => [
      random.chance(0.7)
        ? random.pick(TEXT_SEEDS.datePattern)
        : mutateText(random, random.pick(TEXT_SEEDS.datePattern)),
      mutateText(random, random.pick(TEXT_SEEDS.date)),
    ],
    run: ([pattern, text]) => values.dateFormat(pattern).parse(text),
  },
  {
    name: 'date math',
    make: (random) => mutateText(random, random.pick(TEXT_SEEDS.dateMath)),
    run: (text) =>
      values
        .dateFormat('strict_date_optional_time||epoch_millis')
        .parseRounded(text, { roundUp: true, now: () => NOW }),
  },
  textTarget('zone', TEXT_SEEDS.zone, values.timeZone),
  textTarget('byte size', TEXT_SEEDS.bytes, (text) => values.parseByteSize(text, 's')),
  textTarget('time value', TEXT_SEEDS.time, (text) => values.parseTimeValue(text, 's')),
  textTarget('ip', TEXT_SEEDS.ip, (text) => [values.parseIp(text), values.parseCidr(text)]),
  textTarget('geo point', TEXT_SEEDS.geo, values.parseGeoPoint),
  textTarget('regexp', TEXT_SEEDS.regexp, (text) => regexpAutomaton(text, 0xff, false, 10_000)),
  textTarget('filter path', TEXT_SEEDS.filterPath, (text) => {
    const filter = filterPath.parseFilterPath(text);
    if (filter !== null) filterPath.filterJson(Buffer.from(JSON.stringify(DOCUMENTS)), filter);
  }),
  textTarget('query of a uri', TEXT_SEEDS.query, percent.parseQueryString),
  textTarget('template', TEXT_SEEDS.template, (text) =>
    templates.compileTemplate(text).render({ a: [{ b: { c: ['x'] } }, null], l: ['p', 1], n: 3, t: 'q r' }),
  ),
  {
    name: 'painless',
    make: (random) => (random.chance(0.5) ? mutateText(random, random.pick(SCRIPTS)) : randomScript(random)),
    run: runScript,
  },
  textTarget('path', ['a%20b', '%41', 'x'], (text) => percent.decodePathSegment(text, text)),
  textTarget(
    'media type',
    ['application/json; charset=utf-8', 'application/vnd.elasticsearch+json;compatible-with=8'],
    (text) => media.negotiate(text, text, true),
  ),
  textTarget('date math name', ['<logs-{now/d{yyyy.MM|+01:00}}>', 'a'], (text) => state.resolveDateMath(text, NOW)),
  textTarget('scroll id', ['bjE6MQ=='], scrollId.decodeScrollId),
  textTarget('point in time', ['eyJhIjoxfQ=='], pitId.decodePointInTime),
  {
    name: 'messages',
    anyError: true,
    make: (random) => [random.pick(decoders), mutateBytes(random, random.pick(WIRE_SEEDS))],
    run: ([decoder, bytes]) => decoder.decode(bytes),
  },
  {
    name: 'batches of frames',
    anyError: true,
    make: (random) => mutateBytes(random, random.pick(WIRE_SEEDS)),
    run: frames.decodeBatch,
  },
  { name: 'values', anyError: true, make: (random) => mutateBytes(random, WIRE_SEEDS[1]), run: codec.decodeValue },
];

const show = (input) =>
  (input instanceof Uint8Array
    ? Buffer.from(input).toString('latin1')
    : JSON.stringify(input, (_key, value) =>
        value instanceof Uint8Array
          ? Buffer.from(value).toString('latin1')
          : typeof value === 'function'
            ? value.name
            : value,
      )
  ).slice(0, 600);

/** What is wrong with how a target took an input, or null. */
function verdict(target, input) {
  const start = process.cpuUsage();
  try {
    target.run(input);
  } catch (error) {
    const isExpected = target.anyError
      ? error instanceof Error && !(error instanceof TypeError && /undefined|null|not a function/.test(error.message))
      : toApiError(error).status < 500;
    if (!isExpected) return `threw ${error?.stack ?? error}`.slice(0, 500);
  }
  const used = process.cpuUsage(start);
  const ms = (used.user + used.system) / 1000;
  return ms > SLOW_MS ? `took ${Math.round(ms)} ms` : null;
}

/**
 * Runs until `inputs` inputs or `seconds` are over; returns { inputs, findings: [{ target, seed, input, reason }] }.
 * Each input comes from a seed of its own.
 */
export function fuzzParsers({ inputs, seconds, seed, only = null, report = () => undefined }) {
  const targets = TARGETS.filter((target) => only === null || target.name === only);
  const findings = [];
  const seen = new Set();
  const end = performance.now() + seconds * 1000;
  let done = 0;
  for (; done < inputs && (done % 256 !== 0 || performance.now() < end); done++) {
    const random = choices(seed + done);
    const target = targets[done % targets.length];
    const input = target.make(random);
    const reason = verdict(target, input);
    if (reason !== null && !seen.has(target.name + reason.slice(0, 200))) {
      seen.add(target.name + reason.slice(0, 200));
      findings.push({ target: target.name, seed: seed + done, input: show(input), reason });
    }
    if (done % 100_000 === 99_999) report(done + 1, findings);
  }
  return { inputs: done, findings };
}
