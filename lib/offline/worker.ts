import type { Language } from '@/lib/i18n/languages'

/** Where the worker is. A page that has changed has a worker at another address, which takes the place of the one before. */
export const workerUrl = (language: Language, version: string) => `/assets/worker.js?language=${language}&v=${version}`

/** What all of its caches are called first. */
const CACHES = 'terse offline '

const FORGET = `const forget = (kept) => caches.keys().then((names) =>
  Promise.all(names.filter((name) => name.startsWith('${CACHES}') && name !== kept).map((name) => caches.delete(name))))`

/**
 * The service worker: keeps one page, and shows it in place of the front page where there is no network. Whatever else is
 * asked for, short links, the API and every other page, passes it by untouched: nothing here can be in the way of a redirect.
 *
 * No navigation preload: it would ask for a short link once more for each that is opened, and that is a click.
 */
export const WORKER = `const cache = '${CACHES}' + location.search
const page = '/assets/offline' + location.search
${FORGET}

addEventListener('install', (event) => {
  // Where the browser can be told, it does not even wake this worker for anything below "/".
  event.addRoutes?.([{ condition: { urlPattern: { pathname: '/:rest+' } }, source: 'network' }]).catch(() => {})
  skipWaiting()
  event.waitUntil(Promise.all([caches.open(cache), fetch(page, { credentials: 'omit', cache: 'reload', redirect: 'error' })])
    .then(([kept, response]) => response.ok ? kept.put(page, response) : Promise.reject(new Error('no page'))))
})

addEventListener('activate', (event) => event.waitUntil(forget(cache)))

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  if (method !== 'GET' || mode !== 'navigate' || new URL(url).pathname !== '/') return
  event.respondWith(fetch(event.request).catch((error) => caches.match(page).then((kept) => kept ?? Promise.reject(error))))
})
`

/** What browsers get that had the worker, once it is turned off: it takes itself away, with all that it kept. */
export const FAREWELL = `${FORGET}
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(forget('').then(() => registration.unregister())))
`
