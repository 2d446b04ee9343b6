/** Kinds of charts of Kibana that have a counterpart. */
export type KibanaChart = 'xy' | 'pie' | 'table' | 'metric' | 'gauge' | 'heat_map';

/** What a panel of ours is saved with, beside its id, title and width. */
export type DashboardPanel = Readonly<Record<string, unknown>> & { readonly kind: string };

/** A part of a chart: what makes buckets, or what is measured in them. */
export type ChartPart =
  | { readonly bucket: 'date_histogram' | 'terms'; readonly field: string }
  | { readonly op: string; readonly field: string };

/** A panel of the parts of a chart; null if one of them is not known (null), or they do not fit any kind of ours. */
export function dashboardPanel(
  chart: KibanaChart,
  indices: string,
  parts: readonly (ChartPart | null)[],
): DashboardPanel | null {
  const known = parts.filter((part) => part !== null);
  const measures = known.filter((part) => 'op' in part);
  const times = known.filter((part) => 'bucket' in part && part.bucket === 'date_histogram');
  const terms = known.filter((part) => 'bucket' in part && part.bucket === 'terms');
  const [measure] = measures;
  if (known.length < parts.length || measures.length !== 1 || measure === undefined) return null;
  const base = { indices, measure };
  const fits = (timeCount: number, termCount: number): boolean =>
    times.length === timeCount && terms.length === termCount;
  const time = times[0]?.field ?? '';
  const term = terms[0]?.field ?? '';
  switch (chart) {
    case 'xy':
      if (fits(1, 0) || fits(1, 1)) return { ...base, kind: 'date_histogram', field: time, split: term };
      return fits(0, 1) ? { ...base, kind: 'terms', field: term } : null;
    case 'pie':
      return fits(0, 1) && ['count', 'sum'].includes(measure.op) ? { ...base, kind: 'pie', field: term } : null;
    case 'table':
      return fits(0, 1) ? { ...base, kind: 'table', field: term } : null;
    case 'heat_map':
      return fits(1, 1) ? { ...base, kind: 'heat_map', field: term } : null;
    default:
      return fits(0, 0) ? { ...base, kind: chart } : null;
  }
}
