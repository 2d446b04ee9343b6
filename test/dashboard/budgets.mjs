// Budgets of the dashboard's server, files and first page as a table: what, budget, measured (times: the median of 5 on
// a machine that should be idle).
// Usage: node test/dashboard/budgets.mjs
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
  return median(values);
}

const hosts = (node) => ({ settings: { 'elasticsearch.hosts': node.url } });

async function timeOfStart(node) {
  const from = performance.now();
  const dashboard = await startDashboard(hosts(node));
  await waitForLevel(dashboard, 'available');
  const millis = performance.now() - from;
  await dashboard.stop();
  return millis;
}

/** A browser without anything kept opens Home. */
async function coldHome(browser, url) {
  const { page, context } = await openPage(browser, `${url}/logout`);
  await context.clearCookies();
  const session = await debugSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const loaded = { requests: 0, bytes: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    loaded.requests++;
    loaded.bytes += encodedDataLength;
  });
  const from = performance.now();
  await page.goto(`${url}/app/home`);
  await page.locator('.status').first().waitFor();
  const millis = performance.now() - from;
  await context.close();
  return { millis, ...loaded };
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
      const from = performance.now();
      await byRole(page.getByRole('navigation', { name: 'Main' }), 'link', name).click();
      await byRole(page, 'heading', name).waitFor();
      await isIdle(page);
      if (round === 1) times.push(performance.now() - from);
    }
  return median(times);
}

async function memory(page, dashboard) {
  row('resident when idle', '60 MB', `${megabytes(dashboard.pid, 'VmRSS')} MB`);
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
  for (let i = 0; i < 500; i++) await through(dashboard, undefined, 'GET', '/');
  const before = processorMillis(dashboard.pid);
  for (let i = 0; i < calls; i++) await through(dashboard, undefined, 'GET', '/');
  return (processorMillis(dashboard.pid) - before) / calls;
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
const [node, browser] = await withBrowser(startNode());
let dashboard = null;
try {
  await fill(node);
  row('start to `/api/status` 200', '0.5 s', `${((await repeated(() => timeOfStart(node))) / 1000).toFixed(2)} s`);
  dashboard = await startDashboard(hosts(node));
  await waitForLevel(dashboard, 'available');
  row('a small call through, processor', '0.4 ms', `${(await smallCall(dashboard)).toFixed(2)} ms`);
  await dashboard.stop();
  dashboard = await startDashboard(hosts(node));
  await waitForLevel(dashboard, 'available');
  const homes = [];
  for (let i = 0; i < 5; i++) homes.push(await coldHome(browser, dashboard.url));
  const of = (name) => median(homes.map((home) => home[name]));
  row('all files of Home', '250 KB, 30 requests', `${Math.round(of('bytes') / KB)} KB, ${of('requests')} requests`);
  row('health on Home, cold', '1 s', `${(of('millis') / 1000).toFixed(2)} s`);
  const { page } = await openPage(browser, `${dashboard.url}/app/home`);
  await memory(page, dashboard);
  row('page to page', '300 ms', `${Math.round(await pageToPage(page))} ms`);
} finally {
  await browser.close();
  await dashboard?.stop();
  await node.stop();
}
