import type { Clock, Random } from '@shoal/doors';
import { compileExtractor } from '@shoal/ingest';
import { installScriptEnvironment } from '@shoal/script';

/** Gives the scripts of this thread their clocks, by which their time is bounded, randomness, grok and dissect. */
export function installScriptDoors(clock: Clock, random: Random): void {
  installScriptEnvironment({
    nowMs: () => clock.monotonic(),
    wallMs: () => clock.now(),
    random: () => random.next(),
    extractor: compileExtractor,
  });
}
