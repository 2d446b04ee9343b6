// The page Cluster in a browser, from a dashboard inside a node.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { accessibilityFaults, noBrowser, openPage, withBrowser } from './browser.mjs';
import { startNodeWithDashboard } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
let node;
let url;
let browser;
let shown;

before(async () => {
  if (noBrowser !== null) return;
  let dashboard;
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard({ 'node.name': 'node-1' }));
  ({ url } = dashboard);
  await call(node, 'PUT', '/orders/_doc/1?refresh=true', { a: 1 });
  shown = await openPage(browser, `${url}/app/cluster`);
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

const byRole = (role, name) => shown.page.getByRole(role, { name, exact: true });
const isSound = async () => assert.deepEqual(await accessibilityFaults(shown.page), []);

test('nodes are those of _cat/nodes', { skip }, async () => {
  await byRole('table', 'Nodes').getByRole('rowheader', { name: 'node-1' }).waitFor();
  await isSound();
});

test('a node is drained, and has copies again, after the call was shown', { skip }, async () => {
  const excluded = async () => {
    const { body } = await call(node, 'GET', '/_cluster/settings?flat_settings=true');
    return body.persistent['cluster.routing.allocation.exclude._name'];
  };
  await byRole('button', 'Drain node-1').click();
  const dialog = byRole('dialog', 'Drain node-1');
  await dialog.getByRole('row').filter({ hasText: 'cluster.routing.allocation.exclude._name' }).waitFor();
  await isSound();
  await dialog.getByRole('button', { name: 'Run it' }).click();
  // Its only node keeps them: there is no other.
  await byRole('table', 'Nodes').getByText('draining, 1 left').waitFor();
  assert.equal(await excluded(), 'node-1');
  await byRole('button', 'Stop draining node-1').click();
  await byRole('dialog', 'Stop draining node-1').getByRole('button', { name: 'Run it' }).click();
  await byRole('button', 'Drain node-1').waitFor();
  assert.equal(await excluded(), undefined);
});

test('each copy is a button that tells why it has no node', { skip }, async () => {
  const { page } = shown;
  await byRole('tab', 'Nodes').focus();
  await page.keyboard.press('ArrowRight');
  await byRole('button', 'orders 0 primary started').waitFor();
  await isSound();
  await byRole('button', 'orders 0 replica unassigned').click();
  const dialog = byRole('dialog', 'orders 0 replica unassigned');
  await dialog.getByRole('button', { name: 'Why has it no node?' }).click();
  await dialog
    .getByText(/same_shard/)
    .first()
    .waitFor();
  await dialog.getByRole('region', 'What needs attention').getByRole('button', { name: 'Show the fix' }).waitFor();
  await isSound();
  await page.keyboard.press('Escape');
  await byRole('button', 'orders 0 primary started').click();
  await byRole('button', 'Why is it here?').click();
  await byRole('dialog', 'orders 0 primary started')
    .getByText(/rebalanc/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Filter indices').fill('nothing');
  await page.getByText('There are no shards.').waitFor();
});

test('the time line tells what changed within a second or two', { skip }, async () => {
  const { page } = shown;
  await byRole('tab', 'Time line').click();
  await byRole('table', 'Readings, the newest first').waitFor();
  await isSound();
  await call(node, 'PUT', '/orders/_settings', { 'index.number_of_replicas': 0 });
  await page.getByText('the status is green, was yellow').waitFor();
  await byRole('button', 'Cluster status: green').waitFor({ timeout: 500 });
  await page.getByText('0 copies have no node, had 1').waitFor();
});

test('tasks, allocation, pending tasks, hot threads and settings are shown', { skip }, async () => {
  await byRole('tab', 'Tasks').click();
  await byRole('table', 'Tasks').getByText('cluster:monitor/tasks/lists', { exact: true }).first().waitFor();
  await isSound();
  await byRole('tab', 'Allocation').click();
  await byRole('table', 'Allocation').waitFor();
  await byRole('tab', 'Pending tasks').click();
  await shown.page.getByText('There is nothing to show.').waitFor();
  await byRole('tab', 'Hot threads').click();
  await shown.page.getByLabel('Hot threads of the nodes').filter({ hasText: 'node-1' }).waitFor();
  await isSound();
  await byRole('tab', 'Settings').click();
  await byRole('table', 'Settings of the cluster').waitFor();
  await byRole('searchbox', 'Filter settings').fill('node_concurrent_recoveries');
  await byRole('button', 'Change cluster.routing.allocation.node_concurrent_recoveries').click();
  await byRole('textbox', 'Value').fill('3');
  await isSound();
  await byRole('button', 'Change').click();
  await byRole('table', 'Settings of the cluster').getByRole('cell', { name: 'persistent' }).waitFor();
});

test('both themes and a narrow screen, and no page broke its policy', { skip }, async () => {
  const { page, faults } = shown;
  await page.goto(`${url}/app/cluster?tab=shards`);
  await byRole('button', 'orders 0 primary started').waitFor();
  for (const colorScheme of ['dark', 'light'])
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await isSound();
    }
  assert.deepEqual(faults, []);
});
