/** How full a gauge is, in hundredths: between empty and full, whatever the number. */
export const gaugeShare = (value: number, full: number): number =>
  full > 0 ? Math.min(100, Math.max(0, (100 * value) / full)) : 0;

const HALF_CIRCLE = 'M 10 55 A 45 45 0 0 1 100 55';

/** Half a circle that is filled as far as a number has come. The number is beside; hidden from screen readers. */
export function GaugeChart({ share }: { readonly share: number }) {
  return (
    <svg class="gauge-chart" viewBox="0 0 110 65" aria-hidden="true">
      <path class="gauge-way" d={HALF_CIRCLE} />
      {share > 0 && (
        <path class="ring ring-1" d={HALF_CIRCLE} pathLength="100" stroke-dasharray={`${share.toFixed(2)} 200`} />
      )}
    </svg>
  );
}
