import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Libraries of rarely used media types, loaded on first use: they would add 40 ms to each start. */
export const rareFormats = {
  yaml: (): typeof import('yaml') => load('yaml') as typeof import('yaml'),
  cbor: (): typeof import('cbor-x') => load('cbor-x') as typeof import('cbor-x'),
};
