// Opens every page and tab of the dashboard before another cluster, an Elasticsearch for one, and prints for each what
// works, what is hidden or said to be missing, and what failed. Puts documents into the index `dashboard-check` first.
// Usage: node test/dashboard/other-cluster.mjs http://127.0.0.1:9200
import { noBrowser, openBrowser, openPage } from './browser.mjs';
import { startDashboard, waitForLevel } from './dashboard-process.mjs';

const [host] = process.argv.slice(2);
if (noBrowser !== null || host === undefined) {
  process.stderr.write(`${noBrowser ?? 'name the address of a cluster'}\n`);
  process.exit(1);
}

/* global document */
const INDEX = 'dashboard-check';
const PAGES = [
  ...[
    'home',
    `discover?i=${INDEX}&q=title%3Afox`,
    'dashboards',
    'console',
    `playground?i=${INDEX}&text=fox`,
    'indices',
  ],
  ...[`indices/${INDEX}`, 'data', 'pipelines', 'snapshots', 'cluster', 'ml', 'security', 'settings'],
];

async function fill() {
  const lines = [1, 2, 3].flatMap((i) => [
    '{"index":{}}',
    JSON.stringify({ '@timestamp': `2024-01-0${i}`, title: i === 1 ? 'a fox' : 'a dog', size: i }),
  ]);
  const send = (path, method, body) =>
    fetch(host + path, { method, body, headers: { 'content-type': 'application/x-ndjson' } });
  await send(`/${INDEX}`, 'DELETE');
  const answer = await send(`/${INDEX}/_bulk?refresh=true`, 'POST', `${lines.join('\n')}\n`);
  if (!answer.ok) throw new Error(await answer.text());
}

/** Runs in the page: what it shows, in short. */
function summary() {
  const main = document.querySelector('main');
  const texts = (selector) => [...main.querySelectorAll(selector)].map((one) => one.innerText.replace(/\s+/g, ' '));
  return {
    tables: [...main.querySelectorAll('table, [role=grid]')].map((table) => {
      const name = table.getAttribute('aria-label') ?? table.caption?.innerText ?? '';
      return `${name} ${table.querySelectorAll('tr, [role=row]').length - 1}`;
    }),
    told: texts('[role=alert], .bar, p')
      .filter((text) => !text.startsWith('This cluster has no security'))
      .map((text) => text.slice(0, 120)),
  };
}

async function isIdle(page) {
  await page
    .waitForFunction(
      () => document.querySelector('h1') !== null && document.querySelector('main [aria-busy="true"]') === null,
    )
    .catch(() => process.stdout.write('  is not done after 30 s\n'));
  // Pages that ask for a second thing once they have the first.
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
}

async function tell(page, name) {
  await isIdle(page);
  const { tables, told } = await page.evaluate(summary);
  const said = [...new Set(told)].slice(0, 3);
  const parts = [tables.length === 0 ? '' : `tables: ${tables.join(', ')}`, ...said].filter((part) => part !== '');
  process.stdout.write(`${name}: ${parts.join(' | ') || 'shown'}\n`);
}

await fill();
const dashboard = await startDashboard({ settings: { 'elasticsearch.hosts': host } });
const browser = await openBrowser();
try {
  await waitForLevel(dashboard, 'available');
  const { page, faults } = await openPage(browser, `${dashboard.url}/app/home`);
  const answers = new Map();
  page.on('response', (answer) => {
    if (answer.status() < 400) return;
    const url = new URL(answer.url());
    const { searchParams: query, pathname } = url;
    answers.set(
      `${query.get('method') ?? answer.request().method()} ${query.get('path') ?? pathname}`,
      answer.status(),
    );
  });
  for (const name of PAGES) {
    await page.goto(`${dashboard.url}/app/${name}`);
    await tell(page, name);
    const tabs = page.locator('main').getByRole('tab');
    for (let i = 1; i < (await tabs.count()); i++) {
      const tab = await tabs.nth(i).innerText();
      await tabs.nth(i).click();
      await tell(page, `  ${tab}`);
    }
  }
  process.stdout.write(
    `calls that were refused: ${[...answers].map(([one, status]) => `${one} ${status}`).join(', ')}\n`,
  );
  process.stdout.write(`faults of pages: ${faults.join(', ') || 'none'}\n`);
} finally {
  await browser.close();
  await dashboard.stop();
}
