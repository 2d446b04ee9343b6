interface LifecyclePolicy {
  readonly policy?: { readonly phases?: Readonly<Record<string, { readonly min_age?: string }>> };
}

const PHASES = ['hot', 'warm', 'cold', 'frozen', 'delete'];

/** Phases in their order with their ages: `hot, delete after 90d`. */
export function phasesText(json: unknown): string {
  const phases = (json as LifecyclePolicy).policy?.phases ?? {};
  return PHASES.filter((name) => phases[name] !== undefined)
    .map((name) => {
      const age = phases[name]!.min_age ?? '0ms';
      return /^0+[a-z]*$/.test(age) ? name : `${name} after ${age}`;
    })
    .join(', ');
}
