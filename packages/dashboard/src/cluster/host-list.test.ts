import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostList } from './host-list.js';

const names = (hosts: HostList, nowMs: number): string[] => hosts.inOrder(nowMs).map(({ url }) => url.hostname);
const list = (): HostList => new HostList(['a', 'b', 'c'].map((name) => new URL(`http://${name}:9200`)));

test('the host that answered last is asked first', () => {
  const hosts = list();
  assert.deepEqual(names(hosts, 0), ['a', 'b', 'c']);
  hosts.answered(hosts.inOrder(0)[1]!);
  assert.deepEqual(names(hosts, 0), ['b', 'c', 'a']);
});

test('a dead host is asked last, after 1 s doubling to 30 s again in its turn', () => {
  const hosts = list();
  const [a] = hosts.inOrder(0);
  hosts.failed(a!, 0);
  assert.deepEqual(names(hosts, 999), ['b', 'c', 'a']);
  assert.deepEqual(names(hosts, 1_000), ['a', 'b', 'c']);
  hosts.failed(a!, 1_000);
  assert.deepEqual(names(hosts, 2_999), ['b', 'c', 'a']);
  for (let i = 0; i < 20; i++) hosts.failed(a!, 0);
  assert.equal(a!.deadUntilMs, 30_000);
  hosts.answered(a!);
  assert.deepEqual(names(hosts, 0), ['a', 'b', 'c']);
});

test('of hosts that are all dead the one that is due first is asked first', () => {
  const hosts = list();
  const [a, b, c] = hosts.inOrder(0);
  hosts.failed(b!, 0);
  hosts.failed(c!, 100);
  hosts.failed(a!, 200);
  assert.deepEqual(names(hosts, 500), ['b', 'c', 'a']);
});
