import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringify } from '@shoal/json';
import { IngestDocument } from './document.js';
import { runPipeline } from './run.js';
import { compiled, testMetadata } from './testing/pipeline-table.js';

const run = { monotonic: () => 0, pause: () => null, trace: null, user: null, running: [] };

const path = fc.constantFrom('a', 'b', 'a.b', 'a.0', 'b.c', 'c.a.b', '__proto__.a', '_ingest.x', '_routing');
const value = fc.oneof(
  fc.constantFrom('x', '{{a}}', '{{{b.c}}}-{{_ingest.x}}', ''),
  fc.integer(),
  fc.jsonValue({ maxDepth: 2 }).filter((json) => json !== null),
);
const failing = { ignore_failure: fc.boolean() };
const processor = fc.oneof(
  fc.record({ set: fc.record({ field: path, value, override: fc.boolean(), ...failing }) }),
  fc.record({ set: fc.record({ field: path, copy_from: path, ...failing }) }),
  fc.record({ remove: fc.record({ field: path, ...failing }) }),
  fc.record({ rename: fc.record({ field: path, target_field: path, ...failing }) }),
  fc.record({
    foreach: fc.record({ field: path, processor: fc.record({ remove: fc.record({ field: path }) }), ...failing }),
  }),
);
const source = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });

/** Document after its pipelines, as text, or the reason of its error. */
async function result(pipelines: readonly (readonly unknown[])[], json: unknown): Promise<string> {
  const names = pipelines.map((_, i) => `p${i}`);
  const get = compiled(Object.fromEntries(names.map((name, i) => [name, { processors: pipelines[i]! }])));
  const copy = JSON.parse(JSON.stringify(json)) as Record<string, unknown>;
  const document = new IngestDocument(copy, testMetadata(), {});
  try {
    for (const name of names) await runPipeline(get(name)!, document, run);
    return stringify([document.source, document.metadata, document.ingest]);
  } catch (thrown) {
    return String((thrown as Error).message);
  }
}

test('a pipeline of several processors does what as many pipelines of one processor do', async () => {
  const property = fc.asyncProperty(fc.array(processor, { maxLength: 6 }), source, async (processors, json) => {
    const apart = processors.map((one) => [one]);
    assert.equal(await result([processors], json), await result(apart, json));
  });
  await fc.assert(property, { numRuns: 300 });
});

test('no processor reaches prototypes, and errors are those of the API', async () => {
  const property = fc.asyncProperty(fc.array(processor, { maxLength: 6 }), source, async (processors, json) => {
    await result([processors], json);
    assert.equal(Object.hasOwn(Object.prototype, 'a'), false);
  });
  await fc.assert(property, { numRuns: 100 });
});
