import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Assets } from './assets.js';
import { pageAt } from './page-names.js';
import { pageHtml } from './shell.js';

const assets = { entry: () => ({ script: 'main-1.js', style: 'main-2.css' }), icon: 'icon-3.svg' } as unknown as Assets;

test('boot data cannot end its element, and a title is text', () => {
  const html = pageHtml(
    assets,
    { entry: 'main', title: '<b>"x"' },
    {
      basePath: '/kibana',
      version: '8.12.0',
      nonce: 'n',
      username: '</script><script>alert(1)</script>',
      hasSecurity: true,
    },
  );
  assert.equal(html.match(/<script/g)!.length, 2);
  assert.match(html, /<title>&lt;b&gt;&quot;x&quot;<\/title>/);
  assert.match(html, /src="\/kibana\/assets\/main-1\.js"/);
  const boot = /id="boot">(.*?)<\/script>/.exec(html)![1]!;
  assert.equal(JSON.parse(boot).username, '</script><script>alert(1)</script>');
});

test('pages of Kibana lead to ours', () => {
  assert.deepEqual(pageAt('home'), { page: 'home' });
  assert.deepEqual(pageAt('kibana'), { leadsTo: '/app/home' });
  for (const name of ['nothing', '__proto__', 'toString', '']) assert.equal(pageAt(name), null, name);
});
