import { useEffect, useRef, useState } from 'preact/hooks';

/** Pauses between searches that are made by themselves, in seconds; 0 for none. */
export const PAUSES: readonly (readonly [seconds: number, name: string])[] = [
  [0, 'Off'],
  [1, 'Live'],
  [5, '5 seconds'],
  [10, '10 seconds'],
  [30, '30 seconds'],
  [60, '1 minute'],
  [300, '5 minutes'],
];

/** A search that is repeated. */
export interface Live {
  readonly seconds: number;
  readonly choose: (seconds: number) => void;
}

/** Repeats a search while the page is visible, never before the last one is over; it ends with the page. */
export function useLive(again: (isPolling: boolean) => void, isBusy: boolean): Live {
  const [seconds, choose] = useState(0);
  const busy = useRef(isBusy);
  busy.current = isBusy;
  useEffect(() => {
    if (seconds === 0) return;
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible' && !busy.current) again(true);
    }, seconds * 1_000);
    return () => window.clearInterval(timer);
  }, [seconds]);
  return { seconds, choose };
}
