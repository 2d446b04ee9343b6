// Random choices that generators are written with: the same seed gives the same requests.
import { choices } from '../fuzz/random.mjs';

/** Choices of one seed; `options` makes an object of some of the given options, `weighted` prefers what weighs more. */
export function chooser(seed) {
  const c = choices(seed);
  const between = (low, high) => low + c.below(high - low + 1);
  const list = (min, max, make) => Array.from({ length: between(min, max) }, () => make());
  return {
    ...c,
    between,
    list,
    maybe: (probability, make, otherwise) => (c.chance(probability) ? make() : otherwise),
    options: (makers, probability = 0.25) =>
      Object.fromEntries(
        Object.entries(makers)
          .filter(() => c.chance(probability))
          .map(([name, make]) => [name, make()]),
      ),
    several(all, max) {
      const rest = [...all];
      const taken = [];
      for (let i = between(1, max); i > 0 && rest.length > 0; i--) taken.push(rest.splice(c.below(rest.length), 1)[0]);
      return taken;
    },
    weighted(table) {
      let at = c.next() * Object.values(table).reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of Object.values(table)) if ((at -= weight) < 0) return value;
      return Object.values(table).at(-1)[1];
    },
    decimal: (low, high) => Math.round((low + c.next() * (high - low)) * 100) / 100,
    bool: () => c.chance(0.5),
  };
}
