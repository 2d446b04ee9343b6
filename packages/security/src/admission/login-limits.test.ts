import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { createLoginLimits, sourceName } from './login-limits.js';

test('the addresses of one IPv6 network are one source, IPv4 addresses are one each', () => {
  const names = [
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
    ['2001:0DB8:0000:0007::1', '2001:db8:0:7::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5::', '1:2:3:4::/64'],
    ['grant by anna', 'grant by anna'],
  ];
  for (const [address, name] of names) assert.equal(sourceName(address!), name);
});

test('a source is known after a login, suspicious after a failure, and new again after a minute', async () => {
  const clock = fakeClock();
  const limits = createLoginLimits(clock);
  const suspicion = (address: string): number => limits.sourceOf(address).suspicion;
  assert.equal(suspicion('10.0.0.1'), 1);
  limits.succeeded('10.0.0.1');
  assert.equal(suspicion('10.0.0.1'), 0);
  limits.failed('10.0.0.1');
  limits.failed('::ffff:10.0.0.1');
  assert.equal(suspicion('10.0.0.1'), 3);
  await clock.advance(60_000);
  assert.equal(suspicion('10.0.0.1'), 0);
  await clock.advance(24 * 60 * 60_000);
  assert.equal(suspicion('10.0.0.1'), 1);
});

test('guesses from one IPv6 network are delayed together', async () => {
  const clock = fakeClock();
  const limits = createLoginLimits(clock);
  for (let i = 0; i < 5; i++) limits.failed(`2001:db8::${i + 1}`);
  let isChecked = false;
  const turn = limits.turn('2001:db8::ffff').then(() => (isChecked = true));
  await limits.turn('2001:db8:0:1::1');
  assert.equal(isChecked, false);
  await clock.advance(100);
  await turn;
});
