/** Widths of columns in pixels by field; a column without one shares what is left. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** Narrowest and widest column, and the step of a key, in pixels. */
export const WIDTH_PX = { least: 48, most: 1_000, step: 16 } as const;

/** A width within its bounds. */
export const boundWidth = (px: number): number => Math.min(WIDTH_PX.most, Math.max(WIDTH_PX.least, Math.round(px)));

/** Widths with that of one column changed; null gives it its default again. */
export function withWidth(widths: ColumnWidths, name: string, px: number | null): ColumnWidths {
  const others = Object.entries(widths).filter(([other]) => other !== name);
  return Object.fromEntries(px === null ? others : [...others, [name, boundWidth(px)]]);
}

/** The width that a key gives a column; null if the key means nothing to it. */
export function widthAfterKey(key: string, isShift: boolean, px: number): number | null {
  if (!isShift || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return null;
  return boundWidth(px + (key === 'ArrowRight' ? WIDTH_PX.step : -WIDTH_PX.step));
}

/** Reads `field:px` parts of an address, whose names are written as those of columns; null if one is none. */
export function readWidths(text: string): ColumnWidths | null {
  const widths: (readonly [string, number])[] = [];
  for (const part of text.split(',').filter(Boolean)) {
    const found = /^(.+):(\d{1,5})$/s.exec(part);
    const name = found === null ? null : decoded(found[1]!);
    if (name === null) return null;
    widths.push([name, boundWidth(Number(found![2]))]);
  }
  return Object.fromEntries(widths);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Writes widths for an address. */
export const widthsText = (widths: ColumnWidths): string =>
  Object.entries(widths)
    .map(([name, px]) => `${name.replace(/[%,]/g, encodeURIComponent)}:${px}`)
    .join(',');

/** What of a grid's columns is known where they are laid out. */
interface GridColumns {
  readonly names: readonly string[];
  readonly timeField: string | null;
  /** Whether a last column shows whole documents. */
  readonly hasSummary: boolean;
  readonly widths: ColumnWidths;
}

/** Tracks of columns as CSS has them: that of time holds an ISO date with milliseconds in wide fonts, too. */
export function columnTracks({ names, timeField, hasSummary, widths }: GridColumns): string {
  const track = (name: string): string => {
    if (Object.hasOwn(widths, name)) return `${widths[name]}px`;
    return name === timeField ? '16.5rem' : 'minmax(8rem, 1fr)';
  };
  return ['4.5rem', ...names.map(track), ...(hasSummary ? ['minmax(16rem, 1fr)'] : [])].join(' ');
}
