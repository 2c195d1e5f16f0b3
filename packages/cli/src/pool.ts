/** Does `work` for each item, so many at a time, and gives what came of each in the order of the items. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = []
  for await (const item of items) {
    const result = work(item)
    // It is awaited later, in its turn.
    result.catch(() => {})
    running.push(result)
    if (running.length >= most) yield await (running.shift() as Promise<R>)
  }
  for (const result of running) yield await result
}
