import type { Plan } from '../plan.js';

/** The members of the union `Plan` with one `kind`. */
export type PlanOf<K extends Plan['kind']> = Extract<Plan, { kind: K }>;
