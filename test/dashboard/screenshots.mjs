// Makes the pictures of docs/dashboard.md and of the README, docs/pictures/*.webp, from sample data in a node of its
// own. Usage: npm run screenshots [part of a name]
import fs from 'node:fs';
import path from 'node:path';
import { call, root } from '../node-process.mjs';
import { debugSession, noBrowser, openPage, withBrowser } from './browser.mjs';
import { startNodeWithDashboard } from './dashboard-process.mjs';

const FOLDER = path.join(root, 'docs', 'pictures');
const VIEWPORT = { width: 1280, height: 900 };
const QUALITY = 82;
const BYTES_MAX = 1_500_000;
const SAMPLES = ['Web logs', 'Flights', 'Orders'];

if (noBrowser !== null) {
  process.stderr.write(`${noBrowser}\n`);
  process.exit(1);
}

/** Waits until nothing of the page is being loaded. */
const isLoaded = (page) =>
  page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null,
  );

async function loadSamples(page, url) {
  await page.goto(`${url}/app/data`);
  for (const name of SAMPLES) {
    const region = page.getByRole('region', { name, exact: true });
    await region.getByRole('button', { name: `Load ${name}` }).click();
    await region.getByRole('link', { name: 'Open the dashboard' }).waitFor({ timeout: 120_000 });
  }
}

/** A job over the web logs with its results, an analysis, and a pipeline, for the pages that show them. */
async function makeObjects(node) {
  const job = '/_ml/anomaly_detectors/requests';
  await call(node, 'PUT', job, {
    analysis_config: { bucket_span: '1h', detectors: [{ function: 'count' }] },
    data_description: { time_field: '@timestamp' },
    model_plot_config: { enabled: true },
  });
  const feed = { job_id: 'requests', indices: ['sample-web-logs'] };
  await call(node, 'PUT', '/_ml/datafeeds/datafeed-requests', feed);
  await call(node, 'POST', `${job}/_open`);
  await call(node, 'POST', '/_ml/datafeeds/datafeed-requests/_start?end=now');
  const set = { field: 'seen', value: '{{_ingest.timestamp}}' };
  await call(node, 'PUT', '/_ingest/pipeline/seen', { processors: [{ set }, { lowercase: { field: 'host' } }] });
  await call(node, 'PUT', '/archive', { settings: { number_of_replicas: 1 } });
}

const byRole = (page, role, name) => page.getByRole(role, { name, exact: typeof name === 'string' });

/** Pictures by name: the address, and what is done before it is taken. */
const PICTURES = {
  home: ['home', async (page) => byRole(page, 'region', 'Cluster health').getByText('yellow').waitFor()],
  discover: [
    'discover?i=sample-web-logs&q=status%20%3E%3D%20500',
    async (page) => byRole(page, 'figure', 'Documents over time').waitFor(),
  ],
  document: [
    'discover?i=sample-web-logs',
    async (page) => {
      await byRole(page, 'button', 'Open document').first().click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  console: [
    'console',
    async (page) => {
      const editor = byRole(page, 'textbox', 'Request editor');
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(
        'GET sample-web-logs/_search\n{\n  "size": 0,\n  "aggs": { "codes": { "terms": { "field": "status" } } }\n}\n',
      );
      await page.keyboard.press('Control+Home');
      await byRole(page, 'button', 'Format').click();
      await byRole(page, 'button', 'Run').click();
      await byRole(page, 'status', 'Answer status').getByText('200').waitFor();
    },
  ],
  playground: [
    'playground?i=sample-orders',
    async (page) => {
      await byRole(page, 'searchbox', 'Search text').fill('garden 12');
      await byRole(page, 'list', 'Results').getByRole('listitem').first().waitFor();
    },
  ],
  indices: ['indices', async (page) => byRole(page, 'table', 'Indices').waitFor()],
  pipelines: ['pipelines?name=seen', async () => undefined],
  shards: ['cluster?tab=shards', async (page) => byRole(page, 'table', 'Shards').waitFor()],
  anomalies: ['ml?job=requests&tab=metric', async (page) => page.getByText('bounds of what the model').waitFor()],
  dashboard: ['dashboards/sample-web-logs', async (page) => byRole(page, 'heading', 'Web logs').waitFor()],
  dark: ['dashboards/sample-flights', async (page) => page.emulateMedia({ colorScheme: 'dark' })],
};

async function take(page, name) {
  const session = await debugSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  const file = path.join(FOLDER, `${name}.webp`);
  fs.writeFileSync(file, Buffer.from(data, 'base64'));
  process.stdout.write(`${name}: ${fs.statSync(file).size} bytes\n`);
}

const [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard({ 'node.name': 'node-1' }));
try {
  const { page } = await openPage(browser, `${dashboard.url}/app/home`, { viewport: VIEWPORT });
  await loadSamples(page, dashboard.url);
  await makeObjects(node);
  fs.mkdirSync(FOLDER, { recursive: true });
  for (const [name, [address, prepare]] of Object.entries(PICTURES)) {
    if (!name.includes(process.argv[2] ?? '')) continue;
    await page.goto(`${dashboard.url}/app/${address}`);
    await isLoaded(page);
    await prepare(page);
    await isLoaded(page);
    await take(page, name);
  }
} finally {
  await browser.close();
  await node.stop('SIGKILL');
}
const bytes = fs.readdirSync(FOLDER).reduce((sum, name) => sum + fs.statSync(path.join(FOLDER, name)).size, 0);
process.stdout.write(`${bytes} bytes in all\n`);
if (bytes > BYTES_MAX) process.stderr.write(`more than ${BYTES_MAX} bytes\n`);
process.exit(bytes > BYTES_MAX ? 1 : 0);
