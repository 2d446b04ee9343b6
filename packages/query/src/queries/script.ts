import { errors } from '@shoal/errors';
import type { QueryType } from '../parsed-query.js';

/** Queries by script are refused: this server runs no scripts in searches. */
export const script: QueryType = {
  name: 'script',
  parse: (_body, container) => {
    throw errors.parsing('[script] query is not supported: scripts are not available in search', {
      location: { container, key: 'script' },
    });
  },
};
