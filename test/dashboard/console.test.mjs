// The console in a browser, from a dashboard inside a node: requests, completion, marks, files, history, variables.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { accessibilityFaults, downloadedFile, noBrowser, openPage, withBrowser } from './browser.mjs';
import { ask, startNodeWithDashboard } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
const EXACT = '{"n":9007199254740993,"k":"9800125870205439","d":1.10,"z":4.0,"t":"<img src=x onerror=alert(1)>"}';
let node;
let dashboard;
let browser;
let shown;

before(async () => {
  if (noBrowser !== null) return;
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard());
  await call(node, 'PUT', '/numbers/_doc/1?refresh=true', EXACT);
  await call(node, 'PUT', '/words', {
    mappings: { properties: { level: { type: 'keyword' }, text: { type: 'text' } } },
  });
  await call(node, 'PUT', '/words/_doc/1?refresh=true', { level: 'error', text: 'a b' });
  shown = await openPage(browser, `${dashboard.url}/app/console`);
  await shown.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

const byRole = (role, name) => shown.page.getByRole(role, { name, exact: true });
const isSound = async () => assert.deepEqual(await accessibilityFaults(shown.page), []);
const editor = () => byRole('textbox', 'Request editor');
const answer = () => byRole('textbox', 'Answer');
const status = (text) => byRole('status', 'Answer status').filter({ hasText: text }).waitFor();
const problems = (text) => byRole('status', 'Problems').filter({ hasText: text }).waitFor();

async function write(text) {
  await editor().fill(text);
  await shown.page.keyboard.press('Escape');
}

async function run(text, wanted) {
  await write(text);
  await shown.page.keyboard.press('Control+Enter');
  await status(wanted);
  return answer().innerText();
}

test('a request runs by keyboard, and the answer has the digits of the document', { skip }, async () => {
  await byRole('heading', 'Console').waitFor();
  const text = await run('GET numbers/_source/1', /^200 OK · [\d,]+ ms · [\d.]+ K?B$/);
  for (const exact of ['9007199254740993', '9800125870205439', '1.10', '4.0', '<img src=x'])
    assert.ok(text.includes(exact), text);
  await isSound();
});

test('several requests of a selection run in their order', { skip }, async () => {
  await write('GET numbers/_count\n\nGET words/_count\n');
  await shown.page.keyboard.press('Control+a');
  await byRole('button', 'Run').click();
  await status(/^2 requests · 200 OK/);
  const text = await answer().innerText();
  assert.ok(text.indexOf('# GET /numbers/_count: 200') < text.indexOf('# GET /words/_count: 200'), text);
});

test('lines of a bulk, triple quotes, comments and variables reach the cluster as they are meant', {
  skip,
}, async () => {
  await byRole('button', 'Variables').click();
  const dialog = byRole('dialog', 'Variables');
  await dialog.getByLabel('Name').fill('target');
  await dialog.getByLabel('Value').fill('made');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('rowheader', { name: 'target' }).waitFor();
  await isSound();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await run('POST ${target}/_bulk?refresh\n{"index":{"_id":"1"}} # one\n{\n  "s": """a "b"\nc"""\n}\n', /^200 OK/);
  const { body } = await call(node, 'GET', '/made/_doc/1');
  assert.deepEqual(body._source, { s: 'a "b"\nc' });
});

test('what the cluster does not know is marked, and its errors are at their place', { skip }, async () => {
  await write('GET words/_search\n{ "query": { "match": { "text": "a" } } }');
  await problems('No problems');
  await write('GET words/_serch\n\nGET words/_search?siz=1\n{ "quary": {} }');
  await problems('3 problems');
  await run('GET words/_search\n{\n  "query": {\n    "range": { "level": { "gtt": 1 } }\n  }\n}', /^400 Bad Request/);
  await problems('1 problem');
  const marked = shown.page.locator('.cm-lintRange-error');
  assert.equal(await marked.innerText(), '1');
  await isSound();
});

test('calls, keys, fields and values are completed by keyboard', { skip }, async () => {
  const { page } = shown;
  const list = byRole('listbox', 'Completions');
  await write('');
  await editor().pressSequentially('GET wor');
  await list.getByRole('option', { name: /^words/ }).waitFor();
  await page.waitForTimeout(100);
  await isSound();
  await page.keyboard.press('Enter');
  await editor().pressSequentially('/_sear');
  await list.getByRole('option').first().waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await editor().pressSequentially('{ "que');
  await list.getByRole('option', { name: '"query"', exact: true }).waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
  await editor().pressSequentially(' "term": { "lev');
  await list.getByRole('option', { name: /"level"/ }).waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
  await editor().pressSequentially('"err');
  await list.getByRole('option', { name: /"error"/ }).waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
  await problems('No problems');
  await page.keyboard.press('Control+Enter');
  await status(/^200 OK/);
  assert.match(await answer().innerText(), /"level" : "error"/);
});

test('the history brings a request back, Format lays out, Copy as curl copies', { skip }, async () => {
  const { page } = shown;
  await byRole('button', 'History').click();
  await isSound();
  await byRole('dialog', 'History').getByRole('button', { name: 'GET numbers/_source/1', exact: true }).click();
  assert.match(await editor().innerText(), /GET numbers\/_source\/1/);
  await write('PUT words/_doc/2\n{"level":"info",  "n":9007199254740993}');
  await byRole('button', 'Format').click();
  assert.match(await editor().innerText(), /\{\n {2}"level": "info",\n {2}"n": 9007199254740993\n\}/);
  await byRole('button', 'Copy as curl').click();
  await page.getByText('Copied.').waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^curl -X PUT 'http:\/\/localhost:9200\/words\/_doc\/2' /);
  const download = page.waitForEvent('download');
  await byRole('button', 'Save answer').click();
  assert.match(fs.readFileSync(await downloadedFile(download), 'utf8'), /"level" : "error"/);
});

test('text survives a reload, and others append without a word lost', { skip }, async () => {
  const { page } = shown;
  await write('GET /kept');
  await page.goto(`${dashboard.url}/app/console?request=${encodeURIComponent('GET /appended\n{}')}`);
  await page.waitForURL(`${dashboard.url}/app/console`);
  assert.match(await editor().innerText(), /GET \/kept\s+GET \/appended\n\{\}/);
});

test('a named file is kept in the cluster, and a conflict is told', { skip }, async () => {
  const { page } = shown;
  await byRole('button', 'New file').click();
  await isSound();
  await byRole('dialog', 'New file').getByLabel('Title').fill('Shared');
  await byRole('dialog', 'New file').getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/file=/);
  await byRole('button', 'Delete file').waitFor();
  const id = new URL(page.url()).searchParams.get('file');
  const saved = () => ask(dashboard, 'GET', `/api/saved_objects/console-file/${id}`);
  await write('GET /first');
  for (let i = 0; i < 100 && (await saved()).json.attributes.text !== 'GET /first'; i++) await page.waitForTimeout(50);
  assert.equal((await saved()).json.attributes.text, 'GET /first');
  await ask(dashboard, 'PUT', `/api/saved_objects/console-file/${id}`, {
    body: { attributes: { text: 'GET /theirs' } },
  });
  await write('GET /mine');
  await byRole('button', 'Take theirs').waitFor();
  await isSound();
  await byRole('button', 'Take theirs').click();
  await editor().filter({ hasText: 'GET /theirs' }).waitFor();
  await byRole('button', 'Delete file').click();
  await byRole('dialog', 'Delete Shared').getByLabel('Type Shared to confirm').fill('Shared');
  await byRole('dialog', 'Delete Shared').getByRole('button', { name: 'Delete' }).click();
  await editor().filter({ hasText: 'GET /kept' }).waitFor();
  assert.equal((await saved()).status, 404);
});

test('long files and answers stay usable', { skip }, async () => {
  const { page } = shown;
  const request = 'GET words/_search\n{\n  "query": { "match": { "text": "x" } },\n  "size": 10\n}\n';
  const lines = Array.from({ length: 10_000 }, (_, i) => `{"index":{}}\n{"n":${i},"t":"${'x'.repeat(900)}"}\n`);
  await call(node, 'PUT', '/long', { mappings: { dynamic: false } });
  await call(node, 'POST', '/long/_bulk?refresh=true', lines.join(''));
  await call(node, 'PUT', '/wide/_doc/1', { t: 'x'.repeat(1_000_000) });
  await run('GET wide/_doc/1', /KB$/);
  await shown.page.getByText('the file has all').waitFor();
  const before = Date.now();
  await run('GET long/_search?size=10000', /MB$/);
  process.stdout.write(
    `# ${await byRole('status', 'Answer status').innerText()}: shown in ${Date.now() - before} ms\n`,
  );
  await page.evaluate((text) => localStorage.setItem('shoal::console:file:scratch', text), request.repeat(1_000));
  await page.goto(`${dashboard.url}/app/home`);
  await page.goto(`${dashboard.url}/app/console`);
  await problems('No problems');
  await editor().press('Control+End');
  const startedAt = Date.now();
  await editor().pressSequentially('GET /words/_zzz\n');
  await problems('1 problem');
  process.stdout.write(`# key to mark in 5,000 lines: ${Date.now() - startedAt} ms, with the calls of the test\n`);
});

test('both themes and a narrow screen, and no page broke its policy', { skip }, async () => {
  const { page, faults } = shown;
  await page.goto(`${dashboard.url}/app/console`);
  await run('GET words/_search\n{ "size": 1, "query": { "match_all": {} } } # all', /^200 OK/);
  for (const colorScheme of ['dark', 'light'])
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await isSound();
    }
  assert.deepEqual(faults, []);
});
