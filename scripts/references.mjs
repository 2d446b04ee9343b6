// Resolves every reference in comments and documents: pages and their sections, links, ADR numbers, labels of
// invariants and steps (I7, W5, R3: defined in docs/internals/cluster.md), and names of files and in code that
// docs/internals and the README of a package mention. Every package has a README and is drawn in the ground plan.
// Usage: node scripts/references.mjs
import fs from 'node:fs';
import path from 'node:path';
import { readTable, root } from './boundaries-table.mjs';

const LABELS_PAGE = 'docs/internals/cluster.md';
const GLOSSARY = 'docs/internals/glossary.md';
/** Draws every package on its level. */
const GROUND_PLAN = 'docs/internals/architecture.md';
/** How far before a section sign its page may stand. */
const PAGE_BEFORE = 240;
const SKIPPED = new Set(['node_modules', 'dist', 'generated', 'golden', '.git']);
/** Files that each package has. */
const EVERYWHERE = new Set(['src/index.ts', 'package.json', 'tsconfig.json']);
const problems = [];

function filesBelow(folder, pattern) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(name, pattern);
    return pattern.test(entry.name) ? [name] : [];
  });
}

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const exists = (file) => fs.existsSync(path.join(root, file));
const lineOf = (text, at) => text.slice(0, at).split('\n').length;
const blame = (file, text, at, what) => problems.push(`${file}:${lineOf(text, at)}: ${what}`);

/** Headings of a page: numbers of sections, and anchors as GitHub makes them. */
const pages = new Map();
function headingsOf(page) {
  if (pages.has(page)) return pages.get(page);
  const titles = [...read(page).matchAll(/^#+ (.+)$/gm)].map((match) => match[1]);
  const found = {
    sections: new Set(titles.flatMap((title) => /^(\d+(?:\.\d+)*)\.? /.exec(title)?.[1] ?? [])),
    anchors: new Set(
      titles.map((title) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replace(/\s/g, '-'),
      ),
    ),
  };
  pages.set(page, found);
  return found;
}

/** The package that a file belongs to, as a folder; null outside of packages. */
const packageOf = (file) => /^packages\/[^/]+/.exec(file)?.[0] ?? null;

/** The page that a name means: from the root, from the file that names it, from its package, from docs. */
function pageOf(file, name) {
  const places = ['.', path.dirname(file), packageOf(file), 'docs'].filter((place) => place !== null);
  return places.map((place) => path.join(place, name)).find((page) => !page.startsWith('..') && exists(page)) ?? null;
}

const PAGE = /(?<![\w/.:-])(?:\.\.?\/)*[A-Za-z0-9_][\w./-]*\.md\b/g;

function checkPages(file, text) {
  const mentions = [...text.matchAll(PAGE)].map((match) => ({ at: match.index, name: match[0] }));
  for (const { at, name } of mentions)
    if (pageOf(file, name) === null) blame(file, text, at, `there is no page ${name}`);
  for (const match of text.matchAll(/§(\d+(?:\.\d+)*)/g)) {
    const named = mentions.findLast(({ at }) => at < match.index && match.index - at < PAGE_BEFORE);
    const page = named ? pageOf(file, named.name) : file.startsWith('docs/') ? file : null;
    const own = file.endsWith('.md') && headingsOf(file).sections.has(match[1]);
    if (page === null && named === undefined) blame(file, text, match.index, `§${match[1]} names no page`);
    else if (page !== null && !headingsOf(page).sections.has(match[1]) && !own)
      blame(file, text, match.index, `${page} has no section ${match[1]}`);
  }
}

function checkDecisions(file, text) {
  const numbers = new Set(fs.readdirSync(path.join(root, 'docs/adr')).map((name) => name.slice(0, 4)));
  for (const match of text.matchAll(/(?:\bADR |\bdocs\/adr\/)(\d{4})/g))
    if (!numbers.has(match[1])) blame(file, text, match.index, `there is no decision ${match[1]}`);
}

/** Bold at the beginning of a list item or of a row: `- **I7** …`, `| **W5** | …`. */
function definedLabels() {
  const text = read(LABELS_PAGE);
  const labels = [...text.matchAll(/^(?:- |\| )\*\*([IRW]\d+[a-z]?)\*\*/gm)];
  const seen = new Set();
  for (const match of labels) {
    if (seen.has(match[1])) blame(LABELS_PAGE, text, match.index, `${match[1]} is defined twice`);
    seen.add(match[1]);
  }
  return seen;
}

function checkLabels(file, text, labels) {
  for (const match of text.matchAll(/(?<![\w./-])[IRW]\d{1,2}[a-z]?(?![\w-])/g))
    if (!labels.has(match[0])) blame(file, text, match.index, `${match[0]} is not defined in ${LABELS_PAGE}`);
}

function checkLinks(file, text) {
  for (const match of text.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]+))?\)/g)) {
    const [, target, anchor] = match;
    if (/^\w+:/.test(target)) continue;
    const page = target === '' ? file : path.join(path.dirname(file), target);
    if (!exists(page)) blame(file, text, match.index, `the link ${target} leads nowhere`);
    else if (anchor !== undefined && page.endsWith('.md') && !headingsOf(page).anchors.has(anchor))
      blame(file, text, match.index, `${page} has no heading for #${anchor}`);
  }
}

/**
 * Names of files in backticks. With a folder they are paths from the root, from `packages/` or from the sources of the
 * README's own package; alone they are some file of that package or of test/.
 */
function checkFileNames(file, text, all) {
  const room = packageOf(file);
  const places = ['.', 'packages', ...(room === null ? [] : [room, `${room}/src`])];
  const isNear = (other) => room === null || [room, null].includes(packageOf(other));
  for (const match of text.matchAll(/`([\w./-]+\.(?:ts|mjs|proto|json))(?: [#\w]+)?`/g)) {
    const name = match[1];
    const isThere =
      EVERYWHERE.has(name) ||
      (name.includes('/')
        ? places.some((place) => exists(path.join(place, name)))
        : all.some((other) => path.basename(other) === name && isNear(other)));
    if (!isThere) blame(file, text, match.index, `there is no file ${name}`);
  }
}

/** Names of two words or more in backticks, as of a class or method. The glossary has names of other programs too. */
function checkIdentifiers(file, text, words) {
  for (const code of text.matchAll(/`([^`\n]+)`/g))
    for (const [name] of code[1].matchAll(/(?<![\w./<-])[A-Za-z]+[a-z][A-Z]\w*/g))
      if (!words.has(name)) blame(file, text, code.index, `no source says ${name}`);
}

const sources = [
  ...filesBelow('packages', /\.(?:ts|md|proto)$/),
  ...filesBelow('proto', /\.proto$/),
  ...filesBelow('scripts', /\.mjs$/),
  ...filesBelow('test', /\.mjs$/),
  ...filesBelow('docs', /\.md$/),
  'README.md',
  'packages/node/bin/shoal',
];
const all = [...sources, ...filesBelow('scripts', /\.json$/)];
const labels = definedLabels();
const words = new Set(
  all.filter((file) => !file.endsWith('.md')).flatMap((file) => read(file).match(/[A-Za-z_$][\w$]*/g) ?? []),
);
for (const file of sources) {
  const text = read(file);
  checkPages(file, text);
  checkDecisions(file, text);
  checkLabels(file, text, labels);
  if (!file.endsWith('.md')) continue;
  checkLinks(file, text);
  if (!file.startsWith('docs/internals/') && packageOf(file) === null) continue;
  checkFileNames(file, text, all);
  if (file !== GLOSSARY) checkIdentifiers(file, text, words);
}
/** Levels of the packages in the first drawing of the page: `6  coordinator …`; lines without a number continue one. */
function drawnLevels() {
  const drawing = /^```\n([\s\S]*?)^```$/m.exec(read(GROUND_PLAN))[1];
  const levels = new Map();
  let level = null;
  for (const line of drawing.trimEnd().split('\n')) {
    level = /^\d/.test(line) ? Number.parseInt(line, 10) : level;
    for (const room of line.slice(3).split(/ {2,}/)[0].split(' ')) levels.set(room, level);
  }
  return levels;
}

const { rooms } = readTable();
const drawn = drawnLevels();
for (const [room, { level }] of Object.entries(rooms)) {
  if (!exists(`packages/${room}/README.md`)) problems.push(`packages/${room} has no README.md`);
  if (drawn.get(room) !== level) problems.push(`${GROUND_PLAN}: ${room} is not drawn on level ${level}`);
}
for (const room of drawn.keys())
  if (!Object.hasOwn(rooms, room)) problems.push(`${GROUND_PLAN}: there is no package ${room}`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length > 0 ? 1 : 0);
