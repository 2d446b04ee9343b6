// Every page in every state (empty, with data, loading, refused by the cluster, cluster away, session ended) for people
// who see it in the light or the dark theme, in forced colours, or with text of twice the size: no fault in any.
// A run has one look for each page and state, the next one for the next, and every other page empty, the others with
// data; ALL_LOOKS=1 has all of them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '../node-process.mjs';
import { accessibilityFaults, goWithin, noBrowser, openPage, withBrowser } from './browser.mjs';
import { logIn, startNodeWithDashboard } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
/** Pages that ask the cluster at once, and those that wait for the user. */
const ASKING = [
  ...['home', 'discover?i=books', 'dashboards', 'indices', 'indices/books', 'pipelines', 'snapshots', 'cluster'],
  ...['cluster?tab=shards', 'ml', 'security', 'security/keys'],
];
const WAITING = ['console', 'playground', 'data', 'settings', 'ml?new=true', 'pipelines?new=true'];
const PAGES = [...ASKING, ...WAITING];
const LOOKS = ['light', 'dark', 'forced colours', 'text of 200 %'];
const DATA = /\/api\/(?:console\/proxy|home|saved_objects)/;

let node;
let dashboard;
let browser;
let shown;
let turn = 0;

before(async () => {
  if (noBrowser !== null) return;
  const settings = { 'xpack.security.enabled': true, 'discovery.type': 'single-node' };
  const more = { env: { ELASTIC_PASSWORD: 'first-secret' }, auth: 'elastic:first-secret' };
  [{ node, dashboard }, browser] = await withBrowser(startNodeWithDashboard(settings, more));
  const { cookie } = await logIn(dashboard, 'elastic', 'first-secret');
  shown = await openPage(browser, `${dashboard.url}/login`);
  await shown.context.addCookies([{ name: 'sid', value: cookie, url: dashboard.url }]);
});
after(async () => {
  await browser?.close();
  await node?.stop('SIGKILL');
});

/* global document, getComputedStyle */
/** Runs in the page: texts that their own box cuts off, where no ellipsis tells so. */
function cutTexts() {
  return [...document.querySelectorAll('main button, main h1, main h2, main label, main th, header button, nav a')]
    .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
    .filter((element) => {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
      const isWide = overflowX !== 'visible' && textOverflow !== 'ellipsis';
      const isCut = isWide && element.scrollWidth > element.clientWidth + 1;
      return isCut || (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1);
    })
    .map((element) => `cut off: ${element.outerHTML.slice(0, 100)}`);
}

/** Lets the page look as somebody sees it; returns what undoes it. */
async function look(page, name) {
  await page.emulateMedia({
    colorScheme: name === 'dark' ? 'dark' : 'light',
    forcedColors: name === 'forced colours' ? 'active' : 'none',
  });
  const size = name === 'text of 200 %' ? '200%' : '';
  await page.evaluate((value) => (document.documentElement.style.fontSize = value), size);
}

async function checkLooks() {
  const { page } = shown;
  const looks = process.env.ALL_LOOKS ? LOOKS : [LOOKS[turn++ % LOOKS.length]];
  for (const name of looks) {
    await look(page, name);
    assert.deepEqual(await accessibilityFaults(page), [], name);
    assert.deepEqual(await page.evaluate(cutTexts), [], name);
  }
  await look(page, 'light');
}

const isIdle = () =>
  shown.page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null,
  );
/** Data are awaited; a heading is busy while the script of its page is. */
const isBusy = () => shown.page.locator('main [aria-busy="true"]:not(h1)').first().waitFor();
const alert = (text) => shown.page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const json = (status, body) => (route) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });
const REASON = 'the disk of [node-1] <b>failed</b>';
const FAILED = json(500, { error: { root_cause: [], type: 'io_exception', reason: REASON }, status: 500 });
const SLOW = json(200, { state: 'ready', health: 'green', slow: { since: 0, calls: ['GET /_cluster/health'] } });
const AWAY = json(200, { state: 'lost', health: null, answered_at: null });
const NO_SESSION = json(401, { statusCode: 401, error: 'Unauthorized', message: 'Log in first.' });

function everyOther(first) {
  return PAGES.filter((_, i) => process.env.ALL_LOOKS || i % 2 === first);
}

/**
 * States: which pages, what calls get instead of their answer, and when the state is there. The first page is loaded,
 * the others are gone to from it, unless the state is one of the frame (`isFrames`), which would stay.
 */
const STATES = [
  { name: 'empty', pages: everyOther(0), isThere: isIdle },
  { name: 'with data', pages: everyOther(1), isThere: isIdle, prepare: fill },
  { name: 'loading', pages: ASKING, routes: [[DATA, () => undefined]], isThere: isBusy },
  { name: 'refused', pages: ASKING, routes: [[DATA, FAILED]], isThere: () => alert(/failed|io_exception/) },
  {
    name: 'cluster away',
    pages: ['home', 'discover?i=books', 'console'],
    isFrames: true,
    routes: [[/\/api\/ping/, AWAY]],
    isThere: () => alert('The cluster does not answer'),
  },
  {
    name: 'cluster slow',
    pages: ['home'],
    isFrames: true,
    routes: [[/\/api\/ping/, SLOW]],
    isThere: () => shown.page.getByText('The cluster answers slowly').waitFor(),
  },
  {
    name: 'session ended',
    pages: ['home', 'discover?i=books', 'console'],
    isFrames: true,
    routes: [[/\/api\/ping/, NO_SESSION]],
    isThere: () => shown.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor(),
  },
];

async function fill() {
  const put = (path, body) => call(node, 'PUT', path, body);
  await put('/books/_doc/1?refresh=true', { '@timestamp': '2024-01-01', title: 'quick <b>fox</b>', place: 'a' });
  await put('/_ingest/pipeline/tag', { processors: [{ set: { field: 'tag', value: 'a' } }] });
  await put('/_security/role/reader', { indices: [{ names: ['books'], privileges: ['read'] }] });
  await call(node, 'POST', '/_security/api_key', { name: 'ci' });
}

for (const { name, pages, routes = [], isThere, prepare, isFrames = false } of STATES)
  test(`pages that are ${name} have no fault, however they are looked at`, { skip }, async (t) => {
    const { page } = shown;
    await prepare?.();
    for (const [pattern, answer] of routes) await page.route(pattern, answer);
    for (const address of pages)
      await t.test(address, async () => {
        const url = `${dashboard.url}/app/${address}`;
        if (isFrames || address === pages[0]) await page.goto(url);
        else await goWithin(page, url);
        await isThere();
        await checkLooks();
      });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

test('no page broke its policy or asked elsewhere', { skip }, () => assert.deepEqual(shown.faults, []));
