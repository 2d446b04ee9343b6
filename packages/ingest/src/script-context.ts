import { setOwn } from '@shoal/json';
import type { IngestDocument } from './document.js';
import { checkMetadata, isMetadata } from './metadata.js';

/** Returns the variable `ctx` of a script: fields and metadata of the document side by side. */
export function documentContext(document: IngestDocument): Record<string, unknown> {
  const { source, metadata } = document;
  // `Object.assign` takes 0.1 us for ten fields, object spread 2.5 us, but it would set the prototype by this key.
  return Object.hasOwn(source, '__proto__') ? { ...source, ...metadata } : Object.assign({}, source, metadata);
}

/** Puts what a script left in `ctx` back into the document. Throws if a metadata field does not accept its value. */
export function takeContext(document: IngestDocument, ctx: Record<string, unknown>): void {
  for (const key of Object.keys(document.source)) if (!Object.hasOwn(ctx, key)) delete document.source[key];
  for (const key of Object.keys(document.metadata)) {
    if (Object.hasOwn(ctx, key)) continue;
    checkMetadata(key, null, 'removed');
    delete document.metadata[key];
  }
  for (const key of Object.keys(ctx)) {
    const target = isMetadata(key) ? document.metadata : document.source;
    if (Object.hasOwn(target, key) && target[key] === ctx[key]) continue;
    if (target === document.metadata) checkMetadata(key, ctx[key] ?? null, 'null');
    setOwn(target, key, ctx[key]);
  }
}
