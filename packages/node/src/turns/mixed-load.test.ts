import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { type Random, seededRandom } from '@shoal/doors';
import { createWorkPool } from '../limits/work-pool.js';
import { FairTurns } from './fair-turns.js';

/** Processor milliseconds of reading a request, and of refusing one. */
const READ_MS = 0.04;
const REFUSE_MS = 0.03;
/** Work longer than this gives the thread back. */
const SLICE_MS = 8;
const DISK_MS = 2;
/** A client that has been woken looks at its other answers before it sleeps. */
const AWAKE_MS = 1;

/** Sixteen requests of 20 ms wait for a kind with a quarter of the processor. */
const STANDING_MS_MAX = 1400;
/** What waits when an overload begins is a burst, of which nothing is refused. */
const BEGIN_MS = 5000;

/** A kind of requests: so many ms of processor before and after the disk, so many a second. */
interface Load {
  readonly name: string;
  readonly workMs: number;
  readonly afterMs: number;
  readonly perSecond: number;
  /** Requests that a client has open at once. */
  readonly connections: number;
}

interface Outcome {
  readonly name: string;
  /** Processor milliseconds of what was answered, reading it included. */
  readonly usedMs: number;
  readonly askedMs: number;
  /** Milliseconds until the answers to requests that arrived after `BEGIN_MS`. */
  readonly answeredAfterMs: readonly number[];
}

/**
 * The machine: `processors` that the thread gets, `wakeMs` for which an answer loses it the processor when the client
 * that it wakes has slept.
 */
interface Machine {
  readonly processors: number;
  readonly wakeMs: number;
}

/**
 * A node's thread under a mixed load on virtual time: requests arrive in sockets, which are looked at between turns;
 * answers wake clients, who may take the processor.
 */
class Scene {
  readonly refusedAfterMs: number[] = [];
  readonly #machine: Machine;
  readonly #later: (() => void)[] = [];
  readonly #disk: { readonly atMs: number; readonly done: () => void }[] = [];
  readonly #turns: FairTurns;
  #clockMs = 0;
  #processorMs = 0;
  #awakeUntilMs = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#turns = new FairTurns({
      now: () => this.#clockMs,
      processorMs: () => this.#processorMs,
      busyMs: () => this.#clockMs,
      later: (callback) => void this.#later.push(callback),
      settled: (callback) => queueMicrotask(() => process.nextTick(callback)),
    });
  }

  /** Runs for so long; returns what became of each kind. */
  async run(loads: readonly Load[], ms: number): Promise<{ outcomes: Outcome[]; shareMs: number }> {
    const kinds = loads.map((load) => this.#kind(load));
    while (this.#clockMs < ms) {
      this.#work(0.01);
      for (const kind of kinds) await kind.arrive();
      await this.#completeWrites();
      for (const callback of this.#later.splice(0)) {
        callback();
        await settle();
      }
    }
    const outcomes = kinds.map((kind) => kind.outcome());
    return { outcomes, shareMs: this.#processorMs / loads.length };
  }

  #work(ms: number): void {
    this.#processorMs += ms;
    this.#clockMs += ms / this.#machine.processors;
  }

  #answer(): void {
    if (this.#clockMs < this.#awakeUntilMs) return;
    this.#clockMs += this.#machine.wakeMs;
    this.#awakeUntilMs = this.#clockMs + AWAKE_MS;
  }

  async #completeWrites(): Promise<void> {
    while ((this.#disk[0]?.atMs ?? Infinity) <= this.#clockMs) {
      this.#disk.shift()!.done();
      await settle();
    }
  }

  #write(): Promise<void> {
    return this.#turns.follow(new Promise((done) => void this.#disk.push({ atMs: this.#clockMs + DISK_MS, done })));
  }

  #kind(load: Load) {
    const { name, workMs, afterMs, perSecond, connections } = load;
    const pool = createWorkPool({
      name,
      nodeName: 'n',
      size: afterMs > 0 ? Infinity : 4,
      queueMax: 1000,
      // Writes are not refused for their wait.
      delayMaxMs: afterMs > 0 ? Infinity : 500,
      turns: this.#turns,
      now: () => this.#clockMs,
    });
    let [arrived, open, done] = [0, 0, 0];
    const answeredAfterMs: number[] = [];
    const serve = async (turn: Promise<void> | null, sinceMs: number): Promise<void> => {
      await turn;
      await pool.enter(true);
      for (let left = workMs; left > 0; left -= SLICE_MS) {
        this.#work(Math.min(SLICE_MS, left));
        if (left > SLICE_MS) await this.#turns.pause();
      }
      if (afterMs > 0) {
        await this.#write();
        this.#work(afterMs);
      }
      pool.leave();
      this.#answer();
      if (sinceMs > BEGIN_MS) answeredAfterMs.push(this.#clockMs - sinceMs);
      done++;
      open--;
    };
    return {
      arrive: async () => {
        const due = Math.floor((this.#clockMs / 1000) * perSecond);
        for (; arrived < due; arrived++) {
          if (open >= connections) continue;
          const sinceMs = (1000 * arrived) / perSecond;
          this.#work(READ_MS);
          try {
            open++;
            void serve(pool.begin(), sinceMs);
          } catch {
            open--;
            this.#work(REFUSE_MS);
            this.#answer();
            this.refusedAfterMs.push(this.#clockMs - sinceMs);
          }
          await settle();
        }
      },
      outcome: (): Outcome => ({
        name,
        usedMs: done * (workMs + afterMs + READ_MS),
        askedMs: arrived * (workMs + afterMs + READ_MS),
        answeredAfterMs,
      }),
    };
  }
}

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

/** Loads of each kind; together several times what the thread can do. */
const get = (perSecond: number): Load => ({ name: 'get', workMs: 0.06, afterMs: 0, perSecond, connections: 100 });
const match = (perSecond: number): Load => ({ name: 'match', workMs: 0.6, afterMs: 0, perSecond, connections: 90 });
const terms = (perSecond: number): Load => ({ name: 'terms', workMs: 20, afterMs: 0, perSecond, connections: 50 });
const bulk = (perSecond: number): Load => ({ name: 'bulk', workMs: 10, afterMs: 2, perSecond, connections: 60 });
const scroll = (perSecond: number): Load => ({ name: 'scroll', workMs: 15, afterMs: 0, perSecond, connections: 60 });

const MIXES: Readonly<Record<string, readonly Load[]>> = {
  'of everything': [get(8000), match(7000), terms(400), bulk(100)],
  'of bulks above all': [bulk(700), get(8000), match(150)],
  'of aggregations above all': [terms(1000), match(1500), get(6000)],
  'of scrolls and gets': [scroll(300), get(16_000)],
};

for (const [name, loads] of Object.entries(MIXES))
  test(`in a mix ${name} each kind gets its share of the processor, and refusals come within 50 ms`, async () => {
    const scene = new Scene({ processors: 1, wakeMs: 0 });
    const { outcomes, shareMs } = await scene.run(loads, 1500);
    for (const { name: kind, usedMs, askedMs } of outcomes) {
      const share = usedMs / Math.min(askedMs, shareMs);
      assert.ok(share > 0.7, `${kind}: ${share.toFixed(2)} of its share`);
    }
    assert.ok(percentile99(scene.refusedAfterMs) <= 50, `${percentile99(scene.refusedAfterMs)} ms`);
  });

test('clients that ask again once they are answered do not wait for all others of their kind', async () => {
  for (const mix of ['of everything', 'of aggregations above all']) {
    const scene = new Scene({ processors: 1, wakeMs: 0 });
    const { outcomes, shareMs } = await scene.run(MIXES[mix]!, 8000);
    for (const { name, usedMs, askedMs, answeredAfterMs } of outcomes) {
      const share = usedMs / Math.min(askedMs, shareMs);
      assert.ok(share > 0.6, `${mix}, ${name}: ${share.toFixed(2)} of its share`);
      if (name !== 'bulk')
        assert.ok(
          percentile99(answeredAfterMs) < STANDING_MS_MAX,
          `${mix}, ${name}: ${percentile99(answeredAfterMs)} ms`,
        );
    }
    assert.ok(percentile99(scene.refusedAfterMs) <= 50, `${percentile99(scene.refusedAfterMs)} ms`);
  }
});

test('time in which other programs have the processor is charged to nobody', async () => {
  const scene = new Scene({ processors: 0.4, wakeMs: 4 });
  const { outcomes } = await scene.run([get(3000), terms(100), bulk(50)], 4000);
  // What refusals cost is lost to all.
  const shareMs = outcomes.reduce((sum, { usedMs }) => sum + usedMs, 0) / outcomes.length;
  for (const { name, usedMs, askedMs } of outcomes) {
    const share = usedMs / Math.min(askedMs, shareMs);
    assert.ok(share > 0.6, `${name}: ${share.toFixed(2)} of its share`);
  }
});

test('under any mix of costs and rates each kind gets its share', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const random: Random = seededRandom(seed);
    const loads = Array.from({ length: 2 + Math.floor(random.next() * 3) }, (_, i): Load => {
      const workMs = 0.05 * 400 ** random.next();
      const afterMs = random.next() < 0.4 ? workMs * random.next() : 0;
      const perSecond = Math.min(4000, ((1 + 2 * random.next()) * 1000) / (workMs + afterMs));
      return { name: `k${i}`, workMs, afterMs, perSecond, connections: 100 };
    });
    const { outcomes, shareMs } = await new Scene({ processors: 1, wakeMs: 0 }).run(loads, 1000);
    for (const { name, usedMs, askedMs } of outcomes) {
      const share = usedMs / Math.min(askedMs, shareMs);
      assert.ok(share > 0.6, `seed ${seed}, ${name}: ${share.toFixed(2)} of its share; ${JSON.stringify(loads)}`);
    }
  }
});
