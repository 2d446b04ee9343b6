// Pages in a browser behind a proxy that strips the base path, and behind one that leaves it there.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';
import { noBrowser, openPage, withBrowser } from './browser.mjs';
import { startDashboard, stopDashboards, waitForLevel } from './dashboard-process.mjs';

const skip = noBrowser ?? false;
const BASE = '/kibana';
let node;
let browser;
const proxies = [];

before(async () => {
  if (noBrowser !== null) return;
  [node, browser] = await withBrowser(startNode());
  await call(node, 'PUT', '/books/_doc/1?refresh=true', { title: 'one' });
});
after(async () => {
  await browser?.close();
  for (const proxy of proxies) {
    proxy.closeAllConnections();
    proxy.close();
  }
  await stopDashboards();
  await node?.stop('SIGKILL');
});

/** A proxy that has nothing but what is below the base path; returns its address. */
async function proxyBefore(port, isStripping) {
  const proxy = http.createServer((incoming, answer) => {
    if (!incoming.url.startsWith(`${BASE}/`)) return answer.writeHead(404).end();
    const path = isStripping ? incoming.url.slice(BASE.length) : incoming.url;
    const { method, headers } = incoming;
    const outgoing = http.request({ host: '127.0.0.1', port, method, path, headers }, (received) => {
      answer.writeHead(received.statusCode, received.headers);
      received.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  proxies.push(proxy);
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${proxy.address().port}${BASE}`;
}

for (const isStripping of [true, false])
  test(`behind a proxy that ${isStripping ? 'strips' : 'leaves'} the base path pages, links and calls work`, {
    skip,
  }, async () => {
    const own = await startDashboard({
      settings: {
        'elasticsearch.hosts': node.url,
        'server.basePath': BASE,
        'server.rewriteBasePath': String(!isStripping),
      },
    });
    const below = isStripping ? own : { ...own, url: own.url + BASE };
    await waitForLevel(below, 'available');
    const url = await proxyBefore(own.port, isStripping);
    const { page, context, faults } = await openPage(browser, `${url}/`);
    const lost = [];
    page.on('response', (response) => {
      if (response.status() === 404) lost.push(response.url());
    });
    const byRole = (role, name) => page.getByRole(role, { name, exact: true });
    await byRole('heading', 'Home').waitFor();
    assert.equal(page.url(), `${url}/app/home`);
    for (const name of ['Discover', 'Indices', 'Console']) {
      await byRole('link', name).click();
      await byRole('heading', name).waitFor();
      assert.ok(page.url().startsWith(`${url}/app/${name.toLowerCase()}`), page.url());
    }
    await byRole('textbox', 'Request editor').fill('GET books/_source/1');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await byRole('status', 'Answer status').filter({ hasText: '200 OK' }).waitFor();
    await page.goto(`${url}/app/indices/books`);
    await byRole('heading', 'books').waitFor();
    assert.deepEqual([faults, lost], [[], []]);
    await context.close();
    await own.stop();
  });
