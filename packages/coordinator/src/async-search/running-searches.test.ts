import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, seededRandom, silentLog } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';
import { EVERYBODY } from '@shoal/security';
import { emptyState } from '@shoal/state';
import type { CallContext, JsonAnswer } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { wholeSearch } from '../search/parse/whole-search.js';
import { createTaskRegistry } from '../tasks/task-registry.js';
import { asyncAnswer } from './async-search-answer.js';
import type { AsyncSearchStore, StoredSearch } from './async-search-store.js';
import { RunningSearches } from './running-searches.js';

const CALL: CallContext = {
  signal: new AbortController().signal,
  opaqueId: null,
  withType: false,
  subject: EVERYBODY,
};
const ANSWER: JsonAnswer = { status: 200, chunks: [Buffer.from('{"took":1}')] };

/** Searches that the test ends by hand. */
function scene() {
  const clock = fakeClock();
  const tasks = createTaskRegistry(clock, 'n1');
  const context = {
    clock,
    tasks,
    random: seededRandom(1),
    log: silentLog,
    cluster: { state: () => emptyState() },
    apiError: toApiError,
  } as unknown as CoordinatorContext;
  const written: { readonly docId: string; readonly isRunning: boolean; readonly expiresAtMs: number }[] = [];
  const store = {
    put: async (docId: string, { state }: StoredSearch) =>
      void written.push({ docId, isRunning: state.outcome === null, expiresAtMs: state.expiresAtMs }),
  } as unknown as AsyncSearchStore;
  let end: (answer: JsonAnswer) => void = () => assert.fail('no search runs');
  const running = new RunningSearches(context, store, (_request, { signal }) => {
    return new Promise((resolve, reject) => {
      end = resolve;
      signal.addEventListener('abort', () => reject(errors.taskCancelled((signal.reason as Error).message)));
    });
  });
  const start = (keepAliveMs = 3_600_000) =>
    running.start(
      {
        search: wholeSearch(['docs'], Buffer.from('{}')),
        waitMs: 0,
        keepAliveMs,
        keepsOnCompletion: false,
        description: 'd',
        headers: {},
      },
      3,
      CALL,
    );
  const ask = (docId: string, more: object = {}) =>
    running.answer(
      { docId, owner: null, isAnyOwner: false, waitMs: 0, keepAliveMs: null, isRemoved: false, ...more },
      CALL.signal,
    );
  return { clock, tasks, running, written, start, ask, end: (answer: JsonAnswer) => end(answer) };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a search that runs is told with its shards, and is in the index when kept and when ended', async () => {
  const { clock, tasks, written, start, ask, end } = scene();
  const run = start();
  assert.equal(tasks.list()[0]?.action, 'indices:data/read/async_search/submit');
  const late = run.waited(1_000, CALL.signal);
  await clock.advance(1_000);
  await late;
  await run.keep();
  const { status, chunks } = asyncAnswer('id', run.state, clock.now());
  const told = JSON.parse(Buffer.concat(chunks).toString());
  assert.deepEqual([status, told.is_running, told.response.took, told.response._shards.total], [200, true, 1_000, 3]);
  const waiting = ask(run.docId, { waitMs: 60_000 });
  end(ANSWER);
  assert.equal(await waiting, null, 'it is read from the index');
  await settle();
  assert.deepEqual(
    written.map(({ isRunning }) => isRunning),
    [true, false],
  );
  assert.deepEqual(tasks.list(), []);
  assert.equal(await ask(run.docId), null);
});

test('a search that ends in time and is not kept is written nowhere', async () => {
  const { written, start, end } = scene();
  const run = start();
  const waited = run.waited(1_000, CALL.signal);
  end(ANSWER);
  await waited;
  await settle();
  assert.equal(run.state.outcome?.kind, 'response');
  assert.deepEqual(written, []);
});

test('a search is cancelled by its task, by a delete, and when its time is over', async () => {
  const ways: ((made: ReturnType<typeof scene>, docId: string) => unknown)[] = [
    ({ tasks }) => tasks.cancel(tasks.list()[0]!.id, 'by user request'),
    ({ ask }, docId) => ask(docId, { isRemoved: true }),
    ({ clock }) => clock.advance(60_001),
    ({ running }) => running.close(),
  ];
  for (const way of ways) {
    const made = scene();
    const run = made.start(60_000);
    await way(made, run.docId);
    await settle();
    const { outcome } = run.state;
    assert.ok(outcome?.kind === 'error');
    assert.equal((outcome.error as { type: string }).type, 'task_cancelled_exception');
  }
});

test('a deleted search is not written when it ends, and another user knows nothing of it', async () => {
  const { written, start, ask } = scene();
  const run = start();
  await run.keep();
  assert.equal(await ask(run.docId, { owner: 'native/ann' }), null);
  assert.notEqual(await ask(run.docId, { owner: 'native/ann', isAnyOwner: true }), null);
  await ask(run.docId, { isRemoved: true });
  await settle();
  assert.equal(written.length, 1);
});

test('a longer time to live holds from the question on', async () => {
  const { clock, written, start, ask } = scene();
  const run = start(60_000);
  await clock.advance(30_000);
  await ask(run.docId, { keepAliveMs: 600_000 });
  await clock.advance(500_000);
  assert.equal(run.isRunning, true);
  assert.equal(written.at(-1)?.expiresAtMs, run.state.startedAtMs + 630_000);
});
