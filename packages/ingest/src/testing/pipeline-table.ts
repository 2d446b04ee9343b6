import assert from 'node:assert/strict';
import { isApiError } from '@shoal/errors';
import { type JsonObject, stringify, readSource } from '@shoal/json';
import { noDatabases, type IngestDatabases } from '../databases.js';
import { IngestDocument } from '../document.js';
import { compilePipeline } from '../pipeline.js';
import type { Pipeline } from '../processor.js';
import { runPipeline } from '../run.js';
import { TimeGuard } from '../time-guard.js';
import type { IngestScripts } from '../scripts.js';

/** Scripts of tests: `field == value` as a condition, `field = value` as a script, on values of JSON. */
export const fakeScripts: IngestScripts = {
  compile(json) {
    const text = typeof json === 'string' ? json : String((json as { source: unknown }).source);
    const [, field = '', operator, value = ''] = /^(?:ctx\.)?(\w+) (==?) (.*)$/.exec(text) ?? [];
    return {
      text,
      call(ctx) {
        if (operator === '==') return stringify(ctx[field]) === value;
        ctx[field] = JSON.parse(value);
        return null;
      },
    };
  },
  templates: (text) => () => text,
};

/** Pipelines by name, compiled from their bodies. */
export function compiled(
  bodies: Readonly<Record<string, Record<string, unknown>>>,
  scripts: IngestScripts = fakeScripts,
  databases: IngestDatabases = noDatabases(),
): (name: string) => Pipeline | null {
  const pipelines = new Map<string, Pipeline>();
  const site = {
    scripts,
    databases,
    guard: new TimeGuard(),
    pipeline: (name: string) => pipelines.get(name) ?? null,
    now: () => 0,
  };
  for (const [id, body] of Object.entries(bodies)) pipelines.set(id, compilePipeline(id, body, site));
  return site.pipeline;
}

/** Metadata of the documents of tests. */
export function testMetadata(): Record<string, unknown> {
  return { _index: 'logs', _id: '1', _version: -3 };
}

/**
 * Runs processors on a document. Returns the JSON of its source; metadata fields that differ from `testMetadata` are
 * added under their names. `dropped` if it was dropped, `type: reason` of the error if it failed.
 */
export async function outcome(
  processors: readonly unknown[],
  source: string,
  user: JsonObject | null = null,
  databases?: IngestDatabases,
): Promise<string> {
  try {
    const pipeline = compiled({ p: { processors } }, fakeScripts, databases)('p')!;
    const ingest = { timestamp: '2026-11-23T12:00:00.000000001Z' };
    const document = new IngestDocument(readSource(Buffer.from(source)), testMetadata(), ingest);
    await runPipeline(pipeline, document, { monotonic: () => 0, pause: () => null, trace: null, user, running: [] });
    return document.isDropped ? 'dropped' : stringify({ ...document.source, ...changedMetadata(document) });
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
    let text = `${thrown.type}: ${thrown.reason}`;
    for (let cause = thrown.causedBy; cause; cause = cause.causedBy) text += ` <- ${cause.type}: ${cause.reason}`;
    return text;
  }
}

function changedMetadata({ metadata }: IngestDocument): Record<string, unknown> {
  const before = testMetadata();
  return Object.fromEntries(Object.entries(metadata).filter(([key, value]) => before[key] !== value));
}

/** Checks a table of one processor's options, documents and results, all as `outcome` writes them. */
export async function processorTable(
  type: string,
  rows: readonly (readonly [options: Record<string, unknown>, source: string, result: string])[],
  user: JsonObject | null = null,
  databases?: IngestDatabases,
): Promise<void> {
  for (const [options, source, result] of rows)
    assert.equal(
      await outcome([{ [type]: options }], source, user, databases),
      result,
      `${JSON.stringify(options)} on ${source}`,
    );
}
