/**
 * Loads sharp only when needed: it is large, and some rare platforms have no build of it. It draws in libuv's threads. One thread
 * for each picture leaves the others to the rest of the app, and QrPrinter already keeps finished pictures.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
