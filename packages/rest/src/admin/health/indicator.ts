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
  /** 8.12 shows some details even where nobody asks for more than the status. */
  readonly showsDetails?: true;
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

/** Impacts that are shown at most, the worst. */
const IMPACTS_MAX = 3;

/** Names as Elasticsearch lists them in sentences: the first ten. */
export function shownNames(names: readonly string[]): string {
  return `[${names.slice(0, 10).join(', ')}${names.length > 10 ? ', ...' : ''}]`;
}

function diagnosisJson(
  prefix: string,
  { id, cause, action, helpUrl, resources }: Diagnosis,
  size: number,
): Record<string, unknown> {
  const affected = Object.entries(resources)
    .filter(([, items]) => items.length > 0)
    .map(([kind, items]) => [kind, items.slice(0, size)] as const);
  return {
    id: `${prefix}:diagnosis:${id}`,
    cause,
    action,
    help_url: helpUrl,
    ...(affected.length > 0 ? { affected_resources: Object.fromEntries(affected) } : {}),
  };
}

/** As the API shows it; `size` bounds the resources that a diagnosis names. */
export function indicationJson(
  name: string,
  { status, symptom, details, showsDetails, impacts = [], diagnosis = [] }: Indication,
  verbose: boolean,
  size: number,
): Record<string, unknown> {
  const prefix = `elasticsearch:health:${name}`;
  const worst = impacts.toSorted((a, b) => a.severity - b.severity).slice(0, IMPACTS_MAX);
  return {
    status,
    symptom,
    ...((verbose || showsDetails) && details ? { details } : {}),
    ...(worst.length > 0
      ? {
          impacts: worst.map(({ id, severity, description, areas }) => ({
            id: `${prefix}:impact:${id}`,
            severity,
            description,
            impact_areas: areas,
          })),
        }
      : {}),
    ...(verbose && diagnosis.length > 0 ? { diagnosis: diagnosis.map((one) => diagnosisJson(prefix, one, size)) } : {}),
  };
}
