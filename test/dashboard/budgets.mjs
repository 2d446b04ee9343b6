// Budgets of the dashboard's server, files and pages as a table: what, budget, measured (the median of 5). Times are by
// the clock, for a machine that should be idle, and by what processors worked, which other work changes less: of the
// server's process, or of the page's thread (tasks, of it script).
// Usage: node test/dashboard/budgets.mjs [server|pages]...
import fs from 'node:fs';
import { call, sleep, startNode } from '../node-process.mjs';
import { debugSession, noBrowser, openPage, withBrowser } from './browser.mjs';
import { startDashboard, through, waitForLevel } from './dashboard-process.mjs';
import { KB, SCRIPT_BUDGETS, scriptBytes } from './page-sizes.mjs';

if (noBrowser !== null) {
  process.stderr.write(`${noBrowser}\n`);
  process.exit(1);
}

/* global document */
const DOCUMENTS = 10_000;
const FRAMES = 300;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const row = (what, budget, measured) => process.stdout.write(`| ${what} | ${budget} | ${measured} |\n`);
const byRole = (page, role, name) => page.getByRole(role, { name, exact: typeof name === 'string' });

/** Resident megabytes of a process, now (`VmRSS`) or at most (`VmHWM`). */
const megabytes = (pid, name) =>
  Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);

/** Processor milliseconds of a process. */
function processorMillis(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function repeated(work) {
  const values = [];
  for (let i = 0; i < 5; i++) values.push(await work(i));
  return medianOf(values);
}

const hosts = (node) => ({ settings: { 'elasticsearch.hosts': node.url } });

async function timeOfStart(node) {
  const from = performance.now();
  const dashboard = await startDashboard(hosts(node));
  await waitForLevel(dashboard, 'available');
  const millis = performance.now() - from;
  const worked = processorMillis(dashboard.pid);
  await dashboard.stop();
  return { millis, worked };
}

/** Milliseconds that the thread of a page worked until now: all tasks. */
async function pageMillis(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

/** Does something in a page; returns milliseconds by the clock and those that the page's thread worked. */
async function timed(page, work) {
  const session = await debugSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await pageMillis(session);
  const from = performance.now();
  await work();
  const millis = performance.now() - from;
  const worked = (await pageMillis(session)) - before;
  await session.detach();
  return { millis, worked };
}

const seconds = (millis) => (millis / 1000).toFixed(2);
const round = (millis) => (millis < 20 ? millis.toFixed(1) : Math.round(millis));
const shown = ({ millis, worked }) => `${round(millis)} ms, the page worked ${round(worked)} ms`;
const medianOf = (list) => ({
  millis: median(list.map(({ millis }) => millis)),
  worked: median(list.map(({ worked }) => worked)),
});

/** A browser without anything kept opens Home. */
async function coldHome(browser, url) {
  // An answer that is no page: nothing leads from it to Home while Home is measured.
  const { page, context } = await openPage(browser, `${url}/api/status`);
  const session = await debugSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const loaded = { requests: 0, bytes: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    loaded.requests++;
    loaded.bytes += encodedDataLength;
  });
  const times = await timed(page, async () => {
    await page.goto(`${url}/app/home`);
    await page.locator('.status').first().waitFor();
  });
  await context.close();
  return { ...times, ...loaded };
}

const isIdle = (page) =>
  page.waitForFunction(
    () => document.querySelector('main h1') !== null && document.querySelector('main [aria-busy="true"]') === null,
  );

/** Pages that were seen once, one after another by their links: milliseconds each. */
async function pageToPage(page) {
  const times = [];
  for (let round = 0; round < 2; round++)
    for (const name of ['Indices', 'Cluster', 'Snapshots', 'Dashboards', 'Home']) {
      const taken = await timed(page, async () => {
        await byRole(page.getByRole('navigation', { name: 'Main' }), 'link', name).click();
        await byRole(page, 'heading', name).waitFor();
        await isIdle(page);
      });
      if (round === 1) times.push(taken);
    }
  return medianOf(times);
}

async function memory(page, dashboard) {
  for (let i = 0; i < 24; i++) {
    await page.goto(`${dashboard.url}/app/${['home', 'indices', 'cluster', 'console'][i % 4]}`);
    await isIdle(page);
  }
  const body = { size: DOCUMENTS, query: { match_all: {} } };
  for (let i = 0; i < 20; i++) await through(dashboard, undefined, 'POST', '/logs/_search', { body });
  await sleep(10_000);
  const [now, peak] = [megabytes(dashboard.pid, 'VmRSS'), megabytes(dashboard.pid, 'VmHWM')];
  row(`resident after 24 pages and 20 answers of ${DOCUMENTS} documents`, '80 MB', `${now} MB`);
  row('resident at most', '130 MB', `${peak} MB`);
}

async function smallCall(dashboard) {
  const calls = 3_000;
  // The first calls are those in which the runtime compiles.
  for (let i = 0; i < calls; i++) await through(dashboard, undefined, 'GET', '/');
  const before = processorMillis(dashboard.pid);
  for (let i = 0; i < calls; i++) await through(dashboard, undefined, 'GET', '/');
  return (processorMillis(dashboard.pid) - before) / calls;
}

/** Bytes of the page's objects after a collection. */
async function heapBytes(page) {
  const session = await debugSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/* global requestAnimationFrame */
/** Runs in the page: scrolls a grid in steps of one frame; returns the time of a frame and the most rows at once. */
async function scrollThrough(grid, frames) {
  const part = [grid, ...grid.querySelectorAll('*')].find((one) => one.scrollHeight > one.clientHeight + 100) ?? grid;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  let rowsMax = 0;
  const spans = [];
  for (let step = 0; step < frames; step++) {
    const from = performance.now();
    part.scrollTop += 200;
    await frame();
    spans.push(performance.now() - from);
    rowsMax = Math.max(rowsMax, grid.querySelectorAll('[role=row]').length);
  }
  return { rowsMax, frameMillis: spans.toSorted((a, b) => a - b)[spans.length >> 1] };
}

async function discover(page, url) {
  await page.goto(`${url}/app/discover?i=logs&from=all`);
  const grid = byRole(page, 'grid', 'Documents');
  await grid.getByRole('row').nth(5).waitFor();
  await isIdle(page);
  let scrolled = null;
  const taken = await timed(page, async () => (scrolled = await grid.evaluate(scrollThrough, FRAMES)));
  const count = await grid.getAttribute('aria-rowcount');
  row(`rows of ${count} in the page while scrolling`, '150', `${scrolled.rowsMax}`);
  const frame = { millis: scrolled.frameMillis, worked: taken.worked / FRAMES };
  row('a frame while scrolling', '16.7 ms', shown(frame));
  const search = async (i) => {
    await byRole(page, 'textbox', 'Query').fill(`size >= ${i}`);
    await byRole(page, 'button', 'Search').click();
    await byRole(page, 'status', 'Matches')
      .getByText(`${(DOCUMENTS - i).toLocaleString('en')} documents`)
      .waitFor();
    await isIdle(page);
  };
  for (let i = 1; i <= 3; i++) await search(i);
  const before = await heapBytes(page);
  for (let i = 1; i <= 30; i++) await search(i);
  const grown = ((await heapBytes(page)) - before) / 1e6;
  row('growth of a page over 30 searches', '20 MB', `${grown.toFixed(1)} MB`);
}

/* global localStorage */
async function consoleEditor(node, page, url) {
  const request = 'GET logs/_search\n{\n  "query": { "match": { "message": "x" } },\n  "size": 10\n}\n';
  await page.evaluate((text) => localStorage.setItem('shoal::console:file:scratch', text), request.repeat(1_000));
  // The page that is open keeps the file as it knows it: another one is opened before.
  await page.goto(`${url}/app/home`);
  await page.goto(`${url}/app/console`);
  const editor = byRole(page, 'textbox', 'Request editor');
  const problems = (count) => {
    const text = count === 0 ? /No problems/ : count === 1 ? /^1 problem$/ : new RegExp(`^${count} problems$`);
    return byRole(page, 'status', 'Problems').filter({ hasText: text }).waitFor();
  };
  await problems(0);
  await editor.press('Control+End');
  const marks = [];
  for (let i = 0; i < 5; i++) {
    await page.keyboard.type('GET /logs/_search');
    await page.keyboard.press('Escape');
    await problems(i);
    const type = async () => {
      await page.keyboard.type('z');
      await problems(i + 1);
    };
    marks.push(await timed(page, type));
    await page.keyboard.press('Escape');
    await page.keyboard.type('\n\n');
  }
  row('key to mark in 5,000 lines', '50 ms', shown(medianOf(marks)));
  const lines = Array.from({ length: 10_000 }, (_, i) => `{"index":{}}\n{"n":${i},"t":"${'x'.repeat(900)}"}\n`);
  await call(node, 'PUT', '/long', { mappings: { dynamic: false } });
  await call(node, 'POST', '/long/_bulk?refresh=true', lines.join(''));
  await editor.fill('GET long/_search?size=10000');
  await page.keyboard.press('Escape');
  const run = async () => {
    await page.keyboard.press('Control+Enter');
    await byRole(page, 'status', 'Answer status').filter({ hasText: /MB$/ }).waitFor();
  };
  row('an answer of 10 MB is usable', '3 s', shown(await timed(page, run)));
}

async function fill(node) {
  const at = Date.UTC(2024, 0, 1);
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => {
    const source = { '@timestamp': at + i * 1000, level: 'info', size: i, message: `request ${i}` };
    return `{"index":{}}\n${JSON.stringify(source)}\n`;
  });
  await call(node, 'POST', '/logs/_bulk?refresh=true', lines.join(''));
}

process.stdout.write('| what | budget | measured |\n| --- | --- | --- |\n');
for (const [entry, pages, bytesMax] of SCRIPT_BUDGETS) {
  const entries = [entry, ...pages];
  row(`script of ${entries.at(-1)}`, `${bytesMax / KB} KB`, `${(scriptBytes(entries) / KB).toFixed(1)} KB`);
}

async function serverBudgets(node) {
  const start = await repeated(() => timeOfStart(node));
  row('start to `/api/status` 200', '0.5 s', `${seconds(start.millis)} s, processor ${seconds(start.worked)} s`);
  const dashboard = await startDashboard(hosts(node));
  await waitForLevel(dashboard, 'available');
  row('resident when idle', '60 MB', `${megabytes(dashboard.pid, 'VmRSS')} MB`);
  row('a small call through, processor', '0.4 ms', `${(await smallCall(dashboard)).toFixed(2)} ms`);
  await dashboard.stop();
}

async function pageBudgets(node, browser, dashboard) {
  const homes = [];
  for (let i = 0; i < 5; i++) homes.push(await coldHome(browser, dashboard.url));
  const of = (name) => median(homes.map((home) => home[name]));
  row('all files of Home', '250 KB, 30 requests', `${Math.round(of('bytes') / KB)} KB, ${of('requests')} requests`);
  row('health on Home, cold', '1 s', shown(medianOf(homes)));
  const { page } = await openPage(browser, `${dashboard.url}/app/home`);
  await memory(page, dashboard);
  row('page to page', '300 ms', shown(await pageToPage(page)));
  await discover(page, dashboard.url);
  await consoleEditor(node, page, dashboard.url);
}

const parts = process.argv.slice(2);
const isAsked = (part) => parts.length === 0 || parts.includes(part);
const [node, browser] = await withBrowser(startNode());
let dashboard = null;
try {
  await fill(node);
  if (isAsked('server')) await serverBudgets(node);
  dashboard = await startDashboard(hosts(node));
  await waitForLevel(dashboard, 'available');
  if (isAsked('pages')) await pageBudgets(node, browser, dashboard);
} finally {
  await browser.close();
  await dashboard?.stop();
  await node.stop();
}
