import type { Plan } from '../plan.js';

/** The plans of one kind. */
export type PlanOf<K extends Plan['kind']> = Extract<Plan, { kind: K }>;
