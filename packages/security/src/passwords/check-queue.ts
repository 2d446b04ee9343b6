import { errors } from '@shoal/errors';

/** Who waits for a check: an address or a network, and how suspicious it is: 0 for sources that have logged in. */
export interface CheckSource {
  readonly name: string;
  /** Sources with less suspicion go first; from `SUSPICIOUS` on a source leaves one turn to others. */
  readonly suspicion: number;
}

/** Suspicion of a source that has failed. */
export const SUSPICIOUS = 2;

/** Checks at a time. */
const RUNNING_MAX = 2;
/** Checks of sources that have failed, at a time: others never wait for a turn that guessing holds. */
const SUSPICIOUS_RUNNING_MAX = 1;
const WAITING_MAX = 256;
const SOURCE_WAITING_MAX = 64;

interface WaitingCheck {
  readonly source: CheckSource;
  start(): void;
  refuse(error: Error): void;
}

/**
 * Turns of checks that cost tens of milliseconds each. The least suspicious source goes first, and equal ones one after
 * the other, each with one check. If too many wait, the most suspicious is refused with 429.
 *
 * Guessing from 300 addresses fills a plain queue, and then refuses those who know their password: here each address
 * has failed after its first guess, so that its next one waits behind all others and is the first to be refused.
 */
export interface CheckQueue {
  run<T>(source: CheckSource, work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
  /** Number of checks that were refused so far. */
  readonly refused: number;
}

/** Creates an empty queue. */
export function createCheckQueue(): CheckQueue {
  const waiting: WaitingCheck[] = [];
  const running = { all: 0, suspicious: 0 };
  let refused = 0;

  const isFree = ({ suspicion }: CheckSource): boolean =>
    running.all < RUNNING_MAX && (suspicion < SUSPICIOUS || running.suspicious < SUSPICIOUS_RUNNING_MAX);

  const refuse = (check: WaitingCheck): void => {
    refused++;
    check.refuse(
      errors.rejectedExecution(`rejected execution of a password check: ${running.all} run and ${waiting.length} wait`),
    );
  };

  const enter = (check: WaitingCheck): void => {
    waiting.push(check);
    const worst = tooMuch(waiting, check.source);
    if (worst === -1) return;
    refuse(waiting.splice(worst, 1)[0]!);
  };

  const startNext = (): void => {
    const next = nextOf(waiting, isFree);
    if (next === -1) return;
    const [check] = waiting.splice(next, 1);
    yieldToOthers(waiting, check!.source.name);
    check!.start();
  };

  const begin = ({ suspicion }: CheckSource): void => {
    running.all++;
    if (suspicion >= SUSPICIOUS) running.suspicious++;
  };
  const end = ({ suspicion }: CheckSource): void => {
    running.all--;
    if (suspicion >= SUSPICIOUS) running.suspicious--;
    startNext();
  };

  return {
    async run(source, work) {
      if (isFree(source)) begin(source);
      else
        await new Promise<void>((resolve, reject) =>
          enter({
            source,
            start() {
              begin(source);
              resolve();
            },
            refuse: reject,
          }),
        );
      try {
        return await work();
      } finally {
        end(source);
      }
    },
    get waiting() {
      return waiting.length;
    },
    get refused() {
      return refused;
    },
  };
}

/** Index of the check to start: the first of the least suspicion among those that may run; -1 for none. */
function nextOf(waiting: readonly WaitingCheck[], isFree: (source: CheckSource) => boolean): number {
  let best = -1;
  for (let i = 0; i < waiting.length; i++) {
    const { source } = waiting[i]!;
    if ((best === -1 || source.suspicion < waiting[best]!.source.suspicion) && isFree(source)) best = i;
  }
  return best;
}

/** Moves the other checks of a source, of which one has started, behind those of all other sources. */
function yieldToOthers(waiting: WaitingCheck[], name: string): void {
  const own = waiting.filter(({ source }) => source.name === name);
  if (own.length === 0) return;
  const others = waiting.filter(({ source }) => source.name !== name);
  waiting.splice(0, waiting.length, ...others, ...own);
}

/**
 * Index of the check to refuse, -1 for none. If the source that entered last waits too often, its last check. If too
 * many wait, the last check of the most suspicious source, of several the one that waits most often.
 */
function tooMuch(waiting: readonly WaitingCheck[], entered: CheckSource): number {
  const counts = new Map<string, number>();
  for (const { source } of waiting) counts.set(source.name, (counts.get(source.name) ?? 0) + 1);
  if (counts.get(entered.name)! > SOURCE_WAITING_MAX) return waiting.length - 1;
  if (waiting.length <= WAITING_MAX) return -1;
  let worst = 0;
  for (let i = 1; i < waiting.length; i++) {
    const [a, b] = [waiting[i]!.source, waiting[worst]!.source];
    const isWorse =
      a.suspicion > b.suspicion || (a.suspicion === b.suspicion && counts.get(a.name)! >= counts.get(b.name)!);
    if (isWorse) worst = i;
  }
  return worst;
}
