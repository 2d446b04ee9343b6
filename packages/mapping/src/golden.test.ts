import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { type ApiError, isApiError } from '@shoal/errors';
import type { Mapping } from './mapping-api.js';
import { mergeMappings, parseDocument, parseMapping } from './index.js';
import { mappingOptions } from './settings.js';

/** Answers recorded from Elasticsearch 8.12.0: mappings in the form of the API, or errors as `type: reason`. */
function golden<Case>(name: string): Case {
  return JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8')) as Case;
}

type Answer = 'indexed' | Record<string, unknown>;

const options = mappingOptions({}, buildAnalysisRegistry({}));

function textOf(error: ApiError): string {
  return `${error.type}: ${error.reason ?? ''}`;
}

function causeOf(error: ApiError): string | undefined {
  const { causedBy } = error;
  if (!causedBy) return undefined;
  return causedBy.causedBy ? `${textOf(causedBy)} <- ${textOf(causedBy.causedBy)}` : textOf(causedBy);
}

function answerOf(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (!isApiError(error)) throw error;
    const cause = causeOf(error);
    return cause === undefined ? { error: textOf(error) } : { error: textOf(error), cause };
  }
}

/** The answer with its first cause only: chains of causes are recorded for documents only. */
function firstCause(answer: Answer): Answer {
  if (typeof answer === 'string' || typeof answer['cause'] !== 'string') return answer;
  return { ...answer, cause: answer['cause'].split(' <- ')[0] };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test('mappings are shown and refused as Elasticsearch does', () => {
  for (const { mapping, answer } of golden<{ mapping: unknown; answer: Answer }[]>('definitions')) {
    assert.deepEqual(
      firstCause(answerOf(() => parseMapping(mapping, options).toJson())),
      answer,
      JSON.stringify(mapping),
    );
  }
});

test('a mapping that is shown parses to itself', () => {
  for (const { answer } of golden<{ answer: Answer }[]>('definitions')) {
    if (typeof answer === 'object' && !('error' in answer))
      assert.deepEqual(parseMapping(answer, options).toJson(), answer);
  }
});

test('updates are merged and refused as Elasticsearch does', () => {
  const { base, updates } = golden<{ base: unknown; updates: { update: unknown; answer: Answer }[] }>('updates');
  let current = parseMapping(base, options);
  for (const { update, answer } of updates) {
    const run = (): Answer => {
      current = mergeMappings(current, update, options, 'update');
      return current.toJson();
    };
    assert.deepEqual(firstCause(answerOf(run)), answer, JSON.stringify(update));
  }
});

test('values of documents are taken and refused as Elasticsearch does', () => {
  for (const { type, source, answer } of golden<{ type: unknown; source: string; answer: Answer }[]>('values')) {
    const mapping = parseMapping({ properties: { f: type } }, options);
    const run = (): Answer => (parseDocument(mapping, encode(source), { id: '1', nowMs: 0 }, options) ? 'indexed' : {});
    assert.deepEqual(answerOf(run), answer, source);
  }
});

function indexInto(mapping: Mapping, source: string): Mapping {
  const { dynamicUpdate } = parseDocument(mapping, encode(source), { id: '1', nowMs: 0 }, options);
  return dynamicUpdate === null ? mapping : mergeMappings(mapping, dynamicUpdate, options, 'dynamic');
}

test('unknown fields change the mapping as in Elasticsearch', () => {
  for (const { mapping, source, answer, after } of golden<
    { mapping: unknown; source: string; answer: Answer; after: unknown }[]
  >('dynamic')) {
    let current = parseMapping(mapping, options);
    const run = (): Answer => {
      current = indexInto(current, source);
      return 'indexed';
    };
    assert.deepEqual(answerOf(run), answer, source);
    assert.deepEqual(current.toJson(), after, source);
    if (answer === 'indexed')
      assert.equal(
        parseDocument(current, encode(source), { id: '1', nowMs: 0 }, options).dynamicUpdate,
        null,
        `${source} is known now`,
      );
  }
});
