// The pages are bundled by scripts/bundle-pages.mjs from their entries; nothing imports this room.
export {};
