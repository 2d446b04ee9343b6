import { errors } from '@shoal/errors';
import type { SecurityDocument, SecurityDocuments, SecurityIndex } from './documents.js';

/** Documents in memory, for tests; a search returns all documents of the index. */
export function memoryDocuments(): SecurityDocuments {
  const stored = new Map<SecurityIndex, Map<string, SecurityDocument>>();
  const of = (index: SecurityIndex): Map<string, SecurityDocument> => {
    const documents = stored.get(index) ?? new Map<string, SecurityDocument>();
    stored.set(index, documents);
    return documents;
  };
  return {
    get: async (index, id) => of(index).get(id) ?? null,
    async create(index, id, source) {
      if (of(index).has(id)) throw errors.versionConflict(`[${id}]: version conflict, document already exists`);
      of(index).set(id, { id, source, seqNo: 0, primaryTerm: 1 });
    },
    async replace(index, read, source) {
      const kept = of(index).get(read.id);
      if (!kept || kept.seqNo !== read.seqNo) return false;
      of(index).set(read.id, { ...read, source, seqNo: read.seqNo + 1 });
      return true;
    },
    remove: async (index, id) => void of(index).delete(id),
    async search(index) {
      const documents = [...of(index).values()];
      return { total: documents.length, documents };
    },
  };
}
