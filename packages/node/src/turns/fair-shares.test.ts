import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Random, seededRandom } from '@shoal/doors';
import { runs } from '@shoal/testing';
import { FairShares } from './fair-shares.js';

const forAll = (law: (random: Random) => void): void =>
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (seed) => law(seededRandom(seed))),
    { numRuns: runs(50) },
  );

const ALL = (): boolean => true;

test('kinds that always have work use time by weight, whatever their requests cost', () =>
  forAll((random) => {
    const weights = Array.from({ length: 2 + Math.floor(random.next() * 4) }, () => 1 + Math.floor(random.next() * 3));
    const costs = weights.map(() => 0.01 * 10 ** (random.next() * 3));
    const shares = new FairShares();
    for (const weight of weights) shares.join(weight);
    const usedMs = weights.map(() => 0);
    const costMax = 2 * Math.max(...costs);
    while (Math.min(...usedMs) < 100 * costMax) {
      const kind = shares.next(ALL);
      const ms = 2 * random.next() * costs[kind]!;
      shares.charge(kind, ms);
      usedMs[kind]! += ms;
    }
    // The bound of start-time fair queueing: two kinds with work are apart by the longest request of each at most.
    const byWeight = usedMs.map((ms, kind) => ms / weights[kind]!);
    assert.ok(Math.max(...byWeight) - Math.min(...byWeight) <= 2 * costMax, `${byWeight.join(' ')}, ${costMax}`);
  }));

test('no kind waits for more than one request of each other kind, and what is ready always runs', () =>
  forAll((random) => {
    const shares = new FairShares();
    const kinds = 4;
    for (let i = 0; i < kinds; i++) shares.join(1);
    const passed = Array.from({ length: kinds }, () => 0);
    for (let i = 0; i < 500; i++) {
      const ready = Array.from({ length: kinds }, () => random.next() < 0.5);
      const kind = shares.next((other) => ready[other]!);
      assert.equal(kind === -1, !ready.includes(true));
      if (kind < 0) continue;
      assert.ok(ready[kind]);
      shares.charge(kind, 1);
      for (let other = 0; other < kinds; other++)
        passed[other] = ready[other] && other !== kind ? passed[other]! + 1 : 0;
      assert.ok(Math.max(...passed) <= 2 * (kinds - 1), passed.join(' '));
    }
  }));

test('a kind that had nothing to do does not catch up', () => {
  const shares = new FairShares();
  const [busy, idle] = [shares.join(1), shares.join(1)];
  for (let i = 0; i < 1000; i++)
    shares.charge(
      shares.next((kind) => kind === busy),
      1,
    );
  let ran = 0;
  for (let i = 0; i < 100; i++) {
    const kind = shares.next(ALL);
    if (kind === idle) ran++;
    shares.charge(kind, 1);
  }
  assert.ok(ran >= 49 && ran <= 51, `${ran} of 100`);
});
