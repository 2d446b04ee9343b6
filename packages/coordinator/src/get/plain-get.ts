import type { GetDocumentRequest } from './get-request.js';

/** A get of the node itself: the whole document as it was written last. */
export function plainGet(index: string, id: string): GetDocumentRequest {
  return {
    index,
    id,
    routing: null,
    source: true,
    storedFields: null,
    version: null,
    versionType: 'internal',
    realtime: true,
    refresh: false,
    preference: null,
    bareSource: false,
  };
}
