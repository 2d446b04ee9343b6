// Tables for the completion and the marks of the dashboard's console, asked of the parsers themselves: a word that a
// parser does not refuse by name is one of its options. Used by scripts/docs.mjs.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './boundaries-table.mjs';

const load = (room, file) => import(path.join(root, 'packages', room, 'dist', file));
const { parseQuery, parseContext, checkSearchKeys } = await load('query', 'index.js');
const { parseAggregations } = await load('aggregations', 'index.js');
const { fieldTypes } = await load('mapping', 'types/catalogue.js');
const { catalogue: processorTypes } = await load('ingest', 'catalogue.js');
const { ConfigReader } = await load('ingest', 'index.js');

/** A word that no parser knows. */
const NONSENSE = 'zqzq_zq';
/** Values to probe a key with: parsers read texts, objects and lists apart. */
const VALUES = ['x', 1, true, {}, ['x'], [{}]];

/** Words that may be keys: what stands before a colon or in quotes in the sources of rooms. */
const WORD = /'(_?[a-z][a-z0-9_]{0,40})'|\b(_?[a-z][a-z0-9_]{0,40}):/g;

function words(...rooms) {
  const found = new Set(['boost', '_name']);
  const read = (folder) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) read(file);
      else if (/(?<!\.test|\.bench|\.kernel)\.ts$/.test(entry.name))
        for (const [, ...groups] of fs.readFileSync(file, 'utf8').matchAll(WORD)) found.add(groups.find(Boolean));
    }
  };
  for (const room of rooms) read(path.join(root, 'packages', room, 'src'));
  return [...found].sort();
}

/** The reason of the error that `parse` throws, with its causes; empty if it throws none. */
function refusal(parse) {
  try {
    parse();
    return '';
  } catch (error) {
    let text = '';
    for (let at = error; at; at = at.cause) text += ` ${at.reason ?? at.message}`;
    return text;
  }
}

const withoutHint = (text) => text.replace(/,? did you mean [^?]*\?/g, '');

/** Words of `candidates` that `parse(key, value)` does not refuse as it refuses a word that it cannot know. */
function knownKeys(candidates, parse) {
  const known = new Set();
  const seen = new Set();
  for (const value of VALUES) {
    const unknown = refusal(() => parse(NONSENSE, value));
    // Most parsers refuse an unknown key before they look at its value: one value is enough for them.
    if (!unknown.includes(NONSENSE) || seen.has(unknown)) continue;
    seen.add(unknown);
    for (const word of candidates) {
      if (known.has(word)) continue;
      const said = withoutHint(refusal(() => parse(word, value)));
      if (said !== withoutHint(unknown.replaceAll(NONSENSE, word))) known.add(word);
    }
  }
  return [...known].sort();
}

/** Names of a catalogue by asking its parser: those that it does not refuse as unknown. */
const typeNames = (candidates, parse) => {
  const unknown = refusal(() => parse(NONSENSE));
  return candidates.filter(
    (word) => withoutHint(refusal(() => parse(word))) !== withoutHint(unknown.replaceAll(NONSENSE, word)),
  );
};

function queryOptions() {
  const candidates = words('query');
  const context = parseContext();
  const parse = (body) => parseQuery(body, context);
  const names = typeNames(candidates, (name) => parse({ [name]: {} }));
  return Object.fromEntries(
    names.map((name) => {
      const flat = knownKeys(candidates, (key, value) => parse({ [name]: { [key]: value } }));
      const ofField = knownKeys(candidates, (key, value) => parse({ [name]: { f: { [key]: value } } }));
      return [name, flat.length >= ofField.length ? { options: flat } : { options: ofField, ofField: true }];
    }),
  );
}

/** Members beside an aggregation's name. */
const NO_AGGREGATIONS = ['aggs', 'aggregations', 'meta'];
/** What some parsers ask for before they look at other keys. */
const NEEDED = {
  bucket_script: { buckets_path: { a: 'b' }, script: '1' },
  bucket_selector: { buckets_path: { a: 'b' }, script: '1' },
  moving_fn: { buckets_path: 'a', window: 5, script: '1' },
  normalize: { buckets_path: 'a', method: 'percent_of_sum' },
};

function aggregationOptions() {
  const candidates = words('aggregations');
  const context = parseContext();
  const parse = (body) => parseAggregations({ a: body }, { aggs: { a: body } }, context);
  const names = typeNames(candidates, (name) => parse({ [name]: {} }));
  return Object.fromEntries(
    names
      .filter((name) => !NO_AGGREGATIONS.includes(name))
      .map((name) => {
        const probe = (key, value) => parse({ [name]: { ...NEEDED[name], [key]: value } });
        return [name, [...new Set([...knownKeys(candidates, probe), ...Object.keys(NEEDED[name] ?? {})])].sort()];
      }),
  );
}

/** Options that a processor reads; those that are required get values until it is content. */
function optionsOf(type) {
  const read = new Set();
  const given = new Map();
  const site = { scripts: {}, databases: {}, guard: {}, now: () => 0, pipeline: () => null };
  for (let attempt = 0; attempt < 60; attempt++) {
    const values = Object.fromEntries([...given].map(([name, at]) => [name, PROBES[at]]));
    const config = new Proxy(values, {
      getOwnPropertyDescriptor(target, name) {
        if (typeof name === 'string') read.add(name);
        return Object.getOwnPropertyDescriptor(target, name);
      },
    });
    const said = refusal(() => type.parse(new ConfigReader(type.name, null, config), site));
    const name = /\[(\w+)\] (?:required property|property)/.exec(said)?.[1];
    if (name === undefined) break;
    const next = given.has(name) ? given.get(name) + 1 : 0;
    if (next === PROBES.length) break;
    given.set(name, next);
  }
  return [...read].sort();
}
const PROBES = ['%{a}', ['field'], { field: 'x' }, true, 1, 'string'];

/** Options of every processor, read around the processor itself. */
const OF_ALL_PROCESSORS = ['description', 'if', 'ignore_failure', 'on_failure', 'tag'];

/** Members of every field of a mapping beside the parameters of its type. */
const OF_ALL_FIELDS = ['copy_to', 'fields', 'type'];

const cacheFile = path.join(root, 'packages', 'dashboard-ui', 'dist', 'console-tables.json');

/** What the tables are made from: the compiled rooms and this file. */
function sourceKey() {
  const hash = crypto.createHash('sha256').update(fs.readFileSync(fileURLToPath(import.meta.url)));
  for (const room of ['query', 'aggregations', 'mapping', 'ingest'])
    hash.update(fs.readFileSync(path.join(root, 'packages', room, 'dist', '.tsbuildinfo')));
  return hash.digest('hex');
}

/** All tables; keys are sorted, so that equal parsers give equal text. Kept until a room is compiled anew. */
export function consoleTables() {
  const key = sourceKey();
  const kept = fs.existsSync(cacheFile) ? JSON.parse(fs.readFileSync(cacheFile, 'utf8')) : null;
  if (kept?.key === key) return kept.tables;
  const tables = askParsers();
  fs.mkdirSync(path.dirname(cacheFile), { recursive: true });
  fs.writeFileSync(cacheFile, JSON.stringify({ key, tables }));
  return tables;
}

function askParsers() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    const search = knownKeys(words('query', 'aggregations'), (key, value) => checkSearchKeys({ [key]: value }));
    const types = Object.fromEntries(
      [...fieldTypes.values()].map(({ name, parameters }) => [
        name,
        [...OF_ALL_FIELDS, ...parameters.map((one) => one.name)].sort(),
      ]),
    );
    const processors = Object.fromEntries(
      [...processorTypes.values()].map((type) => [type.name, [...OF_ALL_PROCESSORS, ...optionsOf(type)].sort()]),
    );
    return { search, queries: queryOptions(), aggregations: aggregationOptions(), types, processors };
  } finally {
    Error.stackTraceLimit = limit;
  }
}
