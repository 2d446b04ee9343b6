// Indices in a browser, from a dashboard inside a node: list, create, actions, delete, and the parts of one index.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { accessibilityFaults, noBrowser, openPage, withBrowser } from './browser.mjs';
import { startNodeWithDashboard } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
const MARKUP = '<img src=x onerror=alert(1)>';
let node;
let url;
let browser;
let shown;

before(async () => {
  if (noBrowser !== null) return;
  let dashboard;
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard());
  ({ url } = dashboard);
  const source = `{"n":9007199254740993,"k":1.10,"z":4.0,"t":${JSON.stringify(MARKUP)}}`;
  await call(node, 'PUT', '/orders/_doc/1?refresh=true', source);
  await call(node, 'PUT', '/.hidden-one', { settings: { 'index.hidden': true } });
  shown = await openPage(browser, `${url}/app/indices`);
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

const byRole = (role, name) => shown.page.getByRole(role, { name, exact: true });
const isSound = async () => assert.deepEqual(await accessibilityFaults(shown.page), []);
const raw = async (path) => {
  const answer = await fetch(node.url + path);
  return { status: answer.status, text: await answer.text() };
};
const rowOf = (index) => byRole('table', 'Indices').getByRole('row').filter({ hasText: index });

test('the list has the numbers of _cat/indices, and hides hidden indices', { skip }, async () => {
  await rowOf('orders').waitFor();
  const { body } = await call(node, 'GET', '/_cat/indices/orders?format=json');
  const cells = await rowOf('orders').getByRole('cell').allInnerTexts();
  assert.deepEqual([cells[1], cells[2], cells[4], cells[5]], ['yellow', body[0]['docs.count'], '1', '1']);
  assert.equal(await rowOf('.hidden-one').count(), 0);
  await byRole('checkbox', 'Show hidden').check();
  await rowOf('.hidden-one').waitFor();
  assert.match(shown.page.url(), /hidden=true/);
  await isSound();
});

test('an index is created, and a refused one keeps what was typed', { skip }, async () => {
  await byRole('button', 'Create index').click();
  const dialog = byRole('dialog', 'Create index');
  await dialog.getByLabel('Name').fill('Bad Name');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'invalid_index_name_exception' }).waitFor();
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Bad Name');
  await isSound();
  await dialog.getByLabel('Name').fill('fresh');
  await dialog.getByLabel('Replicas').fill('0');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await rowOf('fresh').waitFor();
  const { body } = await call(node, 'GET', '/fresh/_settings');
  assert.equal(body.fresh.settings.index.number_of_replicas, '0');
});

test('the actions of an index work by keyboard', { skip }, async () => {
  const { page } = shown;
  await byRole('button', 'Actions for fresh').focus();
  await page.keyboard.press('Enter');
  await byRole('menuitem', 'Refresh').waitFor();
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), 'Search in Discover');
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'Close');
  await page.keyboard.press('Enter');
  await rowOf('fresh').getByText('closed').waitFor();
  await byRole('button', 'Actions for fresh').click();
  await isSound();
  await byRole('menuitem', 'Open').click();
  await rowOf('fresh').getByText('green').waitFor();
});

test('deleting shows the call and takes the name typed', { skip }, async () => {
  await byRole('button', 'Actions for fresh').click();
  await byRole('menuitem', 'Delete').click();
  const dialog = byRole('dialog', 'Delete fresh');
  await dialog.getByText('DELETE /fresh').waitFor();
  await isSound();
  assert.ok(await dialog.getByRole('button', { name: 'Delete' }).isDisabled());
  await dialog.getByLabel('Type fresh to confirm').fill('fresh');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await rowOf('fresh').waitFor({ state: 'detached' });
  assert.equal((await call(node, 'HEAD', '/fresh')).status, 404);
});

test('many indices are acted on at once', { skip }, async () => {
  for (const name of ['many-a', 'many-b']) await call(node, 'PUT', `/${name}`);
  await shown.page.goto(`${url}/app/indices?q=many`);
  await byRole('checkbox', 'Choose many-a').check();
  await byRole('status', 'Chosen').filter({ hasText: '1 index chosen' }).waitFor();
  await byRole('checkbox', 'Choose all listed').check();
  await byRole('status', 'Chosen').filter({ hasText: '2 indices chosen' }).waitFor();
  await byRole('button', 'Actions for those chosen').click();
  await isSound();
  await byRole('menuitem', 'Close').click();
  for (const name of ['many-a', 'many-b']) await rowOf(name).getByText('closed').waitFor();
  await byRole('button', 'Actions for those chosen').click();
  await byRole('menuitem', 'Delete').click();
  const dialog = byRole('dialog', 'Delete 2 indices');
  await dialog.getByText('DELETE /many-a,many-b').waitFor();
  await dialog.getByLabel('Type 2 indices to confirm').fill('2 indices');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await rowOf('many-a').waitFor({ state: 'detached' });
  assert.equal((await call(node, 'HEAD', '/many-b')).status, 404);
  await byRole('searchbox', 'Filter indices').fill('');
});

test('an index says what keeps it from green, with the call that mends it', { skip }, async () => {
  await call(node, 'PUT', '/lonely', { settings: { number_of_replicas: 1 } });
  await shown.page.goto(`${url}/app/indices/lonely`);
  const causes = byRole('region', 'What needs attention');
  await causes.getByRole('button', { name: 'Show the fix' }).click();
  await byRole('dialog', 'Show the fix').getByText('PUT /lonely/_settings').waitFor();
  await isSound();
  await byRole('dialog', 'Show the fix').getByRole('button', { name: 'Run it' }).click();
  await causes.getByText('Nothing.').waitFor();
});

test('settings that can change now are changed after the call was shown', { skip }, async () => {
  await shown.page.goto(`${url}/app/indices/lonely?tab=settings`);
  await byRole('checkbox', 'Only those that can change now').check();
  await byRole('searchbox', 'Filter settings').fill('index.refresh');
  assert.equal(await byRole('table', 'Settings of the index').getByRole('row').count(), 2);
  await byRole('button', 'Change index.refresh_interval').click();
  const dialog = byRole('dialog', 'Change index.refresh_interval');
  await dialog.getByText('Default: 1s.').waitFor();
  await dialog.getByLabel('Value').fill('soon');
  await dialog.getByRole('button', { name: 'Change' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'index.refresh_interval' }).waitFor();
  await isSound();
  await dialog.getByLabel('Value').fill('30s');
  assert.match(await dialog.getByLabel('Call').innerText(), /^PUT \/lonely\/_settings\n[^]*"30s"/);
  await dialog.getByRole('button', { name: 'Change' }).click();
  await byRole('table', 'Settings of the index').getByRole('cell', { name: '30s', exact: true }).waitFor();
  const { body } = await call(node, 'GET', '/lonely/_settings');
  assert.equal(body.lonely.settings.index.refresh_interval, '30s');
  await call(node, 'DELETE', '/lonely');
  await shown.page.goto(`${url}/app/indices`);
});

test('documents are shown exactly as they are stored, and markup is text', { skip }, async () => {
  await byRole('link', 'orders').click();
  await byRole('heading', 'orders').waitFor();
  await byRole('tab', 'Overview').focus();
  await shown.page.keyboard.press('ArrowRight');
  const documents = shown.page.getByLabel('Documents as stored');
  await documents.waitFor();
  const text = await documents.innerText();
  for (const exact of ['9007199254740993', '1.10', '4.0', MARKUP]) assert.ok(text.includes(exact), exact);
  assert.equal(await shown.page.locator('main img').count(), 0);
  await isSound();
});

test('fields are listed and added, and the address keeps the tab', { skip }, async () => {
  const { page } = shown;
  await byRole('tab', 'Mapping').click();
  await byRole('button', 'Add field').click();
  const dialog = byRole('dialog', 'Add field');
  await dialog.getByLabel('Name').fill('n');
  await byRole('status', 'What changes').filter({ hasText: 'n is long: its type stays' }).waitFor();
  await dialog.getByLabel('Name').fill('user.name');
  await byRole('status', 'What changes').filter({ hasText: 'user.name is added as keyword. user above' }).waitFor();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await byRole('rowheader', 'user.name').waitFor();
  await isSound();
  await page.reload();
  await byRole('rowheader', 'user.name').waitFor();
  for (const tab of ['Settings', 'Shards']) {
    await byRole('tab', tab).click();
    await byRole('table', tab === 'Shards' ? 'Copies of shards' : 'Settings of the index').waitFor();
    await isSound();
  }
});

test('templates, streams and policies are written, and tell how data age', { skip }, async () => {
  const { page } = shown;
  const tab = (name) => byRole('tab', name).click();
  const create = async (one, name, definition) => {
    await byRole('button', `Create ${one}`).click();
    const dialog = byRole('dialog', `Create ${one}`);
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    if (definition !== undefined) await dialog.getByLabel('Definition').fill(definition);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    await byRole('rowheader', name).waitFor();
  };
  await page.goto(`${url}/app/indices`);
  await tab('Component templates');
  await create('component template', 'times');
  await tab('Lifecycle policies');
  await create('lifecycle policy', 'age');
  await byRole('table', 'Lifecycle policies').getByText('hot, delete after 90d').waitFor();
  await byRole('button', 'Stop lifecycle management').click();
  await byRole('button', 'Start lifecycle management').click();
  await byRole('status', 'Lifecycle management state').filter({ hasText: 'running' }).waitFor();
  await isSound();
  await tab('Templates');
  const template = '{"index_patterns":["app"],"composed_of":["times"],"data_stream":{},"_meta":{"n":9007199254740993}}';
  await create('template', 'app', template);
  const { text } = await raw('/_index_template/app');
  assert.match(text, /9007199254740993/);
  await byRole('button', 'Simulate app').click();
  await byRole('button', 'Run it').click();
  await page.getByLabel('Settings, mappings and aliases').filter({ hasText: '@timestamp' }).waitFor();
  await isSound();
  await page.keyboard.press('Escape');
  await call(node, 'POST', '/app/_doc?refresh=true', { '@timestamp': '2024-01-01' });
  await tab('Data streams');
  await byRole('button', 'Actions for app').click();
  await byRole('menuitem', 'Change retention').click();
  await byRole('dialog', 'Retention of app').getByLabel('Keep data for').fill('7d');
  await byRole('dialog', 'Retention of app').getByRole('button', { name: 'Save' }).click();
  await byRole('table', 'Data streams').getByRole('cell', { name: '7d' }).waitFor();
  await byRole('button', 'Actions for app').click();
  await byRole('menuitem', 'Roll over').click();
  await byRole('status', 'Messages').filter({ hasText: 'app writes to .ds-app-' }).waitFor();
  await byRole('table', 'Data streams').getByRole('cell', { name: '2', exact: true }).waitFor();
  await isSound();
  await tab('Aliases');
  await page.getByText('There are no aliases yet').waitFor();
  await page.goto(`${url}/app/indices/orders?tab=lifecycle`);
  await page.getByText('No lifecycle policy manages it.').waitFor();
  await page.getByText('No lifecycle of a data stream manages it.').waitFor();
  await isSound();
});

test('aliases are made, changed and taken away by the call that is shown', { skip }, async () => {
  const { page } = shown;
  await call(node, 'PUT', '/orders-2');
  await page.goto(`${url}/app/indices?tab=aliases`);
  await byRole('button', 'Create alias').click();
  const create = byRole('dialog', 'Create alias');
  await create.getByRole('button', { name: 'Create' }).click();
  await create.getByRole('alert').filter({ hasText: 'Name the alias and at least one index.' }).waitFor();
  await create.getByLabel('Name').fill('current');
  await create.getByRole('combobox', { name: 'Indices' }).fill('orders');
  await page.keyboard.press('Enter');
  await create.getByLabel('Filter, a query as JSON').fill('{"term":{"n":9007199254740993}}');
  await create.getByLabel('Documents for the alias are written here').check();
  assert.match(await create.getByLabel('Call').innerText(), /^POST \/_aliases\n[^]*9007199254740993/);
  await isSound();
  await create.getByRole('button', { name: 'Create' }).click();
  await byRole('table', 'Aliases').getByRole('cell', { name: 'here' }).waitFor();
  assert.match((await raw('/_alias/current')).text, /9007199254740993/);
  // The alias writes to one index at a time: that of before is told in the same call.
  await call(node, 'POST', '/_aliases', { actions: [{ add: { index: 'orders-2', alias: 'current' } }] });
  await page.reload();
  await byRole('button', 'Edit current of orders-2').click();
  const edit = byRole('dialog', 'Edit current of orders-2');
  await edit.getByLabel('Documents for the alias are written here').check();
  await edit.getByLabel('Routing of documents').fill('a,b');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByRole('alert').filter({ hasText: 'several index routing values' }).waitFor();
  await edit.getByLabel('Routing of documents').fill('');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  const { body } = await call(node, 'GET', '/_alias/current');
  const writes = ['orders', 'orders-2'].map((index) => body[index].aliases.current.is_write_index);
  assert.deepEqual(writes, [false, true]);
  assert.match((await raw('/orders/_alias')).text, /9007199254740993/);
  await byRole('button', 'Delete current of orders').click();
  const remove = byRole('dialog', 'Delete current');
  await remove.getByText('POST /_aliases').waitFor();
  await isSound();
  await remove.getByLabel('Type current to confirm').fill('current');
  await remove.getByRole('button', { name: 'Delete' }).click();
  await byRole('button', 'Delete current of orders').waitFor({ state: 'detached' });
  assert.deepEqual(Object.keys((await call(node, 'GET', '/_alias/current')).body), ['orders-2']);
  await call(node, 'DELETE', '/orders-2');
});

test('an index that is not there says so in the cluster’s words', { skip }, async () => {
  await shown.page.goto(`${url}/app/indices/nothing`);
  await shown.page.getByRole('alert').filter({ hasText: 'no such index [nothing]' }).waitFor();
  await byRole('button', 'Show request').click();
  await shown.page.getByText('GET /_cat/indices/nothing').waitFor();
  await isSound();
});

test('both themes and a narrow screen, and no page broke its policy', { skip }, async () => {
  const { page, faults } = shown;
  await page.goto(`${url}/app/indices`);
  await rowOf('orders').waitFor();
  for (const colorScheme of ['dark', 'light'])
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await isSound();
    }
  assert.deepEqual(faults, []);
});
