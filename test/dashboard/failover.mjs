// A drill before open pages: the master of a cluster of three nodes is killed under writes while Home, the time line
// and the console are open, and comes back. Prints what each page showed, and when.
// Usage: node test/dashboard/failover.mjs
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';
import { noBrowser, openBrowser, openPage } from './browser.mjs';
import { startDashboard, waitForLevel } from './dashboard-process.mjs';

if (noBrowser !== null) {
  process.stderr.write(`${noBrowser}\n`);
  process.exit(1);
}

const LOOK_MS = 100;
const SECONDS_MAX = 90;
const seen = [];
let zeroAt = performance.now();
const note = (where, what) => {
  const at = ((performance.now() - zeroAt) / 1000).toFixed(1).padStart(6);
  seen.push(`${at} s  ${where}: ${what}`);
  process.stdout.write(`${seen.at(-1)}\n`);
};

/** Notes each change of a text until `state.isOver`. */
async function follow(state, where, read) {
  let last = null;
  while (!state.isOver) {
    const now = await read().catch(() => null);
    if (now !== null && now !== last) note(where, (last = now));
    await sleep(LOOK_MS);
  }
}

/** Writes documents one after another at any node that answers; counts those that were acknowledged. */
async function write(state, nodes) {
  let lost = 0;
  for (let i = 0; !state.isOver; i++) {
    const node = nodes[i % nodes.length];
    const answer = await call(node, 'PUT', `/logs/_doc/${i}`, { i }).catch(() => null);
    if (answer !== null && answer.status < 300) state.acknowledged.push(i);
    else lost++;
    await sleep(20);
  }
  note('writes', `${state.acknowledged.length} acknowledged, ${lost} refused or without an answer`);
}

const byRole = (page, role, name) => page.getByRole(role, { name, exact: typeof name === 'string' });
const textOf = (locator) => async () => ((await locator.count()) === 0 ? 'none' : await locator.first().innerText());
const alertOf = (page) => textOf(page.getByRole('alert'));

/** Sends one call after another from the console, as somebody who presses the keys again and again. */
async function runConsole(state, page) {
  while (!state.isOver) {
    await byRole(page, 'button', 'Run')
      .click()
      .catch(() => undefined);
    await sleep(500);
  }
}

async function openPages(browser, url) {
  const open = async (address) => (await openPage(browser, `${url}/app/${address}`)).page;
  const pages = { home: await open('home'), line: await open('cluster'), desk: await open('console') };
  await byRole(pages.line, 'tab', 'Time line').click();
  await pages.desk.locator('.cm-content').first().fill('GET logs/_count');
  await byRole(pages.home, 'region', 'Cluster health').getByText('green').waitFor();
  await byRole(pages.line, 'table', 'Readings, the newest first').waitFor();
  return pages;
}

function followPages(state, { home, line, desk }) {
  const changes = byRole(line, 'table', 'Changes of the last 15 minutes').locator('tbody tr');
  const newest = async () => (await changes.allInnerTexts()).slice(0, 6).join(' | ').replace(/\s+/g, ' ');
  const status = byRole(desk, 'status', 'Answer status');
  return [
    follow(state, 'Home, health', textOf(byRole(home, 'region', 'Cluster health').locator('.status'))),
    follow(state, 'Home, needs attention', async () =>
      (await byRole(home, 'region', 'What needs attention').locator('h3, section > p').allInnerTexts()).join(' | '),
    ),
    follow(state, 'Home, alert', alertOf(home)),
    follow(state, 'Time line', newest),
    follow(state, 'Time line, alert', alertOf(line)),
    follow(state, 'Console', async () => (await textOf(status)()).replace(/ · .*/, '')),
    follow(state, 'Console, alert', alertOf(desk)),
    runConsole(state, desk),
  ];
}

async function waitForHealth(node, wanted) {
  for (const end = performance.now() + SECONDS_MAX * 1000; performance.now() < end; await sleep(LOOK_MS)) {
    const answer = await call(node, 'GET', '/_cluster/health').catch(() => null);
    if (answer?.body?.status === wanted && answer.body.number_of_nodes >= (wanted === 'green' ? 3 : 2)) return;
  }
  throw new Error(`the cluster is not ${wanted} after ${SECONDS_MAX} s`);
}

const cluster = await startCluster({ count: 3 });
const browser = await openBrowser();
const hosts = JSON.stringify(cluster.nodes.map(({ url }) => url));
const dashboard = await startDashboard({ env: { ELASTICSEARCH_HOSTS: hosts } });
const state = { isOver: false, acknowledged: [] };
try {
  await waitForLevel(dashboard, 'available');
  await call(cluster.nodes[0], 'PUT', '/logs', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
  await waitForHealth(cluster.nodes[0], 'green');
  const pages = await openPages(browser, dashboard.url);
  const writing = write(state, cluster.nodes);
  const following = followPages(state, pages);
  await sleep(3_000);
  const { body: masters } = await call(cluster.nodes[0], 'GET', '/_cat/master?format=json');
  const at = Number(masters[0].node.slice(1)) - 1;
  zeroAt = performance.now();
  note('drill', `${masters[0].node}, the master, is killed`);
  await cluster.nodes[at].stop('SIGKILL');
  const other = cluster.nodes[(at + 1) % 3];
  await waitForHealth(other, 'yellow');
  note('drill', 'the other nodes say yellow');
  await sleep(10_000);
  note('drill', 'the node is started again');
  await cluster.restart(at);
  await waitForHealth(other, 'green');
  note('drill', 'the cluster is green');
  await sleep(5_000);
  state.isOver = true;
  await Promise.all([writing, ...following]);
  await call(other, 'POST', '/logs/_refresh');
  const { body: counted } = await call(other, 'GET', '/logs/_count');
  note('drill', `${counted.count} documents are there, ${state.acknowledged.length} were acknowledged`);
  if (counted.count < state.acknowledged.length) process.exitCode = 1;
} finally {
  state.isOver = true;
  await browser.close();
  await dashboard.stop();
  await cluster.stop('SIGKILL');
}
