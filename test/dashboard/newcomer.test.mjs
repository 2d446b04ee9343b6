// What somebody does in the first minutes, from an empty node with its dashboard: sample data, its dashboard, a search
// in Discover, and a yellow index mended on Home. The time of each step is told (`--test-reporter=spec`).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { noBrowser, openPage, withBrowser } from './browser.mjs';
import { startNodeWithDashboard } from './dashboard-process.mjs';

/* global document */
const skip = noBrowser ?? false;
let node;
let dashboard;
let browser;

before(async () => {
  if (noBrowser !== null) return;
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard());
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

test('from an empty node to a mended index, by clicks alone', { skip }, async (context) => {
  const { page } = await openPage(browser, dashboard.url);
  const byRole = (role, name) => page.getByRole(role, { name, exact: true });
  const steps = {
    'the first page': () => byRole('heading', 'Home').waitFor(),
    'sample data': async () => {
      await byRole('link', 'Add data').click();
      await byRole('button', 'Load Orders').click();
      await byRole('button', 'Remove Orders').waitFor();
    },
    'its dashboard': async () => {
      await byRole('region', 'Orders').getByRole('link', { name: 'Open the dashboard' }).click();
      await page.getByRole('heading', { name: 'Orders', exact: true, level: 1 }).waitFor();
      const panels = page.locator('[aria-busy=false]');
      await panels.first().waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
      assert.ok((await panels.count()) > 1);
      assert.equal(await page.getByRole('alert').count(), 0);
    },
    'a search in Discover': async () => {
      await byRole('link', 'Discover').click();
      await byRole('combobox', 'Indices').fill('sample-orders');
      await page.keyboard.press('Enter');
      await byRole('status', 'Matches').getByText('4,700 documents', { exact: true }).waitFor();
      await byRole('grid', 'Documents').getByRole('row').nth(1).waitFor();
    },
    'an index that is yellow, mended on Home': async () => {
      await call(node, 'PUT', '/sample-orders/_settings', { index: { number_of_replicas: 1 } });
      await byRole('link', 'Home').click();
      const cause = page.getByRole('article').filter({ hasText: 'index sample-orders, shard 0 (replica)' });
      await cause.getByRole('button', { name: 'Show the fix' }).click();
      await byRole('dialog', 'Show the fix').getByRole('button', { name: 'Run it' }).click();
      await byRole('region', 'Cluster health').getByText('green').waitFor();
    },
  };
  for (const [name, step] of Object.entries(steps)) {
    const from = performance.now();
    await step();
    context.diagnostic(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
  }
});
