import type { StreamFailure } from '@shoal/automation';
import type { Services } from '../../services.js';
import type { NodeReport } from '../nodes.js';

/** Status of an indicator. */
export type IndicatorStatus = 'green' | 'unknown' | 'yellow' | 'red';

/** A consequence for users; severity 1 is the worst. */
export interface Impact {
  readonly id: string;
  readonly severity: number;
  readonly description: string;
  readonly areas: readonly string[];
}

/** A cause with the action that removes it and the affected resources. */
export interface Diagnosis {
  readonly id: string;
  readonly cause: string;
  readonly action: string;
  readonly helpUrl: string;
  readonly resources: Readonly<Record<string, readonly unknown[]>>;
}

/** Result of an indicator. */
export interface Indication {
  readonly status: IndicatorStatus;
  readonly symptom: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Set if details are shown even without `verbose`, as 8.12 does for some. */
  readonly showsDetails?: true;
  readonly impacts?: readonly Impact[];
  readonly diagnosis?: readonly Diagnosis[];
}

/** What indicators look at. */
export interface HealthFacts {
  readonly services: Services;
  /** Disk usage that the nodes reported. */
  readonly reports: readonly NodeReport[];
  /** Failures of lifecycles of data streams, by the uuid of the index; null if they are unknown. */
  readonly streamFailures: Readonly<Record<string, StreamFailure>> | null;
}

/** One indicator of `_health_report`. */
export type Indicator = (facts: HealthFacts) => Indication;

/** Most impacts in an answer; the worst are kept. */
const IMPACTS_MAX = 3;

/** Formats names as Elasticsearch does in sentences: the first ten. */
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

/** An indicator in the form of the API; `size` is the most resources that a diagnosis lists. */
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
