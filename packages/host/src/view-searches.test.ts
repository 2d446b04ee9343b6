import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeValue, encodeValue, type Value } from '@shoal/codec';
import { silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { shard } from '@shoal/protocol';
import type { Progress } from '@shoal/query';
import { type SealedView, type SearcherLease, sourceOf, type ViewAnswer, type ViewSearch } from '@shoal/shard';
import { ViewSearches, type ViewThread } from './view-searches.js';

const LIMITS = { longMs: 2, mediumMs: 0.25, docsMin: 10 };
const NO_RESULT = shard.decodeShardQueryResult(new Uint8Array(0));
const ELSEWHERE = 7;
const TERMS = { size: 0, aggs: { t: { terms: { field: 'team' } } } };

/** A thread that answers what `reply` says. */
class FakeThread implements ViewThread {
  life = 1;
  ready = true;
  readonly asked: ViewSearch[] = [];
  readonly forgotten: string[] = [];
  readonly cleared: string[] = [];
  reply: (search: ViewSearch) => Promise<ViewAnswer> | ViewAnswer = () => ANSWER;

  isReady(): boolean {
    return this.ready;
  }

  async search(message: Uint8Array): Promise<Uint8Array> {
    const search = decodeValue(message) as unknown as ViewSearch;
    this.asked.push(search);
    return encodeValue((await this.reply(search)) as unknown as Value);
  }

  async forget(location: string): Promise<void> {
    this.forgotten.push(location);
  }

  clear(location: string): void {
    this.cleared.push(location);
  }
}

const ANSWER: ViewAnswer = {
  isMissing: false,
  result: shard.encodeShardQueryResult({ ...NO_RESULT, total: ELSEWHERE }),
  uses: [['team', 1]],
  isTimeAsked: false,
  cached: [2, 1],
  workedMs: 5,
};

interface World {
  readonly thread: FakeThread;
  readonly searches: ViewSearches;
  readonly counted: unknown[];
  isBusy: boolean;
  /** The log was rolled back since the view was made. */
  isRolledBack: boolean;
  /** Documents of the shard. */
  docs: number;
  mapping: Record<string, unknown>;
  view(): SealedView;
  /** Runs a search; returns whether another thread answered. */
  run(body: unknown, target?: Partial<shard.ShardTarget>, signal?: AbortSignal): Promise<boolean>;
}

/** An empty shard that says to have many documents. */
function leaseOf(world: World): SearcherLease {
  return {
    searcher: {
      index: 'i',
      indexUuid: 'uuid',
      shard: 0,
      segments: [],
      mapping: { runtime: new Map(), field: () => null },
      cache: { get: (_key: string, make: () => { value: unknown }) => make().value, find: () => undefined },
      settings: { maxResultWindow: 10_000 },
      maxDoc: world.docs,
      liveDocCount: 0,
      stored: () => assert.fail('nothing is fetched'),
    },
    requestCache: {},
    countSearch: () => undefined,
    fieldUsage: { count: (uses: { entries(): Iterable<unknown> }) => void world.counted.push([...uses.entries()]) },
    sealed: () => world.view(),
    release: () => undefined,
  } as unknown as SearcherLease;
}

let workedMs = 0;
/** Each phase seems to take three milliseconds. */
const PROGRESS: Progress = {
  check: () => false,
  sliceOver: () => false,
  yield: async () => undefined,
  workedMs: () => (workedMs += 3),
};

function requestOf(body: unknown, target: Partial<shard.ShardTarget>): shard.QueryRequest {
  return {
    ...shard.decodeQueryRequest(new Uint8Array(0)),
    targets: [{ indexName: 'i', boost: 1, ...target }],
    body: Buffer.from(JSON.stringify(body)),
    options: shard.encodeSearchOptions(shard.decodeSearchOptions(new Uint8Array(0))),
  };
}

function world(): World {
  const thread = new FakeThread();
  const parts: SealedView['parts'] = [];
  const metadata = { name: 'i', uuid: 'uuid', settings: {} };
  const made: World = {
    thread,
    searches: new ViewSearches({ threads: [thread], isBusy: () => made.isBusy, log: silentLog, limits: LIMITS }),
    counted: [],
    isBusy: false,
    isRolledBack: false,
    docs: 1_000_000,
    mapping: {},
    view: () => ({
      location: '/data/db',
      shard: 0,
      rollbacks: 0,
      parts,
      liveDocCount: 0,
      metadata: {
        metadata: { ...metadata, mapping: made.mapping },
        mapping: { runtime: new Map() },
      } as unknown as SealedView['metadata'],
      isCurrent: () => !made.isRolledBack,
      countCached: (hits, misses) => void made.counted.push([hits, misses]),
    }),
    async run(body, target = {}, signal = new AbortController().signal) {
      const request = requestOf(body, target);
      const time = { isAsked: false, now: () => 0 } as never;
      const run = made.searches.runner(signal);
      const source = sourceOf(request, null);
      return (await run(leaseOf(made), request.targets[0]!, request, PROGRESS, source, time)).total === ELSEWHERE;
    },
  };
  return made;
}

test('large searches go, small ones stay; those between go while the thread of the shard is busy', async () => {
  const own = world();
  assert.equal(await own.run(TERMS), true, 'a million documents are looked at');
  assert.equal(await own.run({ query: { match_all: {} } }), false, 'the best hits of a shape that was not seen');
  own.docs = 5;
  assert.equal(await own.run(TERMS), false);
  const medium = { size: 0, aggs: { o: { terms: { field: 'other' } } } };
  own.docs = 100_000;
  assert.equal(await own.run(medium), false, 'half a millisecond');
  const busy = world();
  busy.docs = 100_000;
  busy.isBusy = true;
  assert.equal(await busy.run(medium), true);
  busy.thread.ready = false;
  assert.equal(await busy.run(medium), false);
});

test('what another thread read of fields and caches is counted as if it had been read here', async () => {
  const own = world();
  await own.run(TERMS);
  assert.deepEqual(own.counted, [[['team', 1]], [2, 1]]);
});

test('a thread is given two searches at once', async () => {
  const own = world();
  let goOn = (): void => undefined;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  own.thread.reply = async () => {
    await wait;
    return ANSWER;
  };
  const running = [own.run(TERMS), own.run(TERMS)];
  assert.equal(await own.run(TERMS), false);
  goOn();
  assert.deepEqual(await Promise.all(running), [true, true]);
  assert.equal(await own.run(TERMS), true);
});

test('the view is sent once, and again when the thread says that it lacks it or was started anew', async () => {
  const own = world();
  const whole = () => own.thread.asked.map(({ view, index }) => view !== null && index.json !== null);
  const view = own.view();
  own.view = () => view;
  await own.run(TERMS);
  await own.run(TERMS);
  assert.deepEqual(whole(), [true, false]);
  own.thread.reply = (search) => (search.view === null ? { isMissing: true } : ANSWER);
  assert.equal(await own.run(TERMS), true);
  assert.deepEqual(whole(), [true, false, false, true]);
  own.thread.life++;
  await own.run(TERMS);
  assert.deepEqual(whole().slice(4), [true]);
});

test('a search that fails elsewhere is run here; its shape stays here when the thread ended', async () => {
  const own = world();
  const failing = () => {
    throw errors.illegalState('no operation');
  };
  own.thread.reply = failing;
  assert.equal(await own.run(TERMS), false);
  own.thread.reply = () => ANSWER;
  assert.equal(await own.run({ ...TERMS, query: { term: { a: 1 } } }), true);
  own.thread.reply = () => {
    own.thread.life++;
    return failing();
  };
  const deadly = { size: 0, aggs: { t: { terms: { field: 'deadly' } } } };
  assert.equal(await own.run(deadly), false);
  own.thread.reply = () => ANSWER;
  assert.equal(await own.run(deadly), false);
});

test('a search whose caller is gone is not run here', async () => {
  const own = world();
  const caller = new AbortController();
  own.thread.reply = () => {
    caller.abort();
    throw errors.taskCancelled('task cancelled');
  };
  await assert.rejects(own.run(TERMS, {}, caller.signal), { type: 'task_cancelled_exception' });
});

test('what was read of a log that was rolled back meanwhile is not answered', async () => {
  const own = world();
  own.thread.reply = () => {
    own.isRolledBack = true;
    return ANSWER;
  };
  assert.equal(await own.run(TERMS), false);
});

test('while a store is being closed nothing opens it, nor is a view sent again afterwards', async () => {
  const own = world();
  let goOn = (): void => undefined;
  own.thread.forget = () => new Promise((resolve) => (goOn = resolve));
  const ended = own.searches.ended('/data/db');
  assert.equal(await own.run(TERMS), false);
  goOn();
  await ended;
  own.thread.forget = async () => undefined;
  own.thread.reply = async () => {
    await own.searches.ended('/data/db');
    return { isMissing: true };
  };
  assert.equal(await own.run({ ...TERMS, query: { match_all: {} } }), false);
  assert.equal(own.thread.asked.length, 1);
});

test('open contexts, scripts of filters and roles, and indices with scripts stay here', async () => {
  const own = world();
  const filter = Buffer.from('{"term":{"script":"true"}}');
  for (const target of [{ context: 'c' }, { nearest: {} as never }, { filter }, { access: filter }])
    assert.equal(await own.run(TERMS, target), false);
  assert.equal(await own.run(TERMS, { filter: Buffer.from('{"term":{"a":1}}') }), true);
  own.mapping = { properties: { q: { type: 'percolator' } } };
  assert.equal(await own.run(TERMS), false);
  own.mapping = { properties: { description: { type: 'text' } } };
  assert.equal(await own.run(TERMS), true);
});

test('caches are cleared where the store is known', async () => {
  const own = world();
  own.searches.clear('/data/db');
  await own.run(TERMS);
  own.searches.clear('/data/db');
  assert.deepEqual(own.thread.cleared, ['/data/db']);
});
