export { type HuntResult, hunt } from './mutations/hunt.js';
export type { Mutation } from './mutations/mutation.js';
export { MUTATIONS } from './mutations/mutations.js';
export { drawPlan, type PlanOptions } from './plan/draw-plan.js';
export type { Decision, Plan, PlannedWrite, Profile } from './plan/plan.js';
export { shrink, type Shrunk } from './shrink.js';
export { simulate, type SimulationResult } from './simulate.js';
export { inOwnTurn } from './time/drain-microtasks.js';
