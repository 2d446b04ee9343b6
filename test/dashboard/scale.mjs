// What the dashboard takes with much data: Discover over a million documents with an export of all, completion in the
// console over 1,000 indices of 1,000 fields, a list of 10,000 indices.
// Usage: node test/dashboard/scale.mjs [discover|console|indices]...
//   [--documents 1000000] [--indices 10000] [--wide 1000] [--memory 4096] (of the node, MB)
import fs from 'node:fs';
import { call, startNode } from '../node-process.mjs';
import { debugSession, noBrowser, openPage, withBrowser } from './browser.mjs';
import { startDashboard, waitForLevel } from './dashboard-process.mjs';

if (noBrowser !== null) {
  process.stderr.write(`${noBrowser}\n`);
  process.exit(1);
}

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const DOCUMENTS = option('documents', 1_000_000);
const INDICES = option('indices', 10_000);
const WIDE = option('wide', 1_000);
const FIELDS = 1_000;
const BATCH = 10_000;
/** Indices that are made at once: the master publishes them together. */
const AT_ONCE = 20;
/** Of the node: a field of a mapping costs about 3 KB, and 1,000 indices of 1,000 fields are a million. */
const MEMORY = `${option('memory', 4_096)}mb`;

const say = (text) => process.stdout.write(`${text}\n`);
const seconds = (from) => ((performance.now() - from) / 1000).toFixed(2);

/** Processor seconds of a process. */
function processorSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Says what the work between now and the returned call took of the processor, by process. */
function processorUse({ node, dashboard }) {
  const taken = () => [processorSeconds(dashboard.pid), processorSeconds(node.pid)];
  const before = taken();
  return () => {
    const [server, own] = taken().map((value, i) => (value - before[i]).toFixed(2));
    return `processor: server ${server} s, node ${own} s`;
  };
}

/** Resident memory of a process, in MB: now, and at its peak. */
function memoryOf(pid) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return `${mb('VmRSS')} MB (peak ${mb('VmHWM')})`;
}

async function heapOf(page) {
  const session = await debugSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.enable').then(() => session.send('Performance.getMetrics'));
  await session.detach();
  return `${Math.round(metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 1e6)} MB`;
}

const byRole = (page, role, name) => page.getByRole(role, { name, exact: typeof name === 'string' });

async function fill(node) {
  const mappings = {
    properties: { '@timestamp': { type: 'date' }, level: { type: 'keyword' }, size: { type: 'long' } },
  };
  await call(node, 'PUT', '/logs', { settings: { number_of_replicas: 0, refresh_interval: '-1' }, mappings });
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const lines = Array.from({ length: BATCH }, (_, k) => {
      const i = from + k;
      const source = {
        '@timestamp': 1_700_000_000_000 + i * 1000,
        level: ['info', 'warn', 'error'][i % 3],
        size: (i * 37) % 10_000,
        message: `request ${i} took ${i % 997} ms`,
      };
      return `{"index":{}}\n${JSON.stringify(source)}\n`;
    });
    await call(node, 'POST', '/logs/_bulk', lines.join(''));
  }
  await call(node, 'POST', '/logs/_refresh');
}

async function measureDiscover({ node, dashboard, page }) {
  await fill(node);
  const used = processorUse({ node, dashboard });
  const from = performance.now();
  await page.goto(`${dashboard.url}/app/discover?i=logs`);
  await page.locator('[role=grid] [role=row], table tbody tr').nth(5).waitFor({ timeout: 60_000 });
  const rows = seconds(from);
  await byRole(page, 'figure', 'Documents over time').waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  say(
    `${DOCUMENTS} documents in Discover: first rows ${rows} s, with chart ${seconds(from)} s, ` +
      `page ${await heapOf(page)}, ${used()}`,
  );
  await byRole(page, 'button', 'Export').click();
  const asked = performance.now();
  const usedByExport = processorUse({ node, dashboard });
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 600_000 }),
    byRole(page, 'menuitem', 'CSV').click(),
  ]);
  const { size } = fs.statSync(await file.path());
  say(
    `export of all as CSV: ${seconds(asked)} s, ${Math.round(size / 1e6)} MB, server ${memoryOf(dashboard.pid)}, ` +
      `node ${memoryOf(node.pid)}, page ${await heapOf(page)}, ${usedByExport()}`,
  );
}

async function makeIndices(node, prefix, count, body) {
  const from = performance.now();
  let made = 0;
  const make = async () => {
    while (made < count) {
      const name = `${prefix}-${String(made++).padStart(5, '0')}`;
      const { status, body: answer } = await call(node, 'PUT', `/${name}`, body);
      if (status !== 200) throw new Error(JSON.stringify(answer));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  say(`${count} indices were made in ${seconds(from)} s, node ${memoryOf(node.pid)}`);
}

const SETTINGS = { number_of_shards: 1, number_of_replicas: 0 };

async function measureConsole({ node, dashboard, page }) {
  const properties = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, i) => [`field_${i}`, { type: i % 2 === 0 ? 'keyword' : 'long' }]),
  );
  // The default allows 75,000 fields with 512 MB: 1,000 indices of 1,000 fields are a million.
  await call(node, 'PUT', '/_cluster/settings', { persistent: { 'shoal.cluster.max_fields': 2 * WIDE * FIELDS } });
  await makeIndices(node, 'wide', WIDE, { settings: SETTINGS, mappings: { properties } });
  await page.goto(`${dashboard.url}/app/console`);
  const editor = page.locator('.cm-content').first();
  await editor.fill('');
  await editor.pressSequentially('GET wide-*/_search\n{"query":{"term":{"');
  const options = page.locator('.cm-tooltip-autocomplete [role=option]');
  for (const [keys, wanted] of [
    ['field_99', 'field_99'],
    ['8', 'field_998'],
  ]) {
    const from = performance.now();
    const used = processorUse({ node, dashboard });
    await editor.pressSequentially(keys);
    await options.filter({ hasText: wanted }).first().waitFor({ timeout: 60_000 });
    say(
      `key to completion, ${WIDE} indices of ${FIELDS} fields: ${Math.round(performance.now() - from)} ms, ${used()}`,
    );
  }
  say(`page ${await heapOf(page)}, server ${memoryOf(dashboard.pid)}`);
}

async function measureIndices({ node, dashboard, page }) {
  await makeIndices(node, 'many', INDICES, { settings: SETTINGS });
  const from = performance.now();
  const used = processorUse({ node, dashboard });
  await page.goto(`${dashboard.url}/app/indices`);
  await page.getByText('many-00001').first().waitFor({ timeout: 120_000 });
  say(
    `${INDICES} indices in the list: ${seconds(from)} s, page ${await heapOf(page)}, ` +
      `server ${memoryOf(dashboard.pid)}, ${used()}`,
  );
  const typed = performance.now();
  await page
    .getByRole('searchbox')
    .or(byRole(page, 'textbox', /filter|search|find/i))
    .first()
    .fill('many-00777');
  await page.waitForFunction(() => !document.querySelector('main').innerText.includes('many-00001'));
  say(`and filtered to one: ${Math.round(performance.now() - typed)} ms`);
}

const PARTS = { discover: measureDiscover, console: measureConsole, indices: measureIndices };
const asked = process.argv.slice(2).filter((name) => Object.hasOwn(PARTS, name));
for (const name of asked.length === 0 ? Object.keys(PARTS) : asked) {
  const [node, browser] = await withBrowser(
    startNode({ settings: { 'cluster.max_shards_per_node': 20_000, 'memory.limit': MEMORY }, startMsMax: 120_000 }),
  );
  const dashboard = await startDashboard({ settings: { 'elasticsearch.hosts': node.url } });
  try {
    await waitForLevel(dashboard, 'available');
    const { page } = await openPage(browser, `${dashboard.url}/app/home`);
    say(`dashboard: server ${memoryOf(dashboard.pid)}`);
    await PARTS[name]({ node, dashboard, page });
  } catch (error) {
    say(`the node said at last:\n${node.log().slice(-3000)}`);
    throw error;
  } finally {
    await browser.close();
    await dashboard.stop();
    await node.stop();
  }
}
