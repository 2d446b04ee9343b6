export { drawPlan, type PlanOptions } from './plan/draw-plan.js';
export type { Decision, Plan } from './plan/plan.js';
export { simulate, type SimulationResult } from './simulate.js';
export { inOwnTurn } from './time/drain-microtasks.js';
