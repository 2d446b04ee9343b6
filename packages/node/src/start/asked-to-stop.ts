/**
 * Resolves with the first SIGTERM or SIGINT from now on, also during a start, which then ends as a running process
 * does. A second signal, or `hardStopMs` after the first, ends the process at once with status 1.
 */
export const askedToStop = (hardStopMs: number): Promise<void> =>
  new Promise((resolve) => {
    let isAsked = false;
    const onSignal = (): void => {
      if (isAsked) process.exit(1);
      isAsked = true;
      setTimeout(() => process.exit(1), hardStopMs).unref();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });
