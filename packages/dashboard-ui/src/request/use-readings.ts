import { useRef, useState } from 'preact/hooks';
import type { Reading } from '../charts/readings.js';
import { usePolling } from '../state/polling.js';
import { clusterHealth, reloads } from '../state/session.js';
import { type Answer, isOfMoment, isToldByFrame, noted, ownCall } from './own-call.js';

/** What the server has noted of the cluster, and how the last question for it went. */
export interface Readings {
  /** Of the last 15 minutes, the oldest first; those of before stay while a question fails. */
  readonly readings: readonly Reading[] | null;
  /** Milliseconds since the last reading, by the server's clock. */
  readonly ageMs: number;
  /** The answer to a user who lacks the privilege. */
  readonly refusal: Answer | null;
  /** Another answer that is none. A cluster or a server that does not answer is told by the frame. */
  readonly failure: Answer | null;
  readonly again: () => void;
}

/** The answer of the server. */
interface Taken {
  readonly readings: readonly Reading[];
  /** Whether the cluster answered when the last one was to be taken. */
  readonly is_current: boolean;
  /** The server's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** Asks for the readings at once and every `pauseMs`. */
export function useReadings(pauseMs: number): Readings {
  const [readings, setReadings] = useState<readonly Reading[] | null>(null);
  const [ageMs, setAgeMs] = useState(0);
  const [bad, setBad] = useState<Answer | null>(null);
  const [attempts, setAttempts] = useState(0);
  const isSecond = useRef(false);
  usePolling(
    async (signal) => {
      const answer = noted(await ownCall('GET', '/api/home', { signal, isPolling: true }));
      if (answer.status === 200) {
        const { readings: taken, is_current: isCurrent, now } = answer.json as Taken;
        // The header looks every few seconds: it must not say yellow over a page that says green.
        const last = taken.at(-1);
        if (isCurrent && last !== undefined) clusterHealth.value = last.status;
        setReadings(taken);
        setAgeMs(last === undefined ? 0 : now - last.at);
      }
      const isChance = isOfMoment(answer) && !isSecond.current;
      isSecond.current = isOfMoment(answer);
      setBad(answer.status === 200 || isChance ? null : answer);
    },
    pauseMs,
    [reloads.value, attempts],
  );
  return {
    readings,
    ageMs,
    refusal: bad?.status === 403 ? bad : null,
    failure: bad !== null && bad.status !== 403 && !isToldByFrame(bad) ? bad : null,
    again: () => setAttempts(attempts + 1),
  };
}
