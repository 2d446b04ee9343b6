import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { findPairs, hashPair } from './bucket-table.kernel.js';

const pair = fc.tuple(fc.nat(2), fc.constantFrom(0, 1, -1, 0.5, 2 ** 40, Number.POSITIVE_INFINITY));

kernelContract(
  'findPairs numbers pairs up to the first that the table does not have',
  ({ known, wanted, from, withOwners }) => {
    const entries = [
      ...new Map(known.map(([owner, key]) => [`${withOwners ? owner : 0} ${key}`, [owner, key] as const])).values(),
    ];
    const slots = new Int32Array(64).fill(-1);
    const owners = Int32Array.from(entries, ([owner]) => (withOwners ? owner : 0));
    const keys = Float64Array.from(entries, ([, key]) => key);
    entries.forEach((_, id) => {
      let slot = hashPair(owners[id]!, keys[id]!) & 63;
      while (slots[slot]! >= 0) slot = (slot + 1) & 63;
      slots[slot] = id;
    });
    const out = new Int32Array(wanted.length).fill(-7);
    const asked = withOwners ? Int32Array.from(wanted, ([owner]) => owner) : null;
    const end = findPairs(
      slots,
      owners,
      keys,
      asked,
      Float64Array.from(wanted, ([, key]) => key),
      Math.min(from, wanted.length),
      wanted.length,
      out,
    );
    return { end, out: [...out] };
  },
  ({ known, wanted, from, withOwners }) => {
    const nameOf = ([owner, key]: readonly [number, number]): string => `${withOwners ? owner : 0} ${key}`;
    const names = [...new Set(known.map(nameOf))];
    const ids = wanted.map((own) => names.indexOf(nameOf(own)));
    const start = Math.min(from, wanted.length);
    const gap = ids.findIndex((id, i) => i >= start && id < 0);
    const end = gap < 0 ? wanted.length : gap;
    return { end, out: ids.map((id, i) => (i >= start && i < end ? id : -7)) };
  },
  fc.record({ known: fc.array(pair), wanted: fc.array(pair), from: fc.nat(3), withOwners: fc.boolean() }),
  500,
);

test('hashes of whole numbers in a row fall into different slots mostly', () => {
  const slots = new Set(Array.from({ length: 1000 }, (_, key) => hashPair(0, key) & 4095));
  assert.ok(slots.size > 850, `${slots.size} of 1000`);
});
