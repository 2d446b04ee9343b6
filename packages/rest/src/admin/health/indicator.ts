import type { Services } from '../../services.js';
import type { NodeReport } from '../nodes.js';

export type IndicatorStatus = 'green' | 'unknown' | 'yellow' | 'red';

/** What does not work any more, 1 being worst. */
export interface Impact {
  readonly id: string;
  readonly severity: number;
  readonly description: string;
  readonly areas: readonly string[];
}

export interface Diagnosis {
  readonly id: string;
  readonly cause: string;
  readonly action: string;
  readonly helpUrl: string;
  readonly resources: Readonly<Record<string, readonly unknown[]>>;
}

export interface Indication {
  readonly status: IndicatorStatus;
  readonly symptom: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly impacts?: readonly Impact[];
  readonly diagnosis?: readonly Diagnosis[];
}

/** Services, and what the nodes that answered say of their disks. */
export interface HealthFacts {
  readonly services: Services;
  readonly reports: readonly NodeReport[];
}

/** One thing that `_health_report` watches. */
export type Indicator = (facts: HealthFacts) => Indication;

/** As the API shows it; `size` bounds the resources that a diagnosis names. */
export function indicationJson(name: string, { status, symptom, details, impacts = [], diagnosis = [] }: Indication, verbose: boolean, size: number): Record<string, unknown> {
  const prefix = `elasticsearch:health:${name}`;
  const shown = diagnosis.map(({ id, cause, action, helpUrl, resources }) => ({
    id: `${prefix}:diagnosis:${id}`,
    cause,
    action,
    help_url: helpUrl,
    affected_resources: Object.fromEntries(Object.entries(resources).map(([kind, items]) => [kind, items.slice(0, size)])),
  }));
  return {
    status,
    symptom,
    ...(verbose && details ? { details } : {}),
    ...(impacts.length > 0 ? { impacts: impacts.map(({ id, severity, description, areas }) => ({ id: `${prefix}:impact:${id}`, severity, description, impact_areas: areas })) } : {}),
    ...(verbose && shown.length > 0 ? { diagnosis: shown } : {}),
  };
}
