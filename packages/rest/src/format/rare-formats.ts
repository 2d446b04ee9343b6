import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** The library of a rarely used media type, loaded on first use: it would add 40 ms to each start. */
export const rareFormats = {
  yaml: (): typeof import('yaml') => load('yaml') as typeof import('yaml'),
};
