import type { DetectorModel } from './detector-model.js';
import type { DetectorRule, DetectorSpec, RuleCondition, RuleVerdict, SplitValues } from './detector.js';

const PASSES: ReturnType<RuleVerdict> = { report: true, learn: true };

function holds({ appliesTo, operator, value }: RuleCondition, actual: number, typical: number, time: number): boolean {
  const x =
    appliesTo === 'actual'
      ? actual
      : appliesTo === 'typical'
        ? typical
        : appliesTo === 'time'
          ? time
          : Math.abs(actual - typical);
  if (operator === 'gt') return x > value;
  if (operator === 'gte') return x >= value;
  return operator === 'lt' ? x < value : x <= value;
}

function inScope({ scope }: DetectorRule, spec: DetectorSpec, { partition, by, over }: SplitValues): boolean {
  return scope.every(({ field, includes, items }) => {
    const value = field === spec.partition ? partition : field === spec.by ? by : field === spec.over ? over : null;
    return value !== null && items.has(value) === includes;
  });
}

/** Returns what the rules of a detector say of its values, by the time of their bucket in seconds. */
export function ruleVerdict(model: DetectorModel): (time: number) => RuleVerdict {
  const { spec } = model;
  if (spec.rules.length === 0) return () => () => PASSES;
  return (time) => (series, actual, typical) => {
    const splits = model.splitsOf(series);
    const verdict = { report: true, learn: true };
    for (const rule of spec.rules) {
      if (!inScope(rule, spec, splits)) continue;
      if (!rule.conditions.every((condition) => holds(condition, actual, typical, time))) continue;
      if (rule.skipsResult) verdict.report = false;
      if (rule.skipsUpdate) verdict.learn = false;
    }
    return verdict;
  };
}
