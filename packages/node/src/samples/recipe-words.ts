/** A kind of dish. Texts name parts in braces: {vegetable}, {other}, {legume}, {grain}, {herb}, {spice}, {fruit}. */
export interface Dish {
  readonly title: string;
  readonly course: string;
  readonly minutes: number;
  readonly isVegetarian: boolean;
  /** Ingredients beside those that the texts name in braces. */
  readonly always: readonly string[];
  readonly summaries: readonly string[];
  readonly steps: readonly string[];
}

/** Vegetables, as they stand in the middle of a sentence. */
export const VEGETABLES = [
  'tomato',
  'carrot',
  'leek',
  'pumpkin',
  'fennel',
  'spinach',
  'aubergine',
  'courgette',
  'cauliflower',
  'parsnip',
  'beetroot',
  'sweet potato',
  'kale',
  'celeriac',
  'red pepper',
  'mushroom',
];
/** Pulses. */
export const LEGUMES = ['chickpeas', 'red lentils', 'white beans', 'black beans', 'green peas', 'broad beans'];
/** What fills. */
export const GRAINS = ['rice', 'barley', 'bulgur', 'couscous', 'quinoa', 'polenta', 'orzo'];
/** Green herbs. */
export const HERBS = ['parsley', 'thyme', 'basil', 'mint', 'dill', 'coriander', 'rosemary', 'sage'];
/** Dry spices. */
export const SPICES = ['cumin', 'smoked paprika', 'turmeric', 'black pepper', 'fennel seed', 'nutmeg', 'chilli'];
/** Fruit for cakes and tarts. */
export const FRUITS = ['apple', 'pear', 'plum', 'apricot', 'cherry', 'blackberry', 'rhubarb', 'lemon'];

/** All kinds of dishes. */
export const DISHES: readonly Dish[] = [
  {
    title: '{vegetable} soup with {legume}',
    course: 'soup',
    minutes: 30,
    isVegetarian: true,
    always: ['onion', 'olive oil', 'vegetable stock'],
    summaries: [
      'A thick soup for cold evenings: {vegetable} gives it sweetness, {legume} make it a meal.',
      'Half of the soup is blended, so that it is smooth and still has something to chew. Better on the second day.',
    ],
    steps: [
      'Soften a chopped onion in olive oil with a spoon of {spice}.',
      'Add the diced {vegetable}, cover with stock and simmer for twenty minutes.',
      'Stir in the {legume}, blend half of the soup and season with salt.',
      'Scatter {herb} over it and serve with bread.',
    ],
  },
  {
    title: '{vegetable} curry with {legume} and {grain}',
    course: 'main',
    minutes: 35,
    isVegetarian: true,
    always: ['coconut milk', 'garlic', 'ginger'],
    summaries: [
      'A mild curry in coconut milk, ready in the time that the {grain} needs.',
      'Roasting the {spice} first is what makes this curry taste of more than coconut.',
    ],
    steps: [
      'Toast the {spice} in a dry pan until it smells, then fry garlic and ginger with it.',
      'Add {vegetable} and {legume}, pour in the coconut milk and let it bubble gently for fifteen minutes.',
      'Cook the {grain} meanwhile and leave it to steam under a cloth.',
      'Finish the curry with chopped {herb} and a squeeze of lime.',
    ],
  },
  {
    title: 'Roast {vegetable} and {other} with {herb} oil',
    course: 'side',
    minutes: 40,
    isVegetarian: true,
    always: ['olive oil', 'garlic', 'sea salt'],
    summaries: [
      'A tray of vegetables that needs nothing but heat and time; the {herb} oil goes on when it is done.',
      'Hot oven, wide tray, no stirring: the {vegetable} browns instead of steaming.',
    ],
    steps: [
      'Heat the oven to 220 degrees.',
      'Cut {vegetable} and {other} into wedges, turn them in oil and salt and spread them on a tray without crowding.',
      'Roast for half an hour, until the edges are dark.',
      'Pound {herb} and garlic with oil and spoon it over the vegetables.',
    ],
  },
  {
    title: '{grain} salad with {vegetable} and {herb}',
    course: 'salad',
    minutes: 20,
    isVegetarian: true,
    always: ['lemon', 'olive oil', 'feta'],
    summaries: [
      'A salad that can wait: it is made in the morning and eaten at noon.',
      'Lemon and {herb} in quantity; the {grain} takes up the dressing while it is still warm.',
    ],
    steps: [
      'Cook the {grain}, drain it and dress it with lemon and oil while it is warm.',
      'Grate or dice the {vegetable} and fold it in.',
      'Crumble feta over the salad, add a handful of {herb} and a pinch of {spice}.',
    ],
  },
  {
    title: 'Chicken stew with {vegetable} and {legume}',
    course: 'main',
    minutes: 60,
    isVegetarian: false,
    always: ['chicken', 'onion', 'white wine'],
    summaries: [
      'One pot on a low flame. The {legume} thicken the sauce, the {vegetable} goes in late to keep its shape.',
      'Brown the chicken well: all the colour of this stew comes from the bottom of the pot.',
    ],
    steps: [
      'Salt the chicken and brown it on all sides in a heavy casserole.',
      'Take it out, soften the onion with {spice}, pour in the wine and scrape the bottom.',
      'Return the chicken with the {legume}, cover and braise for forty minutes.',
      'Add the {vegetable} for the last ten minutes and finish with {herb}.',
    ],
  },
  {
    title: 'Baked fish on {vegetable} and {other}',
    course: 'main',
    minutes: 30,
    isVegetarian: false,
    always: ['white fish', 'olive oil', 'lemon'],
    summaries: [
      'The vegetables get a start in the oven, the fish joins them for the last ten minutes.',
      'Dinner from one dish, with {herb}, lemon and little to wash up.',
    ],
    steps: [
      'Slice {vegetable} and {other} thinly, turn them in oil and bake them for fifteen minutes at 200 degrees.',
      'Lay the fish on top with slices of lemon and {herb}.',
      'Bake until the fish flakes, ten minutes at most, and dust it with {spice}.',
    ],
  },
  {
    title: '{vegetable} and {herb} tart',
    course: 'main',
    minutes: 55,
    isVegetarian: true,
    always: ['flour', 'butter', 'eggs', 'cream'],
    summaries: [
      'Crisp pastry under a soft custard of eggs and cream, with as much {vegetable} as it will hold.',
      'Good warm and better cold, in a lunch box or on a picnic.',
    ],
    steps: [
      'Rub butter into flour, bind it with cold water, rest the pastry and line a tin with it.',
      'Bake it blind for fifteen minutes.',
      'Fry the {vegetable} until dry, spread it out and pour over eggs beaten with cream, {herb} and {spice}.',
      'Bake for thirty minutes more, until the middle only just trembles.',
    ],
  },
  {
    title: '{fruit} cake with {spice}',
    course: 'dessert',
    minutes: 60,
    isVegetarian: true,
    always: ['flour', 'butter', 'sugar', 'eggs'],
    summaries: [
      'A plain cake that keeps for days: {fruit} keeps it moist, {spice} is the surprise.',
      'Everything goes into one bowl. Serve it with cream, or alone with coffee.',
    ],
    steps: [
      'Beat butter and sugar until pale, add the eggs one by one.',
      'Fold in the flour with the {spice}, then the chopped {fruit}.',
      'Bake in a loaf tin at 175 degrees for fifty minutes; a skewer should come out clean.',
    ],
  },
  {
    title: 'Sourdough bread with {grain} and {herb}',
    course: 'bread',
    minutes: 90,
    isVegetarian: true,
    always: ['bread flour', 'sourdough starter', 'salt'],
    summaries: [
      'Cooked {grain} in the dough keeps the crumb soft for days. The dough rests overnight; the work is short.',
      'A loaf with a dark crust and an open crumb; {herb} goes in at the last fold.',
    ],
    steps: [
      'Mix flour, water and starter and leave the dough for an hour.',
      'Knead in the salt and the cooked {grain}, then fold the dough every half hour, the last time with {herb}.',
      'Shape it, let it proof in its basket in the fridge overnight.',
      'Bake it in a hot casserole under a lid for half an hour and without it until the crust is dark.',
    ],
  },
  {
    title: '{grain} with {vegetable}, {legume} and fried egg',
    course: 'main',
    minutes: 25,
    isVegetarian: true,
    always: ['eggs', 'soy sauce', 'spring onion'],
    summaries: [
      'What to cook when the fridge is almost empty.',
      'Yesterday’s {grain} fries best; the egg on top is the sauce.',
    ],
    steps: [
      'Fry the {vegetable} over high heat until it takes colour.',
      'Add {legume} and the cold {grain} and fry until it crackles; season with soy sauce and {spice}.',
      'Fry the eggs in another pan and put one on each plate with spring onion and {herb}.',
    ],
  },
];
