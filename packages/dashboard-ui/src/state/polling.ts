import { useEffect } from 'preact/hooks';

/**
 * Runs `work` at once and again `pauseMs` after each end, while the page is visible; cancels it when the component
 * goes. `again` values start it anew.
 */
export function usePolling(
  work: (signal: AbortSignal) => Promise<void>,
  pauseMs: number,
  again: readonly unknown[],
): void {
  useEffect(() => {
    const abort = new AbortController();
    let timer: number | undefined;
    const run = async (): Promise<void> => {
      window.clearTimeout(timer);
      if (document.visibilityState === 'visible') await work(abort.signal).catch(() => undefined);
      if (!abort.signal.aborted) timer = window.setTimeout(() => void run(), pauseMs);
    };
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void run();
    };
    document.addEventListener('visibilitychange', onVisible);
    void run();
    return () => {
      abort.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, again);
}

/** Waits for some milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, ms));
