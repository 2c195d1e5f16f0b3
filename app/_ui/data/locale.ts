/**
 * The locale for words that the browser knows (countries, months): the reader's own where it is of the page's language, so that
 * no German word stands beside an English one. For the browser only.
 */
export function wordLocale(): string {
  const page = typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en'
  const readers = typeof navigator === 'undefined' ? [] : navigator.languages
  return readers.find((locale) => locale.split('-')[0] === page.split('-')[0]) ?? page
}
