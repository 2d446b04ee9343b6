// Add data in a browser, from a dashboard inside a node: sample data, and files of several kinds.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { accessibilityFaults, downloadedFile, noBrowser, openPage, withBrowser } from './browser.mjs';
import { ask, startNodeWithDashboard } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
let node;
let dashboard;
let browser;
let shown;

before(async () => {
  if (noBrowser !== null) return;
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard());
  shown = await openPage(browser, `${dashboard.url}/app/data`);
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

const byRole = (role, name) => shown.page.getByRole(role, { name, exact: true });
const isSound = async () => assert.deepEqual(await accessibilityFaults(shown.page), []);
const countOf = async (index) => (await call(node, 'GET', `/${index}/_count`)).body.count;
const choose = (name, text) =>
  shown.page
    .getByLabel('CSV, TSV or NDJSON file')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const result = (text) => byRole('status', 'Import result').filter({ hasText: text }).waitFor();

test('sample data is loaded with its dashboard, and removed', { skip }, async () => {
  await byRole('button', 'Load Orders').waitFor();
  await isSound();
  await byRole('button', 'Load Orders').click();
  await byRole('button', 'Remove Orders').waitFor();
  await byRole('region', 'Orders').getByRole('link', { name: 'Open the dashboard' }).waitFor();
  assert.equal(await countOf('sample-orders'), 4_700);
  const saved = () => ask(dashboard, 'GET', '/api/saved_objects/dashboard/sample-orders');
  assert.equal((await saved()).json.attributes.title, 'Orders');
  await isSound();
  await byRole('button', 'Remove Orders').click();
  await byRole('button', 'Load Orders').waitFor();
  assert.deepEqual([(await call(node, 'HEAD', '/sample-orders')).status, (await saved()).status], [404, 404]);
});

test('a CSV file is previewed, its types are changed, and it is imported with its digits', { skip }, async () => {
  await byRole('tab', 'Upload a file').click();
  await choose(
    'My orders.csv',
    'id,when,note,code\n9007199254740993,2024-01-02,"a, ""b""\nc",007\n2,2024-01-03,<b>x</b>,8\n',
  );
  await byRole('table', 'Preview').getByRole('cell', { name: '9007199254740993' }).waitFor();
  const type = (name) => byRole('combobox', `Type of ${name}`);
  assert.deepEqual(await Promise.all(['id', 'when', 'note', 'code'].map((name) => type(name).inputValue())), [
    'long',
    'date',
    'keyword',
    'keyword',
  ]);
  await type('note').selectOption('text');
  assert.equal(await shown.page.getByLabel('Index name').inputValue(), 'my-orders');
  await isSound();
  await byRole('button', 'Import').click();
  await result('2 documents imported, 0 rejected');
  const { body } = await call(node, 'GET', '/my-orders/_mapping');
  assert.deepEqual(body['my-orders'].mappings.properties.note, { type: 'text' });
  const answer = await fetch(`${node.url}/my-orders/_search?q=code:007`);
  const text = await answer.text();
  assert.ok(text.includes('{"id":9007199254740993,"when":"2024-01-02","note":"a, \\"b\\"\\nc","code":"007"}'), text);
});

test('rows that the cluster rejects are counted and saved; a name that is taken is told', { skip }, async () => {
  const rows = Array.from({ length: 1_200 }, (_, i) => `{"n":${i === 1_100 ? '"no number"' : i}}`);
  await choose('lines.ndjson', `${rows.join('\n')}\n`);
  await byRole('button', 'Import').click();
  await result('1,199 documents imported, 1 rejected');
  const download = shown.page.waitForEvent('download');
  await byRole('button', 'Save rejected rows').click();
  assert.match(fs.readFileSync(await downloadedFile(download), 'utf8'), /"document":\{"n":"no number"\}/);
  assert.equal(await countOf('lines'), 1_199);
  await byRole('button', 'Import').click();
  await shown.page.getByRole('alert').filter({ hasText: 'resource_already_exists_exception' }).waitFor();
  await isSound();
});

test('files that are none of these say so', { skip }, async () => {
  for (const [text, sentence] of [
    ['', 'The file is empty.'],
    ['a\0b', 'The file is no text'],
    ['one line alone', 'no rows below its first line'],
    ['{"a":1}\n{"a":\n{"a":2}\n', 'Line 2 is no JSON'],
  ]) {
    await choose('bad.csv', text);
    await shown.page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  }
  await isSound();
});

test('saved objects are exported, and what is not imported is named', { skip }, async () => {
  const { page } = shown;
  const objects = '/api/saved_objects/dashboard/d';
  await ask(dashboard, 'POST', objects, { body: { attributes: { title: 'Kept' } } });
  await page.goto(`${dashboard.url}/app/settings`);
  const download = page.waitForEvent('download');
  await byRole('button', 'Export saved objects').click();
  const file = await downloadedFile(download);
  assert.match(fs.readFileSync(file, 'utf8'), /"title":"Kept"[\s\S]*"exportedCount":1/);
  const lens = '{"type":"lens","id":"l","attributes":{"title":"A lens"}}\n';
  const importOf = async (text) => {
    const content = { name: 'all.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) };
    await page.getByLabel('Saved objects file').setInputFiles(content);
    await byRole('button', 'Import').click();
  };
  await importOf(fs.readFileSync(file, 'utf8') + lens);
  await result('0 objects imported');
  const why = byRole('table', 'Not imported').getByRole('row');
  assert.match((await why.allInnerTexts()).join(), /Kept[\s\S]*there already[\s\S]*A lens|A lens[\s\S]*Kept/);
  await isSound();
  await ask(dashboard, 'DELETE', objects);
  await importOf(fs.readFileSync(file, 'utf8'));
  await result('1 object imported');
  await page.goto(`${dashboard.url}/app/data?tab=upload`);
});

test('both themes and a narrow screen, and no page broke its policy', { skip }, async () => {
  const { page, faults } = shown;
  await choose('small.tsv', 'a\tb\n1\tx\n');
  await byRole('table', 'Fields found').waitFor();
  for (const colorScheme of ['dark', 'light'])
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await isSound();
    }
  assert.deepEqual(faults, []);
});
