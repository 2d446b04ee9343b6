// Dashboards in a browser, from a dashboard inside a node: panels of every kind, filters by clicks, keys, saving.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { accessibilityFaults, noBrowser, openPage, withBrowser } from './browser.mjs';
import { ask, startNodeWithDashboard } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
const MARKUP = '<b onclick=alert(1)>web</b>';
const START = Date.UTC(2024, 0, 1);
let node;
let url;
let browser;
let shown;

before(async () => {
  if (noBrowser !== null) return;
  let dashboard;
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard());
  ({ url } = dashboard);
  await call(node, 'PUT', '/web', {
    mappings: { properties: { host: { type: 'keyword' }, place: { type: 'geo_point' }, size: { type: 'long' } } },
  });
  const lines = Array.from({ length: 240 }, (_, i) => {
    const host = i % 3 === 0 ? MARKUP : `host-${i % 3}`;
    const at = new Date(START + i * 3_600_000).toISOString();
    const document = { '@timestamp': at, host, size: i, place: { lat: i % 60, lon: i % 90 } };
    return `{"index":{}}\n${JSON.stringify(document)}\n`;
  });
  await call(node, 'POST', '/web/_bulk?refresh=true', lines.join(''));
  shown = await openPage(browser, `${url}/app/dashboards`);
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

const byRole = (role, name) => shown.page.getByRole(role, { name, exact: true });
const isSound = async () => assert.deepEqual(await accessibilityFaults(shown.page), []);
const panel = (title) => byRole('region', title);
const state = () => new URL(shown.page.url()).searchParams;
const loaded = (title) => panel(title).and(shown.page.locator('[aria-busy=false]')).waitFor();

async function add(kind, title, choices) {
  await byRole('button', 'Add panel').click();
  const dialog = byRole('dialog', 'Add panel');
  await dialog.getByRole('radiogroup', { name: 'Kind' }).getByLabel(kind, { exact: true }).check();
  await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
  for (const [name, value] of Object.entries(choices)) {
    const role = name === 'Text' || name === 'Full at' ? 'textbox' : 'combobox';
    await dialog.getByRole(role, { name, exact: true }).fill(value);
  }
  await dialog.getByRole('button', { name: 'Add to dashboard' }).click();
  await panel(title).waitFor();
}

async function choose(title, item) {
  await byRole('button', `Options of ${title}`).click();
  await byRole('menuitem', item).click();
}

test('a dashboard begins empty, and panels of every kind are added', { skip }, async () => {
  await shown.page.getByText('No dashboard is saved yet.').waitFor();
  await isSound();
  await byRole('button', 'New dashboard').click();
  await byRole('heading', 'New dashboard').waitFor();
  await byRole('button', 'Add panel').click();
  await byRole('radiogroup', 'Kind').waitFor();
  await isSound();
  await byRole('radiogroup', 'Kind').getByLabel('Terms').check();
  await byRole('button', 'Add to dashboard').click();
  await byRole('alert', '').filter({ hasText: 'Choose a field.' }).waitFor();
  await byRole('button', 'Cancel').click();
  await add('Terms', 'Hosts', { Indices: 'web', Field: 'host' });
  await panel('Hosts').getByRole('row').filter({ hasText: MARKUP }).getByText('80').waitFor();
  await add('Date histogram', 'Requests', { 'Split by': 'host' });
  await add('Metric', 'Mean size', { Measure: 'Average of size' });
  await panel('Mean size').getByText('119.5', { exact: true }).waitFor();
  await add('Gauge', 'Fill', { Measure: 'Average of size', 'Full at': '239' });
  await panel('Fill').getByText('Average of size, of 239: 50 %', { exact: true }).waitFor();
  await add('Pie', 'Shares', { Field: 'host', Measure: 'Count' });
  await panel('Shares').getByRole('listitem').first().waitFor();
  const shares = await panel('Shares').getByRole('listitem').allInnerTexts();
  const percents = shares.map((text) => Number(/\(([\d.]+) %\)$/.exec(text)[1]));
  assert.equal(Math.round(percents.reduce((sum, percent) => sum + percent, 0)), 100);
  await add('Table', 'Sizes', { Field: 'host', Measure: 'Sum of size' });
  await add('Heat map', 'Heat', { Field: 'host' });
  await add('Map', 'Places', { Field: 'place' });
  await add('Text', 'Note', { Text: MARKUP });
  for (const title of ['Requests', 'Sizes', 'Heat', 'Places']) {
    await panel(title).scrollIntoViewIfNeeded();
    await loaded(title);
  }
  const sums = await panel('Sizes').getByRole('row').nth(1).getByRole('cell').allInnerTexts();
  const { body } = await call(node, 'POST', '/web/_search', {
    size: 0,
    query: { term: { host: 'host-2' } },
    aggs: { sum: { sum: { field: 'size' } } },
  });
  assert.deepEqual(sums.at(-1).replaceAll(',', ''), String(body.aggregations.sum.value));
  assert.equal(await panel('Note').locator('b').count(), 0);
  await isSound();
});

test('each panel is a table, a CSV and a request', { skip }, async () => {
  const { page } = shown;
  await choose('Requests', 'Show as table');
  await panel('Requests').getByRole('table').waitFor();
  await choose('Places', 'Show as table');
  await panel('Places').getByRole('rowheader').first().waitFor();
  await isSound();
  await choose('Requests', 'Show as picture');
  await byRole('button', 'Options of Hosts').click();
  const [file] = await Promise.all([page.waitForEvent('download'), byRole('menuitem', 'Download CSV').click()]);
  assert.equal(file.suggestedFilename(), 'Hosts.csv');
  await choose('Hosts', 'Show request');
  const text = await byRole('dialog', 'Request').getByLabel('Call').innerText();
  const [line, ...body] = text.split('\n');
  assert.equal(line, 'POST /web/_search');
  const answer = await call(node, 'POST', '/web/_search', JSON.parse(body.join('\n')));
  assert.equal(answer.body.aggregations.values.buckets[0].doc_count, 80);
  await isSound();
  await byRole('button', 'Close').click();
});

test('panels move by keys, and steps are taken back', { skip }, async () => {
  const { page } = shown;
  const titles = async () => (await page.locator('main section h2').allInnerTexts()).slice(0, 3);
  assert.deepEqual(await titles(), ['Hosts', 'Requests', 'Mean size']);
  await choose('Hosts', 'Move');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.deepEqual(await titles(), ['Requests', 'Mean size', 'Hosts']);
  await byRole('button', 'Undo').click();
  await page.keyboard.press('Control+z');
  assert.deepEqual(await titles(), ['Hosts', 'Requests', 'Mean size']);
  await choose('Hosts', 'Duplicate');
  await panel('Hosts (copy)').waitFor();
  await choose('Hosts (copy)', 'Delete');
  await panel('Hosts (copy)').waitFor({ state: 'detached' });
});

test('changes that are not saved are not left unasked', { skip }, async () => {
  const { page } = shown;
  const dialog = byRole('dialog', 'Leave without saving');
  await byRole('link', 'Settings').click();
  await dialog.waitFor();
  await isSound();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.goBack();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).pathname, '/app/dashboards/new');
  await panel('Hosts').waitFor();
});

test('a dashboard is saved under a title, and listed', { skip }, async () => {
  const { page } = shown;
  await byRole('button', 'Save').click();
  const dialog = byRole('dialog', 'Save dashboard');
  await isSound();
  await dialog.getByLabel('Title').fill('Web');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await byRole('heading', 'Web').waitFor();
  await byRole('button', 'Edit').waitFor();
  assert.equal(await page.title(), 'Web · Shoal');
  await byRole('link', 'Dashboards').first().click();
  await byRole('table', 'Dashboards').getByRole('link', { name: 'Web' }).waitFor();
  await isSound();
  await byRole('link', 'Web').click();
  await panel('Hosts').getByRole('button', { name: 'host-1' }).waitFor();
});

test('a click on a value filters all panels, and one range holds for all', { skip }, async () => {
  const { page } = shown;
  await panel('Hosts').getByRole('button', { name: 'host-2' }).click();
  await byRole('list', 'Filters').getByText('host: host-2').waitFor();
  assert.deepEqual(JSON.parse(state().get('f')), [{ field: 'host', op: 'is', value: 'host-2' }]);
  await panel('Mean size').getByText('120.5', { exact: true }).waitFor();
  await byRole('button', 'Remove filter host: host-2').click();
  await byRole('button', 'Time range: All time').click();
  await byRole('dialog', 'Time range').getByLabel('From').fill('2024-01-02T00:00Z');
  await byRole('dialog', 'Time range').getByLabel('To').fill('2024-01-02T23:59:59.999Z');
  await byRole('button', 'Apply').click();
  await panel('Mean size').getByText('35.5', { exact: true }).waitFor();
  await panel('Mean size').getByText('11.5 in the time before').waitFor();
  await byRole('textbox', 'Query').fill('host: (nothing');
  await byRole('button', 'Search').click();
  await panel('Hosts').getByText('Expected ")"').waitFor();
  await isSound();
  await page.goBack();
  await panel('Mean size').getByText('35.5', { exact: true }).waitFor();
});

test('what somebody else saved in the meantime is not overwritten unasked', { skip }, async () => {
  const { page } = shown;
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await byRole('button', 'Edit').click();
  await choose('Note', 'Delete');
  const theirs = await ask({ url }, 'PUT', `/api/saved_objects/dashboard/${id}`, {
    body: { attributes: { title: 'Theirs' } },
  });
  assert.equal(theirs.status, 200);
  await byRole('button', 'Save').click();
  const dialog = byRole('dialog', 'Save dashboard');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Somebody else saved this dashboard' }).waitFor();
  await isSound();
  await dialog.getByRole('button', { name: 'Replace theirs' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { json } = await ask({ url }, 'GET', `/api/saved_objects/dashboard/${id}`);
  assert.deepEqual([json.attributes.title, json.attributes.panels.length], ['Web', 8]);
});

test('a panel that fails tells why and leaves the others; a saved search is a panel', { skip }, async () => {
  await byRole('button', 'Edit').click();
  await choose('Hosts', 'Duplicate');
  await panel('Hosts (copy)').waitFor();
  await byRole('link', 'Dashboards').first().click();
  await byRole('dialog', 'Leave without saving').getByRole('button', { name: 'Leave' }).click();
  await byRole('link', 'Web').click();
  await panel('Hosts').waitFor();
  assert.equal(await panel('Hosts (copy)').count(), 0);
  const search = await ask({ url }, 'POST', '/api/saved_objects/search', {
    body: { attributes: { title: 'Large', index: 'web', query: 'size >= 230', language: 'kuery', columns: ['size'] } },
  });
  const base = { indices: 'web', field: '', split: '', measure: { op: 'count', field: '' }, search: '', text: '' };
  const panels = [
    { ...base, id: 'a', title: 'Broken', kind: 'terms', field: 'host', indices: 'gone' },
    { ...base, id: 'b', title: 'All', kind: 'metric' },
    { ...base, id: 'c', title: 'Large ones', kind: 'search', search: search.json.id },
  ];
  const made = await ask({ url }, 'POST', '/api/saved_objects/dashboard', {
    body: { attributes: { title: MARKUP, panels } },
  });
  await shown.page.goto(`${url}/app/dashboards/${made.json.id}`);
  await panel('Broken').getByRole('alert').filter({ hasText: 'no such index [gone]' }).waitFor();
  await panel('All').getByText('240', { exact: true }).waitFor();
  await panel('Large ones').getByText('10 documents').waitFor();
  await panel('Large ones').getByRole('gridcell', { name: '239' }).waitFor();
  await isSound();
  await shown.page.goto(`${url}/app/dashboards/nothing`);
  await shown.page.getByRole('alert').filter({ hasText: 'Saved object [dashboard/nothing] not found' }).waitFor();
  await isSound();
});

test('a dashboard is deleted once its title was typed; both themes and a narrow screen', { skip }, async () => {
  const { page, faults } = shown;
  await page.goto(`${url}/app/dashboards`);
  await byRole('button', `Delete ${MARKUP}`).click();
  const dialog = byRole('dialog', `Delete ${MARKUP}`);
  await dialog.getByLabel(`Type ${MARKUP} to confirm`).fill(MARKUP);
  await isSound();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await byRole('link', MARKUP).waitFor({ state: 'detached' });
  await byRole('link', 'Web').click();
  await panel('Hosts').getByRole('button', { name: 'host-1' }).waitFor();
  for (const colorScheme of ['dark', 'light'])
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await isSound();
    }
  assert.deepEqual(faults, []);
});
