import { drawFrom, type Draw, keyword, type SampleDocument, type SampleSet, textAndRaw } from './sample-set.js';
import { DISHES, type Dish, FRUITS, GRAINS, HERBS, LEGUMES, SPICES, VEGETABLES } from './recipe-words.js';

const SIZE = 500;
const SEED = 3;
const DAY_MS = 86_400_000;
const DAYS = 700;

/** Recipes: texts to search, put together from dishes, vegetables, grains, herbs and spices. */
export const recipes: SampleSet = {
  index: 'sample-recipes',
  about: 'recipes: texts to search, suggest and highlight',
  size: SIZE,
  properties: {
    title: textAndRaw,
    title_suggest: { type: 'completion' },
    summary: { type: 'text', analyzer: 'english' },
    steps: { type: 'text', analyzer: 'english' },
    ingredients: keyword,
    course: keyword,
    minutes: { type: 'integer' },
    serves: { type: 'integer' },
    is_vegetarian: { type: 'boolean' },
    rating: { type: 'float' },
    published: { type: 'date', format: 'yyyy-MM-dd' },
  },
  *documents(nowMs: number): Generator<SampleDocument> {
    const draw = drawFrom(SEED);
    const titles = new Set<string>();
    while (titles.size < SIZE) {
      const source = recipe(nowMs, draw);
      if (titles.has(source.title)) continue;
      titles.add(source.title);
      yield { id: String(titles.size), source };
    }
  },
};

function recipe(nowMs: number, draw: Draw): SampleDocument['source'] & { readonly title: string } {
  const dish = draw.one(DISHES);
  const parts = partsOf(draw);
  const fill = (text: string): string => sentence(text.replace(/\{(\w+)\}/g, (_, name: keyof Parts) => parts[name]));
  const title = fill(dish.title);
  return {
    title,
    title_suggest: { input: [title, ...title.split(/ (?:with|and|in) /)] },
    summary: fill(draw.one(dish.summaries)),
    steps: dish.steps.map(fill).join(' '),
    ingredients: ingredientsOf(dish, parts),
    course: dish.course,
    minutes: dish.minutes + 5 * draw.whole(0, 4),
    serves: draw.one([2, 4, 4, 6]),
    is_vegetarian: dish.isVegetarian,
    rating: draw.whole(28, 50) / 10,
    published: new Date(nowMs - draw.whole(0, DAYS) * DAY_MS).toISOString().slice(0, 10),
  };
}

interface Parts {
  readonly vegetable: string;
  readonly other: string;
  readonly legume: string;
  readonly grain: string;
  readonly herb: string;
  readonly spice: string;
  readonly fruit: string;
}

function partsOf(draw: Draw): Parts {
  const [vegetable, other] = draw.some(VEGETABLES, 2) as [string, string];
  const [legume, grain, herb] = [draw.one(LEGUMES), draw.one(GRAINS), draw.one(HERBS)];
  return { vegetable, other, legume, grain, herb, spice: draw.one(SPICES), fruit: draw.one(FRUITS) };
}

/** Those of the parts that a dish names, and what it always takes. */
function ingredientsOf(dish: Dish, parts: Parts): string[] {
  const text = [dish.title, ...dish.summaries, ...dish.steps].join(' ');
  const named = (Object.keys(parts) as (keyof Parts)[]).filter((name) => text.includes(`{${name}}`));
  return [...named.map((name) => parts[name]), ...dish.always];
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
