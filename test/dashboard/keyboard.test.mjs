// Every page and tab by keyboard alone: each control is reached and named, its focus is seen, and nothing keeps it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, temporaryFolder } from '../node-process.mjs';
import { noBrowser, openPage, withBrowser } from './browser.mjs';
import { ask, logIn, startNodeWithDashboard } from './dashboard-process.mjs';
import { keyboardFaults, namelessParts } from './keyboard.mjs';

const skip = noBrowser ?? false;
const PAGES = [
  ...['home', 'discover?i=books', 'dashboards', 'dashboards/one?edit=true', 'console', 'playground', 'indices'],
  ...['indices/books', 'data', 'pipelines', 'pipelines?name=tag', 'snapshots', 'cluster', 'ml', 'ml?new=true'],
  ...['ml?job=sizes', 'ml?calendar=holidays', 'security', 'settings'],
];
let node;
let dashboard;
let browser;
let shown;

before(async () => {
  if (noBrowser !== null) return;
  const location = temporaryFolder('repository');
  const settings = { 'xpack.security.enabled': true, 'discovery.type': 'single-node', 'path.repo': location };
  const more = { env: { ELASTIC_PASSWORD: 'first-secret' }, auth: 'elastic:first-secret' };
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard(settings, more));
  const put = (path, body) => call(node, 'PUT', path, body);
  await put('/books/_doc/1?refresh=true', { '@timestamp': '2024-01-01', title: 'quick fox', place: 'a' });
  await put('/_ingest/pipeline/tag', { processors: [{ set: { field: 'tag', value: 'a' } }] });
  await put('/_snapshot/backup', { type: 'fs', settings: { location } });
  await put('/_snapshot/backup/first?wait_for_completion=true');
  await put('/_index_template/books', { index_patterns: ['books-*'] });
  await put('/_ml/calendars/holidays', { job_ids: ['_all'] });
  const detectors = [{ function: 'count' }];
  const data = { data_description: { time_field: '@timestamp' } };
  await put('/_ml/anomaly_detectors/sizes', { analysis_config: { bucket_span: '1h', detectors }, ...data });
  const { cookie } = await logIn(dashboard, 'elastic', 'first-secret');
  const panel = { indices: 'books', field: 'title.keyword', measure: { op: 'count', field: '' } };
  const panels = ['terms', 'metric', 'table'].map((kind) => ({ ...panel, id: kind, title: `By ${kind}`, kind }));
  const body = { attributes: { title: 'One', range: 'all', text: '', language: 'kql', filters: [], panels } };
  assert.equal((await ask(dashboard, 'POST', '/api/saved_objects/dashboard/one', { cookie, body })).status, 200);
  shown = await openPage(browser, `${dashboard.url}/login`);
  await shown.context.addCookies([{ name: 'sid', value: cookie, url: dashboard.url }]);
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

/** Waits until nothing of the page is being loaded. */
const isLoaded = () =>
  shown.page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null,
  );

for (const name of PAGES)
  test(`${name} by keyboard alone`, { skip }, async () => {
    const { page } = shown;
    await page.goto(`${dashboard.url}/app/${name}`);
    await isLoaded();
    assert.deepEqual(await keyboardFaults(page), []);
    assert.deepEqual(await namelessParts(page), []);
    const tabs = page.locator('main').getByRole('tab');
    const count = await tabs.count();
    if (count > 0) await tabs.first().focus();
    for (let i = 1; i < count; i++) {
      await page.keyboard.press('ArrowRight');
      await tabs.and(page.locator('[aria-selected=true]')).and(page.locator(':focus')).waitFor();
      await isLoaded();
      const tab = await page.locator(':focus').innerText();
      assert.deepEqual(await keyboardFaults(page, 'main [role=tabpanel]'), [], tab);
      assert.deepEqual(await namelessParts(page), [], tab);
      await tabs.nth(i).focus();
    }
  });

test('what no keyboard reaches, and what keeps it, is found', { skip }, async () => {
  const { page } = shown;
  await page.goto(`${dashboard.url}/app/settings`);
  await isLoaded();
  await page.evaluate(() => {
    const button = document.createElement('button');
    button.tabIndex = -1;
    document.querySelector('main').append(button);
  });
  const [fault, ...others] = await keyboardFaults(page);
  assert.match(fault, /^is not reached: <button tabindex="-1">/);
  assert.deepEqual(others, []);
  assert.deepEqual(await namelessParts(page), ['a button without a name']);
  await page.evaluate(() => {
    const trap = document.querySelector('main button[tabindex]');
    trap.tabIndex = 0;
    trap.addEventListener('keydown', (event) => event.preventDefault());
  });
  assert.match((await keyboardFaults(page)).at(-1), /^keeps the focus: <button tabindex="0">/);
});
