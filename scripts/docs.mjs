// Writes docs/settings.md, docs/dashboard-settings.md, docs/painless-api.md and docs/api.md from the tables in the
// code, and those of the dashboard's console and settings (packages/dashboard-ui/src/generated).
// Usage: node scripts/docs.mjs [--check]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';
import { consoleTables } from './console-tables.mjs';

const check = process.argv.includes('--check');
const load = (room, file = 'index.js') => import(path.join(root, 'packages', room, 'dist', file));
const { NODE_SETTINGS, SECURE_SETTINGS } = await load('node');
const { DASHBOARD_SETTINGS } = await load('dashboard');
const { CLUSTER_SETTING_PREFIXES, CLUSTER_SETTINGS } = await load('state', 'settings/cluster-settings.js');
const { INDEX_SETTING_PREFIXES, INDEX_SETTINGS } = await load('state', 'settings/index-settings.js');
const { routes, securityRoutes } = await load('rest');
const { BUILT_IN_PRIVILEGES } = await load('security');
const { CONTEXT_NAMES, describeContext } = await load('script');
const stale = [];

const write = (name, lines) => writeFile(`docs/${name}`, `${lines.join('\n')}\n`);

function writeFile(name, text) {
  const file = path.join(root, name);
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  stale.push(name);
  if (!check) fs.writeFileSync(file, text);
}

const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
const code = (text) => (text === null || text === undefined || text === '' ? '' : `\`${cell(text)}\``);
const shown = (value) =>
  value === null || value === undefined
    ? ''
    : code(Array.isArray(value) ? (value.length === 0 ? '[]' : value.join(',')) : value);

function settingRows(table) {
  return [...table.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((s) => `| ${code(s.name)} | ${shown(s.fallback)} | ${s.property} |`);
}

write('settings.md', [
  '# Settings',
  '',
  'Made from the tables in the code by `node scripts/docs.mjs`.',
  '',
  'A setting comes from its default, the YAML file given with `--config`, the environment (names with dots as they ' +
    'are, or',
  '`ES_SETTING_HTTP_PORT` for `http.port`), and `-E name=value` or `--name value`; later ones win. An unknown ' +
    'setting stops the start.',
  'Cluster settings may be given the same way and are changed at run time with `PUT /_cluster/settings`; index ' +
    'settings belong to an index.',
  '',
  '## Node',
  '',
  '| setting | default | effect |',
  '| --- | --- | --- |',
  ...[...NODE_SETTINGS]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((s) => `| ${code(s.name)} | ${code(s.fallback)} | ${cell(s.description)} |`),
  '',
  '`ES_JAVA_OPTS=-Xmx512m` is `memory.limit=512mb`.',
  '',
  '## Keystore',
  '',
  'Set with `shoal keystore add` ([security.md](security.md#commands)), never in a file of settings.',
  '',
  '| setting | effect |',
  '| --- | --- |',
  ...[...SECURE_SETTINGS]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((s) => `| ${code(s.name)} | ${cell(s.description)} |`),
  '',
  '## Cluster',
  '',
  'Names, meanings and defaults are those of Elasticsearch 8.12. `dynamic` ones change at run time.',
  '',
  '| setting | default | changes |',
  '| --- | --- | --- |',
  ...settingRows(CLUSTER_SETTINGS),
  '',
  '## Index',
  '',
  '`static` ones are set at creation or while the index is closed, `final` ones at creation only, `private` ones ' +
    'by the cluster itself.',
  '',
  '| setting | default | changes |',
  '| --- | --- | --- |',
  ...settingRows(INDEX_SETTINGS),
]);

write('dashboard-settings.md', [
  '# Settings of the dashboard',
  '',
  'Made from the table in the code by `node scripts/docs.mjs`. Names, meanings and defaults are those of Kibana 8.12 ' +
    'where it has them.',
  '',
  'A setting comes from its default, the YAML file given with `--config`, the environment (`SERVER_BASEPATH` for ' +
    '`server.basePath`),',
  'and `-E name=value` or `--name value`; later ones win. An unknown name in the file or on the command line stops ' +
    'the start; of the',
  'environment only known names are read. Durations are milliseconds or `30s`; lists have commas or are JSON.',
  '',
  '| setting | default | effect |',
  '| --- | --- | --- |',
  ...DASHBOARD_SETTINGS.map((s) => `| ${code(s.name)} | ${code(s.fallback)} | ${cell(s.description)} |`),
]);

write('api.md', [
  '# Calls',
  '',
  'Made from the route tables in the code by `node scripts/docs.mjs`. Parameters, bodies and answers are those of ' +
    'Elasticsearch 8.12;',
  'what differs stands in [differences.md](differences.md). A call that is not in this table answers 400 `no ' +
    'handler found`.',
  '',
  '| call | method | path |',
  '| --- | --- | --- |',
  ...[...routes, ...securityRoutes]
    .sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1))
    .map((r) => `| ${r.name} | ${r.methods.join(' ')} | ${code(r.path)} |`),
]);

const simple = (type) => type.replace(/^(?:[a-z]\w*\.)+/, '');
const argumentsOf = ({ parameters }) => `(${parameters.map(simple).join(', ')})`;
const called = (method) => `${method.name}${argumentsOf(method)}`;

/** One class of the allow-list: everything of it that scripts may write. */
function classRow(info) {
  const members = [
    ...info.static_fields.map(({ name }) => `${simple(info.name)}.${name}`),
    ...info.constructors.map((one) => `new ${simple(info.name)}${argumentsOf(one)}`),
    ...info.static_methods.map((one) => `${simple(info.name)}.${called(one)}`),
    ...info.methods.map(called),
  ];
  return `| ${code(info.name)} | ${members.map(code).join(' ')} |`;
}

const CONTEXTS = CONTEXT_NAMES.map(describeContext);
const everywhere = CONTEXTS.find(({ name }) => name === 'painless_test').classes;
const common = new Set(everywhere.map(classRow));

/** What a context has beyond the classes of all. */
function contextRows({ name, classes, imported_methods: functions }) {
  const own = classes.filter((info) => !common.has(classRow(info)));
  if (own.length === 0 && functions.length === 0) return [];
  return [
    '',
    `### ${name}`,
    ...(functions.length === 0 ? [] : ['', functions.map((one) => code(called(one))).join(' ')]),
    ...(own.length === 0 ? [] : ['', '| class | members |', '| --- | --- |', ...own.map(classRow)]),
  ];
}

write('painless-api.md', [
  '# What Painless scripts may name',
  '',
  'Made from the allow-lists in the code by `node scripts/docs.mjs`; `GET /_scripts/painless/_context?context=score` ' +
    'answers the same with all types.',
  'What is not here does not exist for scripts ([scripts.md](scripts.md#painless)). Classes also have the members of ' +
    'their parents.',
  '',
  '## In every context',
  '',
  '| class | members |',
  '| --- | --- |',
  ...everywhere.map(classRow),
  '',
  '## In some contexts',
  ...CONTEXTS.flatMap(contextRows),
]);

/** Source of a module, formatted as all are. */
function formatted(file, text) {
  const biome = path.join(root, 'node_modules', '.bin', 'biome');
  const run = spawnSync(biome, ['format', `--stdin-file-path=${file}`], { cwd: root, input: text, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`biome cannot format ${file}: ${run.stderr}`);
  return run.stdout;
}

function writeConsoleTables() {
  const file = 'packages/dashboard-ui/src/generated/console-tables.ts';
  const all = [...routes, ...securityRoutes].sort((a, b) =>
    a.path === b.path ? (a.methods[0] < b.methods[0] ? -1 : 1) : a.path < b.path ? -1 : 1,
  );
  const names = (table) => [...table.keys()].sort();
  const { cluster, index } = BUILT_IN_PRIVILEGES;
  const { search, queries, aggregations, types, processors } = consoleTables();
  const values = {
    CALLS: all.map((r) => [r.methods.join(' '), r.path, r.name, [...(r.parameters ?? ['*'])].sort().join(' '), r.body]),
    SEARCH_KEYS: search,
    QUERIES: queries,
    AGGREGATIONS: aggregations,
    FIELD_TYPES: types,
    PROCESSORS: processors,
    INDEX_SETTINGS: names(INDEX_SETTINGS),
    CLUSTER_SETTINGS: names(CLUSTER_SETTINGS),
    CLUSTER_PRIVILEGES: cluster,
    INDEX_PRIVILEGES: index,
  };
  const lists = 'Readonly<Record<string, readonly string[]>>';
  const kinds = {
    CALLS: 'readonly (readonly [methods: string, path: string, name: string, parameters: string, body: string])[]',
    QUERIES: 'Readonly<Record<string, { readonly options: readonly string[]; readonly ofField?: boolean }>>',
    AGGREGATIONS: lists,
    FIELD_TYPES: lists,
    PROCESSORS: lists,
  };
  const text = Object.entries(values).map(
    ([name, value]) => `export const ${name}: ${kinds[name] ?? 'readonly string[]'} = ${JSON.stringify(value)};\n`,
  );
  const head =
    '// Made from routes, parsers and settings by `node scripts/docs.mjs`: what the console completes and marks.\n\n' +
    '/* oxlint-disable max-lines */\n\n';
  writeFile(file, formatted(file, head + text.join('\n')));
}
writeConsoleTables();

/** Settings that may be changed while all runs, with their defaults: what the pages offer to change. */
function writeDynamicSettings() {
  const file = 'packages/dashboard-ui/src/generated/dynamic-settings.ts';
  const dynamic = (table) =>
    [...table.values()]
      .filter(({ property }) => property === 'dynamic')
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, fallback }) => [name, Array.isArray(fallback) ? fallback.join(',') : String(fallback ?? '')]);
  const prefixes = INDEX_SETTING_PREFIXES.filter(([, isDynamic]) => isDynamic).map(([prefix]) => prefix);
  const list = (name, kind, value) => `export const ${name}: ${kind} = ${JSON.stringify(value)};\n`;
  const texts = 'Readonly<Record<string, string>>';
  const parts = [
    '// Made from the tables of settings by `node scripts/docs.mjs`: names and defaults of what may be changed.\n',
    list('DYNAMIC_INDEX_SETTINGS', texts, Object.fromEntries(dynamic(INDEX_SETTINGS))),
    list('DYNAMIC_INDEX_PREFIXES', 'readonly string[]', prefixes),
    list('DYNAMIC_CLUSTER_SETTINGS', texts, Object.fromEntries(dynamic(CLUSTER_SETTINGS))),
    list('DYNAMIC_CLUSTER_PREFIXES', 'readonly string[]', CLUSTER_SETTING_PREFIXES),
  ];
  writeFile(file, formatted(file, parts.join('\n')));
}
writeDynamicSettings();

if (check && stale.length > 0) {
  process.stderr.write(`not what the tables say: ${stale.join(', ')}; run node scripts/docs.mjs\n`);
  process.exit(1);
}
