/** First in, first out, without moving the rest at each step. */
export function createFifo<T>(): { readonly length: number; readonly first: T | undefined; push(item: T): void; shift(): T | undefined } {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    get length() {
      return items.length - head;
    },
    get first() {
      return items[head];
    },
    push: (item) => void items.push(item),
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head++] = undefined;
      if (head > 256 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
  };
}
