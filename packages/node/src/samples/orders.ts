import { type City, readCities } from './cities.js';
import { drawFrom, type Draw, keyword, type SampleDocument, type SampleSet, textAndRaw } from './sample-set.js';

const SIZE = 5_000;
const DAY_MS = 86_400_000;
const DAYS = 90;
const SEED = 2;
/** Orders of the last days are still on their way. */
const DELIVERED_AFTER_DAYS = 5;
/** Customers live in the largest cities. */
const CITIES = 300;

/** What the shop sells: name, category, price in euros. */
const PRODUCTS: readonly (readonly [name: string, category: string, price: number])[] = [
  ['Cast iron pan, 26 cm', 'pans', 39.9],
  ['Carbon steel wok', 'pans', 44.5],
  ['Enamelled casserole, 5 litres', 'pans', 119],
  ['Saucepan with lid', 'pans', 29.9],
  ['Chef’s knife, 20 cm', 'knives', 79],
  ['Bread knife', 'knives', 34.9],
  ['Paring knife', 'knives', 14.5],
  ['Whetstone, grit 1000 and 6000', 'knives', 32],
  ['Oak cutting board', 'boards', 48],
  ['Bamboo cutting board', 'boards', 19.9],
  ['Proofing basket for bread', 'baking', 16.9],
  ['Loaf tin', 'baking', 12.5],
  ['Springform tin, 24 cm', 'baking', 18.9],
  ['Rolling pin, beech', 'baking', 13.9],
  ['Digital kitchen scales', 'baking', 24.9],
  ['Spice grinder', 'tools', 29.5],
  ['Box grater', 'tools', 17.9],
  ['Mortar and pestle, granite', 'tools', 36],
  ['Silicone spatula', 'tools', 8.9],
  ['Stick blender', 'appliances', 59],
  ['Espresso maker, six cups', 'appliances', 33.5],
  ['Electric kettle', 'appliances', 42],
  ['Linen apron', 'textiles', 27.5],
  ['Tea towels, set of three', 'textiles', 15.9],
];
const FIRST = ['Ada', 'Ben', 'Chloe', 'Daniel', 'Elif', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Kavya', 'Liam'];
const LAST = ['Almeida', 'Berg', 'Costa', 'Diaz', 'Eriksen', 'Fontaine', 'Gupta', 'Haas', 'Ito', 'Jansen', 'Kaya'];
const NOTES = [
  'Please leave the parcel with the neighbour.',
  'Gift, please wrap it and leave the invoice out.',
  'The bell does not work, please knock.',
  'Deliver after six in the evening.',
  'The last one arrived broken, please pack it well.',
];

/** Orders of a shop for kitchen ware over the 90 days before now, with nested lines and the place of delivery. */
export const orders: SampleSet = {
  index: 'sample-orders',
  about: 'orders of a shop for kitchen ware over the last 90 days, with nested lines',
  size: SIZE,
  properties: {
    ordered_at: { type: 'date' },
    status: keyword,
    payment: keyword,
    customer: { properties: { name: textAndRaw, email: keyword } },
    deliver_to: { properties: { city: keyword, country: keyword, location: { type: 'geo_point' } } },
    lines: {
      type: 'nested',
      properties: {
        product: textAndRaw,
        category: keyword,
        quantity: { type: 'integer' },
        price: { type: 'double' },
      },
    },
    total: { type: 'double' },
    note: { type: 'text' },
  },
  *documents(nowMs: number): Generator<SampleDocument> {
    const draw = drawFrom(SEED);
    const places = readCities().slice(0, CITIES);
    const times = Array.from({ length: SIZE }, () => nowMs - draw.whole(0, DAYS * DAY_MS - 1)).toSorted(
      (a, b) => a - b,
    );
    for (const [i, at] of times.entries()) yield { id: String(10_000 + i), source: order(at, nowMs, places, draw) };
  },
};

function order(at: number, nowMs: number, places: readonly City[], draw: Draw): SampleDocument['source'] {
  const name = `${draw.often(FIRST)} ${draw.one(LAST)}`;
  const { name: city, country, lat, lon } = draw.often(places);
  const lines = draw.some(PRODUCTS, draw.whole(1, 4)).map(([product, category, price]) => ({
    product,
    category,
    quantity: draw.often([1, 2, 3, 6]),
    price,
  }));
  const cents = lines.reduce((sum, { quantity, price }) => sum + quantity * Math.round(price * 100), 0);
  return {
    ordered_at: new Date(at).toISOString(),
    status: statusOf(nowMs - at, draw),
    payment: draw.often(['card', 'invoice', 'transfer']),
    customer: { name, email: `${name.toLowerCase().replace(' ', '.')}@example.org` },
    deliver_to: { city, country, location: { lat, lon } },
    lines,
    total: cents / 100,
    ...(draw.chance(0.15) ? { note: draw.one(NOTES) } : {}),
  };
}

function statusOf(ageMs: number, draw: Draw): string {
  if (draw.chance(0.03)) return 'cancelled';
  if (ageMs > DELIVERED_AFTER_DAYS * DAY_MS) return draw.chance(0.06) ? 'returned' : 'delivered';
  return draw.one(['paid', 'packed', 'sent']);
}
