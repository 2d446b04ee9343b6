// The first minutes in a browser: "Not ready yet", the set-up form, the login, Home, a yellow cluster mended from it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';
import { accessibilityFaults, noBrowser, openPage, withBrowser } from './browser.mjs';
import { checkTree } from './golden.mjs';
import { startDashboard, stopDashboards, waitForLevel } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
let node;
let dashboard;
let browser;
let shown;

before(async () => {
  if (noBrowser !== null) return;
  [node, browser] = await withBrowser(
    startNode({
      env: { ELASTIC_PASSWORD: 'first-secret' },
      settings: { 'xpack.security.enabled': true, 'discovery.type': 'single-node' },
      auth: 'elastic:first-secret',
    }),
  );
  dashboard = await startDashboard({
    settings: {
      'elasticsearch.hosts': node.url,
      'elasticsearch.username': 'kibana_system',
      'elasticsearch.password': 'kibana-secret',
    },
  });
  await waitForLevel(dashboard, 'critical');
});
after(async () => {
  await browser?.close();
  await stopDashboards();
  await node?.stop();
});

const byRole = (role, name) => shown.page.getByRole(role, { name, exact: true });
const isSound = async (page) => assert.deepEqual(await accessibilityFaults(page), []);

test('"Not ready yet" offers the call and a form, and leads on by itself', { skip }, async () => {
  shown = await openPage(browser, `${dashboard.url}/app/home`);
  await byRole('heading', 'Not ready yet').waitFor();
  await shown.page.getByText('POST /_security/user/kibana_system/_password').waitFor();
  await isSound(shown.page);
  await byRole('textbox', 'Username').fill('elastic');
  await shown.page.getByLabel('Password').fill('wrong-one');
  await byRole('button', 'Set the password of kibana_system').click();
  await shown.page.getByText('Username or password is wrong.').waitFor();
  await shown.page.getByLabel('Password').fill('first-secret');
  await byRole('button', 'Set the password of kibana_system').click();
  await byRole('heading', 'Log in to Shoal').waitFor();
});

test('a login by keyboard alone leads to the page that was asked for', { skip }, async () => {
  const { page } = shown;
  await isSound(page);
  await byRole('textbox', 'Username').focus();
  await page.keyboard.type('elastic');
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong-one');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Username or password is wrong.' }).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('first-secret');
  await page.keyboard.press('Enter');
  await byRole('heading', 'Home').waitFor();
  assert.equal(await page.title(), 'Home · Shoal');
  assert.equal(await byRole('link', 'Home').getAttribute('aria-current'), 'page');
});

test('Home shows the numbers of the cluster, and mends a yellow index after showing the call', { skip }, async () => {
  const { page } = shown;
  await call(node, 'PUT', '/logs', { settings: { number_of_replicas: 1 } });
  for (let i = 0; i < 3; i++) await call(node, 'PUT', `/logs/_doc/${i}?refresh=true`, { n: i });
  const region = byRole('region', 'Cluster health');
  await region.getByText('yellow').waitFor();
  const { body: stats } = await call(node, 'GET', '/_cluster/stats');
  // The page shows the last reading, which may be from before the last document.
  await region.getByRole('definition').getByText(String(stats.indices.docs.count), { exact: true }).waitFor();
  const facts = await region.locator('dl > div').allInnerTexts();
  assert.deepEqual(
    facts.map((text) => text.split('\n').filter((line) => line !== '')),
    [
      ['Nodes', '1'],
      ['Indices', String(stats.indices.count)],
      ['Documents', String(stats.indices.docs.count)],
      ['Shards', `${stats.indices.shards.total}, 1 without a node`],
    ],
  );
  const cause = page.getByRole('article').filter({ hasText: 'index logs, shard 0 (replica)' });
  await cause.waitFor();
  await isSound(page);
  await cause.getByRole('button', { name: 'Show the fix' }).click();
  const dialog = byRole('dialog', 'Show the fix');
  await dialog.getByText('PUT /logs/_settings').waitFor();
  const row = dialog.getByRole('row').filter({ hasText: 'index.number_of_replicas' });
  await row.waitFor();
  assert.deepEqual(await row.locator('td').allInnerTexts(), ['1', '0']);
  await isSound(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(
    (await call(node, 'GET', '/_cluster/health')).body.status,
    'yellow',
    'nothing ran before it was told to',
  );
  await cause.getByRole('button', { name: 'Show the fix' }).click();
  await dialog.getByRole('button', { name: 'Run it' }).click();
  await region.getByText('green').waitFor();
  await byRole('region', 'What needs attention').getByText('Nothing.').waitFor();
  assert.equal((await call(node, 'GET', '/_cluster/health')).body.status, 'green');
});

test('what a screen reader is told of Home is that of the golden file', { skip }, async () => {
  await checkTree(shown.page, 'home', [/(Cluster status: ).*/, /(status "Messages").*/, /(figure ).*/, /()\d[\d.,]*/g]);
});

test('the chart is also a table', { skip }, async () => {
  await byRole('button', 'Show as table').click();
  assert.equal(await byRole('region', 'Ingest and search').getByRole('row').count(), 31);
  await isSound(shown.page);
});

test('Go to, the list of keys and the account menu work by keyboard', { skip }, async () => {
  const { page } = shown;
  await page.keyboard.press('Control+K');
  await byRole('dialog', 'Go to').waitFor();
  await isSound(page);
  await page.keyboard.type('hom');
  await byRole('option', 'Home').waitFor();
  await page.keyboard.press('Escape');
  await byRole('dialog', 'Go to').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await byRole('dialog', 'Keyboard shortcuts').waitFor();
  await isSound(page);
  await page.keyboard.press('Escape');
  await byRole('button', 'Account: elastic').focus();
  await page.keyboard.press('Enter');
  await byRole('menu', 'Account: elastic').waitFor();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Keyboard shortcuts');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Account: elastic');
});

test('the first tab stop skips to the content, and unknown addresses say so', { skip }, async () => {
  const { page } = shown;
  await page.goto(`${dashboard.url}/app/nothing`);
  await byRole('heading', 'Page not found').waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await isSound(page);
});

test('a chosen theme stays', { skip }, async () => {
  const { page } = shown;
  await byRole('link', 'Settings').click();
  await byRole('heading', 'Settings').waitFor();
  await isSound(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await byRole('radio', 'Dark').check();
  assert.notEqual(await ground(), light);
  await page.reload();
  await byRole('heading', 'Settings').waitFor();
  assert.notEqual(await ground(), light);
  await byRole('radio', 'System').check();
  assert.equal(await ground(), light);
});

test('both themes, a narrow screen and a session that ends keep the page usable', { skip }, async () => {
  const { page } = shown;
  await page.goto(`${dashboard.url}/app/home`);
  await byRole('region', 'Cluster health').getByText('green').waitFor();
  for (const colorScheme of ['dark', 'light'])
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await isSound(page);
    }
  await page.context().clearCookies();
  const dialog = byRole('dialog', 'Your session has ended');
  await dialog.waitFor();
  await isSound(page);
  await dialog.getByLabel('Password').fill('first-secret');
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a cluster that answers, but not what needs attention, is told in its own words', { skip }, async () => {
  const { page } = shown;
  const region = byRole('region', 'What needs attention');
  const reason = 'no master <b>is known</b> for [_why]';
  const body = JSON.stringify({
    error: { root_cause: [], type: 'master_not_discovered_exception', reason },
    status: 503,
  });
  const refused = (route) => route.fulfill({ status: 503, contentType: 'application/json', body });
  await page.route(/\/api\/console\/proxy\?path=%2F_why/, refused);
  await page.reload();
  await region.getByRole('alert').getByText(`${reason} (master_not_discovered_exception, 503)`).waitFor();
  await byRole('button', 'Cluster status: green').waitFor();
  assert.equal(await page.getByRole('alert').filter({ hasText: 'The cluster does not answer' }).count(), 0);
  await isSound(page);
  await page.unrouteAll({ behavior: 'wait' });
  await region.getByRole('button', { name: 'Try again' }).click();
  await region.getByText('Nothing.').waitFor();
  assert.equal(await region.getByRole('alert').count(), 0);
});

test('one ping without an answer is not told, two in a row are', { skip }, async () => {
  const { page } = shown;
  const away = page.getByRole('alert').filter({ hasText: 'The cluster does not answer' });
  const missed = (route) => route.fulfill({ status: 502, body: 'bad gateway' });
  const answered = (status) =>
    page.waitForResponse((answer) => answer.url().endsWith('/api/ping') && answer.status() === status);
  // A page that is seen again asks at once.
  const lookAgain = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  let pings = 0;
  await page.route(/\/api\/ping/, (route) => (pings++ === 0 ? missed(route) : route.continue()));
  await Promise.all([answered(502), lookAgain()]);
  await answered(200);
  await byRole('button', 'Cluster status: green').waitFor();
  assert.equal(await away.count(), 0);
  await page.unrouteAll({ behavior: 'wait' });
  await page.route(/\/api\/ping/, missed);
  await lookAgain();
  await away.waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await lookAgain();
  await away.waitFor({ state: 'detached' });
});

test('a cluster that goes away is told over the page, and the page goes on when it is back', { skip }, async () => {
  const { page } = shown;
  await byRole('region', 'Cluster health').getByText('green').waitFor();
  await node.stop();
  await page.getByRole('alert').filter({ hasText: 'The cluster does not answer' }).waitFor();
  await byRole('button', 'Cluster status: unreachable').waitFor();
  await isSound(page);
  node = await startNode({
    data: node.data,
    env: { ELASTIC_PASSWORD: 'first-secret' },
    settings: { 'http.port': node.port, 'xpack.security.enabled': true, 'discovery.type': 'single-node' },
    auth: 'elastic:first-secret',
  });
  await byRole('button', 'Cluster status: green').waitFor();
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
});

test('logging out says so, and no page broke its policy or asked elsewhere', { skip }, async () => {
  const { page, faults } = shown;
  await byRole('button', 'Account: elastic').click();
  await byRole('menuitem', 'Log out').click();
  await page.getByText('You have logged out.').waitFor();
  assert.deepEqual(faults, []);
});
