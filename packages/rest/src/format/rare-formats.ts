import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * Libraries of media types that few clients ask for, loaded by the first that does: they would take 40 ms of each
 * start.
 */
export const rareFormats = {
  yaml: (): typeof import('yaml') => load('yaml') as typeof import('yaml'),
  cbor: (): typeof import('cbor-x') => load('cbor-x') as typeof import('cbor-x'),
};
