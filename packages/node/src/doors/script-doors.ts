import type { Clock, Random } from '@shoal/doors';
import { compileExtractor } from '@shoal/ingest';
import { installScriptEnvironment } from '@shoal/script';

const MICROSECONDS_IN_MS = 1000;

/** Milliseconds of processor of the process, its other threads included: what other programs take does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS_IN_MS;
}

/** Gives the scripts of this thread their clocks, by which their time is bounded, randomness, grok and dissect. */
export function installScriptDoors(clock: Clock, random: Random): void {
  installScriptEnvironment({
    nowMs: () => clock.monotonic(),
    processorMs,
    wallMs: () => clock.now(),
    random: () => random.next(),
    extractor: compileExtractor,
  });
}
