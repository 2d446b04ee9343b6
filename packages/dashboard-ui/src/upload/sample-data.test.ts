import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDashboard, sampleDocuments, SAMPLES } from './sample-data.js';

test('each set has its count of documents, the same each time, around now', async () => {
  const now = Date.UTC(2026, 0, 20, 12);
  for (const set of SAMPLES) {
    const documents: string[] = [];
    for await (const piece of sampleDocuments(set, now)) documents.push(...piece.documents);
    assert.equal(documents.length, set.count);
    const times = documents.map((text) => Date.parse((JSON.parse(text) as { '@timestamp': string })['@timestamp']));
    assert.ok(times.every((at) => Math.abs(at - now) < 16 * 86_400_000));
    assert.deepEqual(Object.keys(JSON.parse(documents[0]!) as object).sort(), Object.keys(set.mapping).sort());
    const { value } = await sampleDocuments(set, now).next();
    assert.equal((value as { documents: string[] }).documents[0], documents[0]);
    assert.ok(JSON.stringify(sampleDashboard(set)).includes(set.index));
  }
});
