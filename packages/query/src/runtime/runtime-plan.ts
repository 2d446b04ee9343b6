import { errors } from '@shoal/errors';
import type { Mapping } from '@shoal/mapping';
import type { Plan, RuntimeLeaf } from '../plan.js';

const LEAVES: ReadonlySet<Plan['kind']> = new Set<RuntimeLeaf['kind']>([
  'term',
  'terms',
  'multiTerm',
  'value',
  'numbers',
  'exists',
  'geo',
]);

/**
 * Returns a plan in which conditions on runtime fields are tested document by document, instead of looked up. Throws if
 * the cluster allows no expensive queries.
 */
export function withRuntimePlans(plan: Plan, mapping: Mapping, allowsExpensive: boolean): Plan {
  return mapping.runtime.size === 0 ? plan : replaced(plan, mapping, allowsExpensive);
}

function replaced(plan: Plan, mapping: Mapping, allowsExpensive: boolean): Plan {
  const inner = (plans: readonly Plan[]): readonly Plan[] =>
    plans.map((one) => replaced(one, mapping, allowsExpensive));
  switch (plan.kind) {
    case 'bool':
      return {
        ...plan,
        must: inner(plan.must),
        filter: inner(plan.filter),
        should: inner(plan.should),
        mustNot: inner(plan.mustNot),
      };
    case 'disMax':
      return { ...plan, plans: inner(plan.plans) };
    case 'constant': {
      const made = replaced(plan.plan, mapping, allowsExpensive);
      return made.kind === 'runtime' ? { ...made, boost: plan.boost } : { ...plan, plan: made };
    }
    default:
      return isRuntimeLeaf(plan, mapping) ? runtimePlan(plan, allowsExpensive) : plan;
  }
}

function isRuntimeLeaf(plan: Plan, mapping: Mapping): plan is RuntimeLeaf {
  return LEAVES.has(plan.kind) && mapping.field((plan as RuntimeLeaf).field)?.runtime !== undefined;
}

function runtimePlan(plan: RuntimeLeaf, allowsExpensive: boolean): Plan {
  if (!allowsExpensive)
    throw errors.exception(
      'queries cannot be executed against runtime fields while [search.allow_expensive_queries] is set to [false].',
      { status: 400 },
    );
  return { kind: 'runtime', plan: { ...plan, boost: 1 }, boost: plan.boost };
}
