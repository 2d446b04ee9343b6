import type { Plan } from '../plan.js';

/** Returns the plan of documents that have a token: they score by its weight in them, times `boost`. */
export const tokenPlan = (field: string, token: string, boost: number): Plan => ({
  kind: 'rankFeature',
  field: `${field}.${token}`,
  of: [field, token],
  score: { kind: 'linear' },
  boost,
});
